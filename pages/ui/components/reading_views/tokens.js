// The source in the tokens of each chunk, by one tokenizer or two beside each other, with rulers where embedders stop
// reading.

import { inHue } from "../shared/chunk_hues.js";
import { make, mounted } from "../shared/component.js";
import { StretchView } from "./stretch.js";
import { CELL, cellElement, cellsOf, cellWords, NUMBER } from "./token_cells.js";

const KEY = [
  ["t", "a", "a token"],
  ["t odd", "b", "the next"],
  ["t multi", "ê", "tokens that end inside a character"],
  ["t unk", "?", "unknown to the tokenizer, or special"],
];
const KEY_BESIDE = ["t dif", "c", "a border that only this tokenizer has"];

const COLUMNS = 80; // characters on a line, about

class TokensView extends StretchView {
  /** Whether white space is drawn. */
  visible = false;
  /** By where they stand: the cuts, what the chunks that begin there are made of, and the rulers. @type {Map<number, any>} */
  starts = new Map();
  /** @type {Map<number, any>} */
  sums = new Map();
  /** @type {Map<number, any[]>} */
  rulers = new Map();
  /** The cut that the row being drawn is after. @type {any} */
  here;

  constructor(parent) {
    super(parent, "tokens", "Tokens of the source");
    const tools = make("div", "tools", this.bar);
    const label = make("label", "beside", tools);
    make("span", "", label).textContent = "Beside";
    this.choice = make("select", "", label, { "aria-label": "Second tokenizer" });
    this.choice.addEventListener("change", () => this.trigger("second", this.choice.value));
    this.blanks = make("button", "barbtn", tools, {
      type: "button",
      "aria-pressed": "false",
      title: "Show white space (w)",
    });
    this.blanks.textContent = "White space";
    this.blanks.addEventListener("click", () => this.showBlanks(!this.visible));
    this.facts = make("div", "facts", null);
    this.notes = make("p", "notes", this.facts);
    this.key = make("ul", "key", this.facts, { "aria-label": "What the tokens look like" });
    this.heads = make("div", "heads pair", null, { "aria-hidden": "true" });
    this.scroller.before(this.facts, this.heads);
    this.page.addEventListener("pointerover", ({ target }) => explain(target.closest?.(".toks > span")));
  }

  take(data) {
    this.setChoice(data);
    const two = data.titles.length > 1;
    this.root.classList.toggle("two", two);
    this.notes.textContent = data.notes.join(" ");
    this.heads.replaceChildren(
      ...data.titles.map((title) => Object.assign(make("strong", ""), { textContent: title })),
    );
    this.heads.hidden = !two;
    this.drawKey(two);
    this.sums = new Map(data.sums.map((sum) => [sum.at, sum]));
    this.rulers = grouped(data.rulers);
    this.starts = new Map(data.cuts.map((cut) => [cut.at, cut]));
    this.here = data.cuts[0];
    super.take(data);
  }

  setChoice({ options, second }) {
    const wanted = [["", "nothing"], ...options];
    if (JSON.stringify(wanted) !== this.offered) {
      this.offered = JSON.stringify(wanted);
      this.choice.replaceChildren(
        ...wanted.map(([name, title]) => Object.assign(make("option", ""), { value: name, textContent: title })),
      );
    }
    this.choice.value = second;
  }

  drawKey(two) {
    if (this.keyFor === two) return;
    this.keyFor = two;
    this.key.replaceChildren();
    for (const [look, sign, words] of two ? [...KEY, KEY_BESIDE] : KEY) {
      const line = make("li", "h0", this.key);
      const sample = make("span", look, line, look.includes("multi") ? { "data-n": "2", style: "--n:2" } : {});
      sample.textContent = sign;
      line.append(` ${words}`);
    }
  }

  /** A row of the source, with what stands before it: a cut, its chunk's sum and context, and rulers. Where a row stands in
   * its chunk, and what chunk that is, changes nothing but its colour. */
  blockElement(row) {
    const cut = this.starts.get(row.start);
    if (cut) this.here = cut;
    const sum = cut && this.sums.get(row.start);
    const rulers = this.rulers.get(row.start) ?? [];
    const last = row.end === this.data.length || this.starts.has(row.end);
    const inChunk = this.here && this.here.chunk >= 0;
    const marks = this.data.marks.map(([before, after]) => [
      cut && inChunk ? before : [],
      last && inChunk ? after : [],
    ]);
    const columns = [row.first, row.second].filter((numbers, column) => numbers.length || !column);
    const looks = columns.map((numbers) => numbers.filter((_, place) => place % CELL !== NUMBER));
    const bodyName = JSON.stringify([row.start, row.text, looks, marks, this.visible]);
    const name = JSON.stringify([bodyName, cut, sum, rulers]);
    const element =
      this.blocks.get(name) ??
      this.withOver(bodyName, () => this.rowElement(row, columns, marks), this.overRow(cut, sum, rulers));
    const look = `blk line ${inChunk ? inHue(this.here.hue) : "gone"}`;
    if (element.className !== look) element.className = look;
    for (const [column, line] of element.lines.entries()) [line.text, line.numbers] = [row.text, columns[column]];
    element.name = name;
    return element;
  }

  overRow(cut, sum, rulers) {
    return [
      ...(cut ? [this.divider(cut)] : []),
      ...(sum ? this.sum(sum) : []),
      ...rulers.map((ruler, at) => this.keptOver(["ruler", at, ruler], () => rulerElement(ruler))),
    ];
  }

  rowElement(row, columns, marks) {
    const element = make("div", "", null, { "data-start": row.start, "data-end": row.end });
    const pair = make("div", "pair", element);
    element.style.setProperty("--lines", String(Math.ceil((row.text.length * columns.length) / COLUMNS)));
    element.lines = columns.map((numbers, column) => this.tokens(pair, row.text, numbers, ...marks[column]));
    return element;
  }

  sum({ at, words, context, cells }) {
    const line = this.keptOver(["sum", at, words], () => Object.assign(make("p", "sum", null), { textContent: words }));
    if (!cells.length) return [line];
    const added = this.keptOver(["context", at, context, cells, this.visible], () => {
      const made = make("div", "added", null);
      make("span", "tag", made).textContent = "context";
      this.tokens(made, context.trimEnd(), cells, [], []);
      return made;
    });
    return [line, added];
  }

  /** A line of tokens, which knows of what cells it is. */
  tokens(parent, text, numbers, before, after) {
    const line = Object.assign(make("div", "toks", parent, { dir: "auto" }), { text, numbers });
    const mark = (token) => {
      const sign = make("span", "mark", line, { title: "A special token that the embedder adds" });
      sign.textContent = token;
    };
    before.forEach(mark);
    for (const [place, cell] of cellsOf(text, numbers).entries()) {
      if (!cell.text) continue;
      const drawn = cellElement(cell, this.visible);
      drawn.place = place;
      line.append(drawn);
    }
    after.forEach(mark);
    return line;
  }

  showBlanks(visible) {
    this.visible = visible;
    this.blanks.setAttribute("aria-pressed", String(visible));
    if (this.data) this.take(this.data);
  }

  keyDown(event) {
    if (event.key === "w" && !event.ctrlKey && !event.metaKey && !event.altKey) {
      event.preventDefault();
      return this.showBlanks(!this.visible);
    }
    super.keyDown(event);
  }
}

function rulerElement({ words, detail }) {
  const line = make("p", "ruler", null, { role: "note" });
  make("strong", "", line).textContent = `${words}: `;
  make("span", "", line).textContent = detail;
  return line;
}

/** Says what the cell is that somebody points at. */
function explain(element) {
  if (element?.place === undefined) return;
  const { text, numbers } = element.closest(".toks");
  element.title = cellWords(cellsOf(text, numbers)[element.place]);
}

function grouped(rulers) {
  const found = new Map();
  for (const ruler of rulers) found.set(ruler.at, [...(found.get(ruler.at) ?? []), ruler]);
  return found;
}

export default mounted(TokensView);
