// The documents of a corpus: a grid of which only the rows in view are in the page. During a drag the rail brings the
// numbers (threshold_rail/external_updates.js) and the order stays; when it has come to rest, Python's hold and the rows
// are ordered anew.

import { offers } from "../shared/commands.js";
import { make, mounted, takesSkips } from "../shared/component.js";
import { counted } from "../shared/counted.js";
import { coloursOf, themeOf } from "../source_view/dom.js";
import { fillCheckFilter, newCheckFilter } from "./check_filter.js";
import { COLUMNS, contextWords, fillLine, LINE, NARROW, newLine, TALL_LINE } from "./row_element.js";
import { arranged, belongs, newRows, readRows, updateChecks, updateRepeats, updateRows } from "./table_rows.js";

const BEYOND = 4; // rows drawn above and below what is in view
const PAGE = 10;
const AROUND = 36; // pixels of the head and the edges, as in corpus_table.css
const TYPING_RESTS = 500; // milliseconds

/** Beside each stands how many documents it shows: they are not counted like the blocks and chunks of the numbers.
 * @type {[string, string][]} */
const FILTERS = [
  ["all", "All"],
  ["torn", "With blocks cut"],
  ["over", "With chunks over the maximum"],
  ["left_out", "With text left out"],
  ["repeats", "With repeats"],
  ["problem", "Not cut"],
];

class CorpusTable {
  /** @type {import("./table_rows.js").Row[]} */
  rows = [];
  /** @type {import("./table_rows.js").Row[]} */
  shown = [];
  /** What Python said last. @type {{head: any, places: Uint16Array} | undefined} */
  said;
  /** Whether a drag has brought more since. */
  ahead = false;
  corpus = "";
  /** Pixels of a row. */
  line = LINE;
  /** Of the page, as the canvas understands it. */
  theme = "";
  /** @type {{hues: string[], warn: string, ground: string}} */
  colours = { hues: [], warn: "", ground: "" };
  /** Whether the row that was opened last is still to be come back to: once all are cut and in their order. */
  returns = false;
  /** Where the keyboard stands, in the rows shown. */
  at = -1;
  trigger = (_name, _value) => {};
  /** @type {import("./table_rows.js").Shown} */
  looks = { order: "torn", descending: true, show: "all", check: "", path: "", row: "" };
  /** Of the health checks, by name. @type {Record<string, string>} */
  titles = {};

  constructor(parent) {
    this.root = make("section", "corpus", parent, { "aria-label": "Documents" });
    const bar = make("div", "bar", this.root);
    this.path = make("input", "path", bar, {
      ...{ type: "search", placeholder: "Filter by path", "aria-label": "Filter by path" },
    });
    this.path.addEventListener("input", () => this.typed());
    const filters = make("div", "filters", bar, { role: "group", "aria-label": "Which documents" });
    const word = (words) => (make("span", "", filters, { "aria-hidden": "true" }).textContent = words);
    word("Documents:");
    this.filters = FILTERS.map(([show, title]) => {
      if (show === "torn") word("with");
      const button = make("button", show, filters, { type: "button" });
      if (show === "torn") button.title = "Blocks cut in two: tables, code and lists with a boundary inside"; // no room
      button.addEventListener("click", () => this.look({ show }));
      return { show, title, button };
    });
    this.check = newCheckFilter(bar, (check) => this.look({ check }));
    this.says = make("p", "says", bar, { role: "status" });
    this.grid = make("div", "grid", this.root, {
      role: "grid",
      tabindex: "0",
      "aria-label": "Documents and their boundaries",
    });
    this.top = make("div", "top", this.grid, { role: "rowgroup" });
    const head = make("div", "head line", this.top, { role: "row" });
    this.heads = COLUMNS.map(([name, title, hint]) => this.head(head, name, title, hint));
    this.space = make("div", "space", this.grid, { role: "rowgroup" });
    this.none = make("p", "none", this.root, { hidden: "" });
    /** @type {Map<number, {element: HTMLElement, drawn: string, places?: Uint16Array}>} */
    this.lines = new Map();
    this.grid.addEventListener("scroll", () => this.drawSoon());
    this.grid.addEventListener("keydown", (event) => this.key(event));
    this.grid.addEventListener("focus", () => this.at < 0 && this.stand(Math.ceil(this.grid.scrollTop / this.line)));
    this.space.addEventListener("click", (event) => this.click(event));
    this.noSkips = takesSkips(() => this.grid);
    this.noCommands = offers(() => this.commands());
    this.sizes = new ResizeObserver(() => this.resized());
    this.sizes.observe(this.root);
    /** @type {Record<string, (event: any) => void>} */
    this.listeners = {
      "chunkscope:moved": ({ detail }) => this.moved(detail),
      "chunkscope:settled": ({ detail }) => this.settled(detail.run),
    };
    for (const [name, listener] of Object.entries(this.listeners)) document.addEventListener(name, listener);
  }

  /** The filters, for the command palette.
   * @returns {import("../shared/commands.js").Command[]} */
  commands() {
    const seen = this.filters.filter(({ button }) => button.checkVisibility());
    return seen.map(({ show, title }) => ({
      group: "View",
      name: `Documents: ${title}${show === "torn" ? " (torn)" : ""}`,
      run: () => this.look({ show }),
    }));
  }

  head(parent, name, title, hint) {
    const cell = make("div", `cell ${name}`, parent, { role: "columnheader", ...(hint ? { title: hint } : {}) });
    if (name === "strip") {
      cell.textContent = title;
      return { name, cell };
    }
    const button = make("button", "", cell, { type: "button" });
    button.textContent = title;
    button.addEventListener("click", () =>
      this.look({
        order: name,
        descending: this.looks.order === name ? !this.looks.descending : name !== "document" && name !== "override",
      }),
    );
    return { name, cell };
  }

  receive({ data, setTriggerValue }) {
    this.trigger = setTriggerValue;
    const theme = themeOf(this.root);
    if (theme !== this.theme) {
      [this.theme, this.colours] = [theme, coloursOf(this.root)];
      this.drawSoon(true);
    }
    if (!data || data === this.data) return;
    this.data = data;
    this.said = readRows(data);
    const { head } = this.said;
    if (head.corpus !== this.corpus) {
      this.corpus = head.corpus;
      this.rows = newRows(head);
      this.ahead = false;
      this.at = -1;
      this.takeLooks(head.shown);
      this.path.value = this.looks.path;
      this.returns = true;
      this.arrange();
    }
    for (const row of this.rows) row.override = head.overrides[row.number];
    if (!this.ahead) this.show();
  }

  takeLooks(shown) {
    this.looks = { ...this.looks, ...shown };
  }

  /** Shows what Python said. */
  show() {
    if (!this.said) return;
    updateRows(this.rows, this.said);
    updateChecks(this.rows, this.said.head.checks);
    if (this.said.head.repeats) updateRepeats(this.rows, this.said.head.repeats);
    Object.assign(this.titles, this.said.head.checks.titles);
    this.root.dataset.run = this.said.head.run;
    this.arrange();
  }

  /** A move of a threshold: new numbers, in the same order. */
  moved(bytes) {
    if (!this.rows.length) return;
    const found = readRows(bytes);
    this.ahead = true;
    updateRows(this.rows, found);
    this.root.dataset.run = found.head.run;
    this.count();
    this.drawSoon();
  }

  /** Python has caught up with the drag; "" where the last move was never answered. */
  settled(run) {
    if (!this.ahead) return;
    this.ahead = false;
    if (!run || this.said?.head.run === run) this.show();
  }

  look(change) {
    this.looks = { ...this.looks, ...change };
    this.arrange();
    this.grid.scrollTop = 0;
    this.at = -1;
    this.tell();
  }

  typed() {
    this.looks = { ...this.looks, path: this.path.value };
    this.arrange();
    this.grid.scrollTop = 0;
    clearTimeout(this.typing);
    this.typing = setTimeout(() => this.tell(), TYPING_RESTS);
  }

  tell() {
    const { order, descending, show, check, path } = this.looks;
    this.trigger("looked", { order, descending, show, check, path });
  }

  /** Orders and filters the rows. */
  arrange() {
    const stood = this.shown[this.at];
    this.shown = arranged(this.rows, this.looks);
    this.at = stood ? this.shown.indexOf(stood) : -1;
    this.root.classList.toggle(
      "plain",
      this.looks.show !== "repeats" && this.rows.every(({ override, problem }) => !override && !problem),
    );
    this.size();
    this.grid.setAttribute("aria-rowcount", String(this.shown.length + 1));
    for (const { name, cell } of this.heads) {
      if (name === "override") this.headOfLast(cell);
      const sorted = name === this.looks.order;
      cell.classList.toggle("sorted", sorted);
      if (name !== "strip")
        cell.setAttribute("aria-sort", sorted ? (this.looks.descending ? "descending" : "ascending") : "none");
    }
    this.none.hidden = this.shown.length > 0;
    this.space.hidden = !this.none.hidden;
    this.grid.classList.toggle("empty", !this.none.hidden);
    this.none.textContent = this.rows.length ? "No document fits this filter." : "";
    this.count();
    if (this.returns && this.rows.every(({ known }) => known)) {
      this.returns = false;
      const last = this.shown.findIndex(({ name }) => name === this.looks.row);
      if (this.looks.row && last >= 0) this.stand(last, true);
    }
    this.drawSoon(true);
  }

  /** The last column says what is repeated where, while only documents with repeats are shown. */
  headOfLast(cell) {
    const [, title, hint] = COLUMNS[COLUMNS.length - 1];
    const repeats = this.looks.show === "repeats";
    const words = repeats ? "Repeats" : title;
    if (cell.firstChild.textContent === words) return;
    cell.firstChild.textContent = words;
    cell.title = repeats ? "chunks whose text other documents have too, and which these are" : hint;
  }

  /** The numbers on the filters, and how far the cut has come, then how many rows are shown. */
  count() {
    this.root.classList.toggle("with-context", this.rows.some(contextWords));
    for (const { show, title, button } of this.filters) {
      const found = this.rows.filter((row) => row.known && belongs(row, show));
      const context = show === "over" ? found.filter(({ over }) => !over).length : 0;
      const count = found.length - context;
      const more = context ? `, ${counted(context)} more with context` : "";
      const words = show === "all" ? title : `${title} ${counted(count)}${more}`;
      if (button.getAttribute("aria-label") !== words) {
        button.setAttribute("aria-label", words);
        button.textContent = words.replace("With ", ""); // it stands once, before the first
      }
      button.hidden = show === "problem" && !count && this.looks.show !== show;
      button.setAttribute("aria-pressed", String(this.looks.show === show));
      const wrong = show === "left_out" ? found.some(({ lost }) => lost) : count > 0;
      button.classList.toggle("some", show !== "all" && wrong);
    }
    this.root.classList.toggle("ahead", this.ahead);
    if (!this.ahead) fillCheckFilter(this.check, this.rows, this.titles, this.looks.check);
    const now = this.rows.filter((row) => row.known && !row.behind).length;
    const all = counted(this.rows.length);
    const [following, shown] = [now, this.shown.length].map(counted);
    const filtered = shown === all ? "" : " shown";
    const words = now < this.rows.length ? `${following} of ${all} follow` : `${shown} of ${all}${filtered}`;
    if (this.says.textContent !== words) this.says.textContent = words;
  }

  /** Narrow, each row has a second part, with what has no column. */
  resized() {
    const line = this.root.clientWidth <= NARROW ? TALL_LINE : LINE;
    if (line !== this.line) {
      this.grid.scrollTop *= line / this.line;
      this.line = line;
      for (const { element } of this.lines.values()) element.remove();
      this.lines.clear();
      this.size();
    }
    this.drawSoon(true);
  }

  /** Room for the rows that are shown, in a box no higher than all of them with their head. */
  size() {
    this.space.style.height = `${this.shown.length * this.line}px`;
    this.grid.style.setProperty("--all", `${AROUND + this.rows.length * this.line}px`);
  }

  drawSoon(anew = false) {
    this.anew = this.anew || anew;
    this.frame ||= requestAnimationFrame(() => {
      this.frame = 0;
      this.draw();
    });
  }

  draw() {
    const top = this.grid.scrollTop;
    const first = Math.max(0, Math.floor(top / this.line) - BEYOND);
    const last = Math.min(this.shown.length, Math.ceil((top + this.grid.clientHeight) / this.line) + BEYOND);
    const anew = this.anew;
    const about = { titles: this.titles, repeats: this.looks.show === "repeats" };
    this.anew = false;
    for (const [index, line] of this.lines) {
      if (index >= first && index < last) continue;
      line.element.remove();
      this.lines.delete(index);
    }
    for (let index = first; index < last; index++) {
      const row = this.shown[index];
      let line = this.lines.get(index);
      if (!line) {
        line = { element: newLine(index, this.line), drawn: "" };
        this.lines.set(index, line);
        this.space.append(line.element);
      }
      line.element.classList.toggle("at", index === this.at);
      line.element.classList.toggle("behind", row.behind || !row.known);
      line.element.setAttribute("aria-selected", String(row.name === this.looks.row));
      const drawn = [
        row.number,
        row.chunks,
        row.median,
        row.within,
        row.torn,
        row.over,
        row.over_with_context,
        row.left_out,
        row.lost,
        row.checked,
        row.failed,
        row.warned,
        row.override,
        row.problem,
        row.known,
      ].join();
      if (drawn !== line.drawn || line.places !== row.places || anew) fillLine(line.element, row, about, this.colours);
      line.drawn = drawn;
      line.places = row.places;
    }
    if (this.at >= first && this.at < last) this.grid.setAttribute("aria-activedescendant", `corpus-${this.at}`);
    else this.grid.removeAttribute("aria-activedescendant");
  }

  click(event) {
    const index = Math.floor((event.clientY - this.space.getBoundingClientRect().top) / this.line);
    this.open(index);
  }

  /** A key of the grid, and none of a button in its head. */
  key(event) {
    if (event.target.closest("button")) return;
    const all = this.shown.length;
    const step = { ArrowDown: 1, ArrowUp: -1, PageDown: PAGE, PageUp: -PAGE, Home: -all, End: all }[event.key];
    if (step) this.stand(Math.min(all - 1, Math.max(0, this.at + step)));
    else if (event.key === "Enter" || event.key === " ") this.open(this.at);
    else return;
    event.preventDefault();
    event.stopPropagation();
  }

  /** The keyboard stands on this row, which is in view; in the middle, where somebody comes back to it. */
  stand(index, middle = false) {
    this.at = index;
    const [top, high] = [index * this.line, this.grid.clientHeight - this.top.offsetHeight];
    if (middle) this.grid.scrollTop = top - high / 2;
    else if (top < this.grid.scrollTop) this.grid.scrollTop = top;
    else if (top + this.line > this.grid.scrollTop + high) this.grid.scrollTop = top + this.line - high;
    this.drawSoon();
  }

  open(index) {
    const row = this.shown[index];
    if (!row) return;
    this.at = index;
    this.looks = { ...this.looks, row: row.name };
    this.drawSoon();
    this.trigger("opened", row.number);
  }

  destroy() {
    for (const [name, listener] of Object.entries(this.listeners)) document.removeEventListener(name, listener);
    clearTimeout(this.typing);
    cancelAnimationFrame(this.frame ?? 0);
    this.noSkips();
    this.noCommands();
    this.sizes.disconnect();
    this.root.remove();
  }
}

export default mounted(CorpusTable);
