// The checks of a run, one a row: a sign and a word for the verdict, what was found, and a button for each place.

import { make, mounted } from "../shared/component.js";

const SIGNS = { fail: "✕", warn: "▲", ok: "✓" };
const WORDS = { fail: "Fail", warn: "Warning", ok: "Pass" };
const FIRST = 10; // places in view before somebody asks for all of them

class HealthList {
  constructor(parent) {
    this.root = make("ul", "health", parent, { "aria-label": "Checks of these chunks" });
    this.opened = new Set();
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
    this.root.replaceChildren();
    for (const row of this.rows) this.row(row);
  }

  row(row) {
    const line = make("li", row.verdict, this.root, { title: row.meaning });
    const head = make("p", "head", line);
    make("span", "sign", head, { "aria-hidden": "true" }).textContent = SIGNS[row.verdict];
    make("span", "word", head).textContent = WORDS[row.verdict];
    make("b", "", head).textContent = row.title;
    make("p", "said", line).textContent = row.said;
    if (row.verdict === "ok") return;
    make("p", "meaning", line).textContent = row.meaning;
    if (row.places.length)
      this.places(row, make("div", "places", line, { role: "group", "aria-label": `Where: ${row.title}` }));
  }

  places(row, into) {
    const all = this.opened.has(row.name);
    const shown = all || row.places.length <= FIRST + 1 ? row.places : row.places.slice(0, FIRST);
    for (const place of shown) {
      const button = make("button", "", into, { type: "button", "aria-label": `${place.name}: ${row.title}` });
      button.textContent = place.label;
      button.addEventListener("click", () => this.trigger("went", place.offset));
    }
    const hidden = row.places.length - shown.length;
    if (hidden) {
      const more = make("button", "more", into, { type: "button" });
      more.textContent = `${(hidden + row.unlisted).toLocaleString("en")} more`;
      more.addEventListener("click", () => this.open(row, into));
    } else if (row.unlisted) {
      make("span", "rest", into).textContent = `and ${row.unlisted.toLocaleString("en")} more`;
    }
  }

  open(row, into) {
    this.opened.add(row.name);
    into.replaceChildren();
    this.places(row, into);
    into.children[FIRST]?.focus({ preventScroll: true });
  }

  destroy() {
    this.root.remove();
  }
}

export default mounted(HealthList);
