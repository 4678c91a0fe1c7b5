// The numbers of a run beside the baseline's. During a drag the rail says what they are
// (threshold_rail/external_updates.js), and what comes from Python meanwhile is of an earlier move:
// it waits until Python has caught up, as the boundary view does (source_view/drag_updates.js).

import { make, mounted } from "../shared/component.js";
import { Meanings } from "./meanings.js";

/**
 * @typedef {{title: string, now: string, was: string, verdict: string, hint: string, leads: string}} Figure
 * @typedef {{figures: Figure[], also: [string, string][], document: string, run: string}} Figures
 */

class NumberStrip {
  /** What Python said last. @type {Figures | undefined} */
  data;
  /** Whether a drag has brought more since. */
  ahead = false;
  /** What each cell shows, to write only what changes. @type {Figure[]} */
  shown = [];
  /** @type {HTMLElement | undefined} */
  strip;
  /** How wide each cell has to be, once one had too little room. @type {number[]} */
  needs = [];
  /** The same with all words of each cell in one line. @type {number[]} */
  wholeNeeds = [];
  /** What Python is told once. @type {(name: string, value: unknown) => void} */
  trigger = () => {};

  constructor(parent) {
    this.root = make("div", "cs-numbered", parent);
    this.meanings = new Meanings(this.root);
    this.root.addEventListener("click", (event) => this.click(event));
    /** @type {Record<string, (event: any) => void>} */
    this.listeners = {
      "chunkscope:figures": ({ detail }) => this.moved(detail),
      "chunkscope:settled": ({ detail }) => this.settled(detail.run),
    };
    for (const [name, listener] of Object.entries(this.listeners)) document.addEventListener(name, listener);
    this.sized = new ResizeObserver(() => this.fit());
    this.sized.observe(this.root);
  }

  /** @param {{data: Figures | undefined, setTriggerValue: (name: string, value: unknown) => void}} component */
  receive({ data, setTriggerValue }) {
    this.trigger = setTriggerValue;
    if (!data || data === this.data) return;
    const before = this.data;
    // Another document has nothing to do with the drag.
    if (data.document !== before?.document) {
      this.ahead = false;
      this.needs = [];
      this.wholeNeeds = [];
      this.strip?.style.removeProperty("--cs-columns");
    }
    this.data = data;
    if (this.ahead) return;
    const seen = this.root.dataset.run === data.run; // a drag has shown it
    this.meanings.show(meaningsOf(data));
    this.show(data.figures, data.run);
    const [was, known] = [data, before].map((each) => each?.figures.map((figure) => figure.was).join("\n"));
    if (data.document !== before?.document || was !== known || !seen) this.fit();
  }

  /** Shares the strip out by what its cells say, where one is too narrow: for another document, baseline or run, and when
   * a drag has ended, during which nothing may move. A document's cells grow only. In a wide window all words of a cell are
   * in one line, where that leaves the others enough. Where all are too narrow, a verdict shows its arrow alone. */
  fit() {
    if (!this.strip || this.ahead) return;
    const cells = /** @type {HTMLElement[]} */ ([...this.strip.children]);
    const inOneRow = cells.every((cell) => cell.offsetTop === cells[0].offsetTop);
    const whole = this.holdsAllInOneLine(cells);
    this.strip.classList.toggle("whole", whole);
    const before = whole ? this.wholeNeeds : this.needs;
    const needs = cells.map((cell, index) => Math.max(before[index] ?? 0, widthOf(cell)));
    const tight = inOneRow && sum(needs) > this.strip.clientWidth;
    this.strip.classList.toggle("tight", tight);
    if (!tight && !cells.some((cell, index) => needs[index] > cell.offsetWidth)) return;
    if (!whole) this.needs = needs;
    const shares = tight ? cells.map((cell, index) => needs[index] - spared(cell)) : needs;
    this.strip.style.setProperty(
      "--cs-columns",
      shares
        .map((share, index) => (whole && inOneLine(cells[index]) ? `${share}px` : `minmax(0, ${share}fr)`))
        .join(" "),
    );
  }

  /** @param {HTMLElement[]} cells */
  holdsAllInOneLine(cells) {
    const least = cells.map(inOneLine);
    if (!this.strip || !sum(least)) return false;
    this.strip.classList.add("whole");
    const known = this.wholeNeeds;
    this.wholeNeeds = cells.map((cell, index) => Math.max(known[index] ?? 0, least[index], widthOf(cell)));
    return sum(this.wholeNeeds) <= this.strip.clientWidth;
  }

  /** What each number is now, and its verdict.
   * @param {{figures: [string, string][], run: string}} said */
  moved({ figures, run }) {
    if (!this.data || figures.length !== this.data.figures.length) return;
    this.ahead = true;
    this.show(
      this.data.figures.map((figure, index) => ({ ...figure, now: figures[index][0], verdict: figures[index][1] })),
      run,
    );
  }

  /** Python has run with the last move, and its run has this name; "" where the last move was never answered. */
  settled(run) {
    if (!this.ahead || !this.data) return;
    this.ahead = false;
    // Its numbers may still be on their way: what is on screen stays until they come.
    if (!run || this.data.run === run) this.show(this.data.figures, this.data.run);
    this.fit();
  }

  /** The title of a number leads to what it counts, where there is any. */
  click(event) {
    if (!event.target.closest?.(".cs-lead")) return;
    const cell = [...(this.strip?.children ?? [])].find((each) => each.contains(event.target));
    if (cell?.querySelector("b")?.textContent !== "0") this.trigger("led", cell?.querySelector("dt")?.textContent);
  }

  /** @param {Figure[]} figures
   * @param {string} run */
  show(figures, run) {
    const strip = (this.strip ??= this.root.insertBefore(make("dl", "cs-strip", null), this.root.firstChild));
    this.root.dataset.run = run;
    while (strip.children.length > figures.length) strip.lastChild?.remove();
    while (strip.children.length < figures.length) make("div", "", strip);
    figures.forEach((figure, index) => {
      const cell = /** @type {HTMLElement} */ (strip.children[index]);
      paint(cell, figure, this.shown[index]);
    });
    this.shown = figures;
  }

  destroy() {
    this.sized.disconnect();
    for (const [name, listener] of Object.entries(this.listeners)) document.removeEventListener(name, listener);
    this.root.remove();
  }
}

/** @param {Figures} data
 * @returns {[string, string][]} */
function meaningsOf({ figures, also }) {
  const said = /** @type {[string, string][]} */ (figures.map(({ title, hint }) => [title, hint]));
  return [...also, ...said].filter(([, words]) => words);
}

/** The width that a cell takes with all of its words in one line, as in wide windows.
 * @param {HTMLElement} cell */
function widthOf(cell) {
  const [title, said] = /** @type {HTMLElement[]} */ ([...cell.children]);
  const { columnGap, flexWrap } = getComputedStyle(said);
  const inOne = (/** @type {Element[]} */ words) => {
    const widths = words.map(wordsWidth).filter((width) => width > 0);
    return sum(widths) + (widths.length - 1) * Number.parseFloat(columnGap);
  };
  const [number, ...beside] = said.children;
  const widest = flexWrap === "wrap" ? Math.max(ownWidth(number), inOne(beside)) : inOne([number, ...beside]);
  const { paddingLeft, paddingRight } = getComputedStyle(cell);
  const around = Number.parseFloat(paddingLeft) + Number.parseFloat(paddingRight) + 1;
  return Math.ceil(Math.max(wordsWidth(title), widest) + around);
}

/** The width of a cell in which what comes and goes in a drag is in one line too; 0 where that may take two (style.css).
 * @param {HTMLElement} cell */
function inOneLine(cell) {
  return Number.parseFloat(getComputedStyle(cell).getPropertyValue("--cs-one-line")) || 0;
}

/** What a cell needs less where its verdict shows no word.
 * @param {HTMLElement} cell */
function spared(cell) {
  const words = cell.querySelector(".cs-better, .cs-worse");
  return words ? Math.max(0, wordsWidth(words) - words.getBoundingClientRect().width) : 0;
}

/** @param {number[]} widths */
function sum(widths) {
  return widths.reduce((one, other) => one + other, 0);
}

/** Also of words that are cut off; a number has the room that it keeps, and a verdict its arrow.
 * @param {Element} element */
function wordsWidth(element) {
  const words = ownWidth(element);
  return element.matches("dt, .cs-was") ? words : Math.max(words, element.getBoundingClientRect().width);
}

/** @param {Element} element */
function ownWidth(element) {
  const range = document.createRange();
  range.selectNodeContents(element);
  return range.getBoundingClientRect().width;
}

/** A figure as markup.py writes it too, and what is hidden as long as it says nothing. A drag changes numbers and verdicts
 * alone, many times a second: the rest stays.
 * @param {HTMLElement} cell
 * @param {Figure} figure
 * @param {Figure | undefined} before what the cell shows */
function paint(cell, figure, before) {
  const { title, now, was, verdict, hint, leads } = figure;
  if (title !== before?.title || was !== before.was || hint !== before.hint || leads !== before.leads) {
    cell.title = hint;
    cell.replaceChildren();
    const named = make("dt", "", cell);
    if (leads) make("button", "cs-lead", named, { type: "button", "aria-description": leads }).textContent = title;
    else named.textContent = title;
    const said = make("dd", "", cell);
    const number = make("b", "", said);
    number.append("");
    make("small", "", number, { hidden: "" }).append("");
    if (was) make("span", "cs-was", said).textContent = `baseline ${was}`;
    make("span", "", said, { hidden: "" }).append("");
    before = undefined;
  }
  const said = /** @type {HTMLElement} */ (cell.lastElementChild);
  if (now !== before?.now) writeNumber(said.firstElementChild, now);
  if (verdict === (before?.verdict ?? "")) return;
  const word = /** @type {HTMLElement} */ (said.lastElementChild);
  word.className = verdict ? `cs-${verdict}` : "";
  word.hidden = !verdict;
  write(word, verdict);
}

/** A figure with what is said beside it smaller, which leaves the baseline less room (style.css). */
function writeNumber(element, now) {
  const ends = now.search(/, | \(| by /);
  const [number, more] = ends < 0 ? [now, ""] : [now.slice(0, ends), now.slice(ends)];
  write(element, number);
  element.lastElementChild.hidden = !more;
  element.classList.toggle("cs-explained", Boolean(more));
  write(element.lastElementChild, more);
}

/** New words in the text node that is there: an element or a node that comes or goes would have the styles of the whole
 * page worked out again, for `:has()`.
 * @param {Element} element
 * @param {string} words */
function write(element, words) {
  const text = /** @type {Text} */ (element.firstChild);
  if (text.data !== words) text.data = words;
}

export default mounted(NumberStrip);
