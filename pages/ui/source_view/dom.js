// Small pieces of page: elements, the legend, and the theme's colours as a canvas understands them.

export function make(tag, name, parent, attributes = {}) {
  const element = document.createElement(tag);
  if (name) element.className = name;
  for (const [attribute, value] of Object.entries(attributes)) element.setAttribute(attribute, value);
  parent?.append(element);
  return element;
}

/** What the theme makes of our colours; marks the root as light or dark. */
export function coloursOf(root) {
  const ground = getComputedStyle(root).getPropertyValue("--st-background-color").trim() || "#fff";
  root.dataset.theme = luminance(ground) < 0.4 ? "dark" : "light";
  const now = getComputedStyle(root);
  return {
    hues: [0, 1, 2, 3, 4, 5].map((hue) => now.getPropertyValue(`--h${hue}`).trim()),
    text: now.color,
    muted: resolved(root, "--cs-muted"),
    warn: resolved(root, "--cs-warn"),
  };
}

/** Changes whenever the theme does. */
export function themeOf(root) {
  const style = getComputedStyle(root);
  return `${style.getPropertyValue("--st-background-color")} ${style.getPropertyValue("--st-text-color")}`;
}

/** A colour that CSS mixes, as a canvas understands it. */
function resolved(root, name) {
  const probe = make("i", "", root);
  probe.style.color = `var(${name})`;
  const colour = getComputedStyle(probe).color;
  probe.remove();
  return colour;
}

function luminance(colour) {
  const pen = new OffscreenCanvas(1, 1).getContext("2d");
  pen.fillStyle = colour;
  pen.fillRect(0, 0, 1, 1);
  const [red, green, blue] = pen.getImageData(0, 0, 1, 1).data;
  return (0.2126 * red + 0.7152 * green + 0.0722 * blue) / 255;
}

export function legend(bar) {
  const details = make("details", "legend", bar);
  make("summary", "", details, { "aria-label": "What the marks mean" }).textContent = "?";
  const list = make("dl", "", details);
  for (const [mark, words] of [
    ["band", "A chunk: its colour and rail pattern repeat, its number does not"],
    ["lap", "Overlap: text of this chunk that the next one repeats"],
    ["skip", "Skipped: in no chunk, with its reason in the margin"],
    ["blank", "White space that is not embedded"],
    ["cut", "A cut inside a line"],
    ["tick", "A boundary of the baseline only; on the overview, each of the baseline's"],
    ["answer", "A: an answer to a question, whole in one chunk"],
    ["whole", "W: to be kept whole, and it is"],
    ["split", "Marked, and a chunk boundary cuts it"],
  ]) {
    make("i", `key ${mark}`, make("dt", "", list), { "aria-hidden": "true" });
    make("dd", "", list).textContent = words;
  }
  make("dd", "keys", list).textContent = "j and k go from chunk to chunk, Enter chooses, Home and End go to the ends.";
  return details;
}
