// Marks against configs: a table with a body for each question, a row for each answer, and a column for each config.

import { make, mounted } from "../shared/component.js";
import { counted } from "../shared/counted.js";

const MUST = "Must stay whole";
const MANY = 8; // marks from which on it helps to see only those that are cut

/** The rows of one question after another; what must stay whole is a group of its own. */
function grouped(rows) {
  const groups = new Map();
  for (const row of rows) {
    const name = `${row.kind} ${row.question}`;
    if (!groups.has(name)) groups.set(name, []);
    groups.get(name).push(row);
  }
  return [...groups.values()];
}

class MarksList {
  constructor(parent) {
    this.onlyCut = false;
    this.root = make("div", "marks", parent, {
      role: "region",
      "aria-label": "Marks and what becomes of them",
      tabindex: "0",
    });
  }

  receive({ data, setTriggerValue }) {
    this.trigger = setTriggerValue;
    if (!data) return;
    const content = JSON.stringify(data);
    if (content === this.content) return;
    this.content = content;
    this.drawn = data;
    this.draw(data);
  }

  draw({ columns, rows: all, chosen, editable }) {
    const rows = this.onlyCut && all.length > MANY ? all.filter((row) => row.cells.some((cell) => !cell.whole)) : all;
    const focused = this.root.getRootNode().activeElement?.dataset.focus;
    const { scrollTop } = this.root;
    this.root.replaceChildren();
    const table = make("table", "", this.root);
    this.head(columns, editable, all.length > MANY, make("thead", "", table));
    for (const group of grouped(rows)) {
      const body = make("tbody", "", table);
      this.question(group[0], columns.length + 1 + editable, editable, body);
      for (const row of group) this.row(row, columns, row.mark === chosen, editable, body);
    }
    if (focused) this.root.querySelector(`[data-focus="${CSS.escape(focused)}"]`)?.focus({ preventScroll: true });
    this.root.scrollTop = scrollTop;
    if (chosen !== this.chosen) this.bringIntoView();
    this.chosen = chosen;
  }

  /** The list is lower while a mark is chosen: its row stays in sight, and the page where it is. */
  bringIntoView() {
    const row = this.root.querySelector("tr.chosen")?.getBoundingClientRect();
    if (!row) return;
    const box = this.root.getBoundingClientRect();
    const head = this.root.querySelector("thead").getBoundingClientRect().height;
    this.root.scrollTop += Math.max(0, row.bottom - box.bottom) + Math.min(0, row.top - box.top - head);
  }

  head(columns, editable, many, into) {
    const line = make("tr", "", into);
    const what = make("th", "what", line, { scope: "col" });
    make("span", "title", what).textContent = "Mark";
    if (many) this.filter(what);
    for (const column of columns) {
      const cell = make("th", "", line, { scope: "col", title: column.name });
      make("span", "title", cell).textContent = column.title;
      make("span", "tally", cell).textContent = column.tally;
    }
    if (editable) make("span", "unseen", make("td", "", line)).textContent = "Remove";
  }

  filter(into) {
    const label = make("label", "", into);
    const box = make("input", "", label, { type: "checkbox" });
    box.checked = this.onlyCut;
    box.dataset.focus = "filter";
    label.append("only cut");
    box.addEventListener("change", () => {
      this.onlyCut = box.checked;
      this.draw(this.drawn);
    });
  }

  question(row, width, editable, into) {
    const cell = make("th", "question", make("tr", "", into), { scope: "rowgroup", colspan: String(width) });
    const line = make("div", "", cell);
    make("bdi", "", line).textContent = row.kind === "answer" ? row.question : MUST;
    if (row.draft) make("span", "draft", line).textContent = "not reviewed";
    if (editable && row.kind === "answer") this.button(line, "rename", row, "✎", `Edit the question: ${row.question}`);
  }

  row(row, columns, chosen, editable, into) {
    const line = make("tr", chosen ? "chosen" : "", into);
    const what = make("td", "what", line);
    const go = this.button(what, "choose", row, "", `Show line ${row.line}: ${row.quote}`);
    go.setAttribute("aria-pressed", String(chosen));
    make("bdi", "quote", go).textContent = row.quote;
    make("span", "line", go).textContent = `line ${counted(row.line)}`;
    row.cells.forEach((cell, at) => {
      this.coverage(cell, row, columns[at], make("td", cell.whole ? "whole" : "cut", line));
    });
    if (editable)
      this.button(make("td", "tools", line), "remove", row, "✕", `Remove the mark on line ${row.line}: ${row.quote}`);
  }

  coverage(cell, row, column, into) {
    into.title = `${column.name}: ${cell.said}`;
    const coverage = make("span", "coverage", into);
    make("span", "sign", coverage, { "aria-hidden": "true" }).textContent = cell.whole ? "✓" : "✂";
    make("span", "", coverage).textContent = cell.whole ? "whole" : "cut";
    if (column.fixed && !cell.whole) {
      const name = `Fix… What keeps the mark on line ${counted(row.line)} whole`;
      this.button(coverage, "choose", row, "Fix…", name, "fix");
    }
    if (cell.rule) make("span", "rule", into).textContent = cell.rule;
  }

  button(into, action, row, text, name, look = action) {
    const button = make("button", look, into, { type: "button", "aria-label": name, title: name });
    button.dataset.focus = `${look} ${row.mark}`;
    if (text) button.textContent = text;
    button.addEventListener("click", () => this.trigger("acted", { action, mark: row.mark }));
    return button;
  }

  destroy() {
    this.root.remove();
  }
}

export default mounted(MarksList);
