// The sliders of a run in a notebook. One move is on its way at a time; what moves meanwhile is sent when it is answered.

function row({ name, title, label, unit, help, value, minimum, maximum, step }, moved) {
  const element = document.createElement("label");
  element.style.cssText = "display: grid; grid-template-columns: 16em 1fr 7em; gap: .8em; align-items: center";
  element.title = help;
  const words = document.createElement("span");
  words.textContent = `${title} (${label})`;
  const range = document.createElement("input");
  Object.assign(range, { type: "range", min: minimum, max: maximum, step, value });
  const output = document.createElement("output");
  const say = () => {
    output.textContent = `${Number(range.value).toLocaleString("en")} ${unit}`;
  };
  say();
  range.addEventListener("input", () => {
    say();
    moved(name, range.valueAsNumber);
  });
  element.append(words, range, output);
  return element;
}

export function render({ model, el }) {
  let sequence = 0;
  let waiting = {};
  let values = {};

  const send = () => {
    if (!Object.keys(waiting).length || model.get("answered") < sequence) return;
    values = { ...values, ...waiting };
    waiting = {};
    sequence += 1;
    model.set("moved", { ...values, sequence });
    model.save_changes();
  };
  const controls = document.createElement("div");
  const problem = document.createElement("p");
  problem.setAttribute("role", "alert");
  const view = document.createElement("div");
  for (const slider of model.get("sliders"))
    controls.append(
      row(slider, (name, value) => {
        waiting[name] = value;
        send();
      }),
    );
  const draw = () => {
    problem.textContent = model.get("problem");
    problem.hidden = !problem.textContent;
    view.innerHTML = model.get("view"); // made by Python, a document's text escaped
  };
  model.on("change:view", draw);
  model.on("change:problem", draw);
  model.on("change:answered", send);
  draw();
  el.append(controls, problem, view);
}
