// The source in the tokens of each chunk, by one tokenizer or two beside each other, with rulers where embedders stop
// reading.

import { inHue } from "../shared/chunk_hues.js";
import { make, mounted } from "../shared/component.js";
import { StretchView } from "./stretch.js";
import { cellElement, cellsOf, cellWords } from "./token_cells.js";

const KEY = [
  ["t", "a", "a token"],
  ["t odd", "b", "the next"],
  ["t multi", "ê", "tokens that end inside a character"],
  ["t unk", "?", "unknown to the tokenizer, or special"],
];
const KEY_BESIDE = ["t dif", "c", "a border that only this tokenizer has"];

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
  /** The cells that are drawn, by their elements, for those who point at them. @type {WeakMap<object, any>} */
  cells = new WeakMap();

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
    this.page.addEventListener("pointerover", (event) => this.explain(event));
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

  /** A row of the source, with what stands before it: a cut, its chunk's sum and context, and rulers. */
  blockElement(row) {
    const cut = this.starts.get(row.start);
    if (cut) this.here = cut;
    const sum = cut && this.sums.get(row.start);
    const rulers = this.rulers.get(row.start) ?? [];
    const last = row.end === this.data.length || this.starts.has(row.end);
    const marks = this.data.marks.map(([before, after]) => [cut?.chunk >= 0 ? before : [], last ? after : []]);
    const name = JSON.stringify([row, cut, sum, rulers, marks, this.here?.hue, this.visible]);
    const known = this.blocks.get(name);
    if (known) return known;
    const inChunk = this.here && this.here.chunk >= 0;
    const element = make("div", `blk line ${inChunk ? inHue(this.here.hue) : "gone"}`, null, {
      "data-start": row.start,
      "data-end": row.end,
    });
    element.name = name;
    if (cut) element.append(this.divider(cut));
    if (sum) this.sum(element, sum);
    for (const ruler of rulers) {
      const line = make("p", "ruler", element, { role: "note" });
      make("strong", "", line).textContent = `${ruler.words}: `;
      make("span", "", line).textContent = ruler.detail;
    }
    const pair = make("div", "pair", element);
    for (const [column, numbers] of [row.first, row.second].entries()) {
      if (column && !numbers.length) continue;
      const [before, after] = inChunk ? marks[column] : [[], []];
      this.tokens(pair, row.text, numbers, before, after);
    }
    return element;
  }

  sum(element, { words, context, cells }) {
    make("p", "sum", element).textContent = words;
    if (!cells.length) return;
    const added = make("div", "added", element);
    make("span", "tag", added).textContent = "context";
    this.tokens(added, context.trimEnd(), cells, [], []);
  }

  tokens(parent, text, numbers, before, after) {
    const line = make("div", "toks", parent, { dir: "auto" });
    const mark = (token) => {
      const sign = make("span", "mark", line, { title: "A special token that the embedder adds" });
      sign.textContent = token;
    };
    before.forEach(mark);
    for (const cell of cellsOf(text, numbers)) {
      if (!cell.text) continue;
      const drawn = cellElement(cell, this.visible);
      this.cells.set(drawn, cell);
      line.append(drawn);
    }
    after.forEach(mark);
  }

  explain({ target }) {
    const element = target.closest?.(".toks > span");
    const cell = element && this.cells.get(element);
    if (cell && !element.title) element.title = cellWords(cell);
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

function grouped(rulers) {
  const found = new Map();
  for (const ruler of rulers) found.set(ruler.at, [...(found.get(ruler.at) ?? []), ruler]);
  return found;
}

export default mounted(TokensView);
