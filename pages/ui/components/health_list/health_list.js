// The checks of a run, one a row: a sign and a word for the verdict, what was found, and a button for each place.

import { make, mounted } from "../shared/component.js";
import { counted } from "../shared/counted.js";

const SIGNS = { fail: "✕", warn: "▲", ok: "✓" };
const WORDS = { fail: "Fail", warn: "Warning", ok: "Pass" };
const FIRST = 10; // places in view before somebody asks for all of them

const STEPS = /** @type {const} */ ([
  ["Previous place", "‹", -1],
  ["Next place", "›", 1],
]);

/** The places of the checks that fail, or, where none does, of those that warn: each once, in the source's order. */
function stopsOf(rows) {
  const worst = rows.some(({ verdict, places }) => verdict === "fail" && places.length) ? "fail" : "warn";
  const found = new Map();
  for (const { verdict, places } of rows) {
    if (verdict === worst) for (const { offset, name } of places) found.set(offset, { offset, name, verdict });
  }
  return [...found.values()].sort((one, other) => one.offset - other.offset);
}

/** @param {number} count
 * @param {boolean} failed whether they fail a check; else they have a warning */
export function placesWords(count, failed) {
  const [places, fail] = count === 1 ? ["place", "fails"] : ["places", "fail"];
  return `${counted(count)} ${places} ${failed ? `that ${fail} a check` : "with a warning"}`;
}

class HealthList {
  constructor(parent) {
    this.root = make("div", "health", parent);
    this.walk = make("div", "walk", this.root, { role: "group", "aria-label": "Places that the checks found" });
    this.said = make("p", "unseen", this.root, { role: "status" }); // where one went: of a change, who changed it hears elsewhere
    this.list = make("ul", "", this.root, { "aria-label": "Checks of these chunks" });
    this.opened = new Set();
    this.at = -1; // the offset that was gone to last
    this.stops = [];
  }

  receive({ data, setTriggerValue }) {
    this.trigger = setTriggerValue;
    if (!data) return;
    const content = JSON.stringify(data.rows);
    if (content !== this.content) {
      this.content = content;
      this.rows = data.rows;
      this.draw();
    }
  }

  draw() {
    this.list.replaceChildren();
    this.said.textContent = "";
    for (const row of this.rows) this.row(row);
    this.stops = stopsOf(this.rows);
    this.drawWalk();
  }

  /** From one place that fails a check to the next, in the source's order, whatever it fails. */
  drawWalk() {
    const { walk, stops } = this;
    walk.hidden = !stops.length;
    if (!walk.hasChildNodes()) {
      for (const [words, sign, step] of STEPS) {
        const button = make("button", "", walk, { type: "button", "aria-label": words, title: words });
        button.textContent = sign;
        button.addEventListener("click", () => this.step(step));
      }
      make("span", "", walk);
    }
    const here = stops.findIndex(({ offset }) => offset === this.at);
    const count = placesWords(stops.length, stops[0]?.verdict === "fail");
    walk.lastChild.textContent = here < 0 ? count : `${stops[here].name}: ${counted(here + 1)} of ${count}`;
    for (const button of this.list.querySelectorAll("button[data-offset]")) {
      const current = Number(button.dataset.offset) === this.at;
      if (current) button.setAttribute("aria-current", "true");
      else button.removeAttribute("aria-current");
    }
  }

  /** Goes round at either end. */
  step(step) {
    const { stops, at } = this;
    const next = step > 0 ? stops.find(({ offset }) => offset > at) : stops.findLast(({ offset }) => offset < at);
    this.go((next ?? stops.at(step > 0 ? 0 : -1)).offset);
  }

  go(offset) {
    this.at = offset;
    this.trigger("went", offset);
    this.drawWalk();
    this.said.textContent = this.walk.lastChild.textContent;
  }

  row(row) {
    const line = make("li", row.verdict, this.list, { title: row.meaning });
    const head = make("p", "head", line);
    make("span", "sign", head, { "aria-hidden": "true" }).textContent = SIGNS[row.verdict];
    make("span", "word", head).textContent = WORDS[row.verdict];
    make("b", "", head).textContent = row.title;
    make("p", "said", line).textContent = row.said;
    if (row.verdict === "ok") return;
    if (row.meaning) make("p", "meaning", line).textContent = row.meaning;
    if (row.places.length)
      this.places(row, make("div", "places", line, { role: "group", "aria-label": `Where: ${row.title}` }));
  }

  places(row, into) {
    const all = this.opened.has(row.name);
    const shown = all || row.places.length <= FIRST + 1 ? row.places : row.places.slice(0, FIRST);
    for (const place of shown) {
      const button = make("button", "", into, { type: "button", "aria-label": `${place.name}: ${row.title}` });
      button.textContent = place.label;
      button.dataset.offset = place.offset;
      button.addEventListener("click", () => this.go(place.offset));
    }
    const hidden = row.places.length - shown.length;
    if (hidden) {
      const more = make("button", "more", into, { type: "button" });
      more.textContent = `${counted(hidden + row.unlisted)} more`;
      more.addEventListener("click", () => this.open(row, into));
    } else if (row.unlisted) {
      make("span", "rest", into).textContent = `and ${counted(row.unlisted)} more`;
    }
  }

  open(row, into) {
    this.opened.add(row.name);
    into.replaceChildren();
    this.places(row, into);
    this.drawWalk();
    into.children[FIRST]?.focus({ preventScroll: true });
  }

  destroy() {
    this.root.remove();
  }
}

export default mounted(HealthList);
