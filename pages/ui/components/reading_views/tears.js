// Boundaries that tear a table, code or a list, across the sections of the structure: with the edge and the words that they
// have in the source, and the way from one to the next.

import { make } from "../shared/component.js";
import { counted } from "../shared/counted.js";
import { lastAtMost } from "../source_view/payload.js";
import { blocksCut, nextTorn, noFurther, TornWalk, tornEnd, tornWords } from "../source_view/torn.js";
import { inOrder } from "./common.js";
import { NONE, tornColumns } from "./near_tears.js";

const EDGES_APART = 12; // pixels from which each has an edge of its own
const EDGE = 8; // pixels from the edges of the sections to words
const WORDS_APART = 44; // and its words
const BELOW = 7; // pixels from an edge to its words, which are
const HIGH = 24; // pixels high
const BRIEF = 30; // pixels wide, without words
const NAME = 15; // pixels that a line of a section's name is high
const FEW = 96; // pixels from which some of the words can be read

/** The part of the document that begins at each torn boundary.
 * @param {Int32Array} torn numbers of chunks
 * @param {Int32Array} chunk of each part, its chunk or -1 */
export function partsAfter(torn, chunk) {
  let part = 0;
  return torn.map((number) => {
    while (part < chunk.length && chunk[part] < number) part += 1;
    return part + 1;
  });
}

/** How the torn boundaries in view are drawn: those with an edge, and how many more the words of one stand for; -1 where
 * it has none.
 * @param {Int32Array} places
 * @param {number} scale pixels for a token
 * @param {number} from pixels
 * @param {number} to pixels
 * @param {number} current has both, in place of what is just above it */
export function edgesInView(places, scale, from, to, current) {
  const edges = new Map();
  let [edge, words, speaks] = [-Infinity, -Infinity, -1];
  for (let index = lastAtMost(places, from / scale) + 1; index < places.length; index++) {
    const top = places[index] * scale;
    if (top > to) break;
    const close = top - words < WORDS_APART;
    if (!close || index === current) {
      edges.set(index, close ? edges.get(speaks) + 1 : 0);
      if (close) edges.set(speaks, -1);
      [edge, words, speaks] = [top, top, index];
      continue;
    }
    edges.set(speaks, edges.get(speaks) + 1);
    if (top - edge < EDGES_APART) continue;
    edges.set(index, -1);
    edge = top;
  }
  return edges;
}

/** Where the lines of a section's name are: left, top, right and bottom of each. They stay in view as long as the section is.
 * @param {{left: number, top: number, height: number, widths: number[]}} box the section's, with how wide its lines are
 * @param {number} inView the top of what is in view
 * @returns {number[][]} */
export function linesOf({ left, top, height, widths }, inView) {
  const lowest = top + Math.max(0, height - NAME * widths.length);
  const first = Math.min(Math.max(top, inView), lowest);
  return widths.map((width, row) => [left, first + row * NAME, left + width, first + (row + 1) * NAME]);
}

/** The width of each row of words that wrap.
 * @param {number} width
 * @param {number} height */
export function rowsOf(width, height) {
  return Array.from({ length: Math.max(1, Math.round(height / NAME)) }, () => width);
}

/** Where the words of an edge cover no name: at the right or the left, below the edge or above it; where there is no such
 * place, as much of them as there is room for at the left, or the scissors alone.
 * @param {{top: number, wide: number, words: boolean}} edge what is at hand, and whether it has its words in any case
 * @param {{left: number, right: number, bottom: number}} room
 * @param {number[][]} taken left, top, right and bottom of each name */
export function placeOfWords({ top, wide, words }, room, taken) {
  const rows = [false, true]
    .map((up) => ({ up, from: up ? top - HIGH : top + BELOW }))
    .filter(({ from }) => from >= 0 && from + HIGH <= room.bottom);
  const tried = [];
  const fits = (row, side, width) => {
    const left = side === "right" ? room.right - width : room.left;
    const box = [left, row.from, left + width, row.from + HIGH];
    tried.push({ side, up: row.up, width, box });
    return left >= room.left && box[2] <= room.right && !taken.some((name) => overlap(name, box));
  };
  for (const side of ["right", "left"]) for (const row of rows) if (fits(row, side, wide)) return tried.at(-1);
  if (words) return tried[0];
  for (const row of rows) {
    const beside = taken.filter((name) => name[1] < row.from + HIGH && row.from < name[3]);
    const width = Math.min(wide, room.right - room.left, ...beside.map((name) => name[0] - room.left - 4));
    if (width >= FEW && fits(row, "left", width)) return tried.at(-1);
  }
  for (const side of ["right", "left"]) for (const row of rows) if (fits(row, side, BRIEF)) return tried.at(-1);
  return tried.at(-1);
}

function overlap(one, other) {
  return one[0] < other[2] && other[0] < one[2] && one[1] < other[3] && other[1] < one[3];
}

export class Tears {
  run = NONE;
  /** Of each: the part that begins there, and the tokens before it. */
  parts = new Int32Array();
  places = new Int32Array();
  /** The one that was last gone to; -1 before. */
  current = -1;

  /** @param {any} view */
  constructor(view) {
    this.view = view;
    this.walk = new TornWalk(view.bar, (step) => this.step(step));
    this.list = make("ul", "tears", view.scroller, { "aria-label": "Boundaries that cut a block in two" });
    this.list.addEventListener("click", (event) => {
      const item = event.target.closest("[data-tear]");
      if (item) this.open(Number(item.dataset.tear));
    });
    this.elements = new Map();
  }

  /** @param {Record<string, string>} columns */
  take(columns) {
    const { view } = this;
    const chunk = this.hasKeyboard() ? this.run.torn[this.current] : -1;
    this.run = tornColumns(columns);
    this.parts = partsAfter(this.run.torn, view.chunk);
    this.places = this.parts.map((part) => view.at[part]);
    this.current = chunk < 0 ? -1 : this.run.torn.indexOf(chunk);
    this.walk.show(blocksCut(this.run), this.run.torn.length);
    this.clear();
  }

  /** Whether the words of the one that was gone to have the keyboard. */
  hasKeyboard() {
    const words = this.elements.get(this.current)?.lastChild;
    return Boolean(words) && words === this.list.getRootNode().activeElement;
  }

  clear() {
    for (const element of this.elements.values()) element.remove();
    this.elements.clear();
  }

  /** Whether a part of the document begins at one. */
  beginsAt(part) {
    return this.parts[lastAtMost(this.parts, part)] === part;
  }

  /** How many are inside a section. */
  inside(first, last) {
    return Math.max(0, lastAtMost(this.places, last - 1) - lastAtMost(this.places, first));
  }

  draw() {
    const { view, elements } = this;
    const { scale, scroller, listed } = view;
    this.list.hidden = listed || !this.places.length;
    if (this.list.hidden) return;
    const top = scroller.scrollTop;
    const edges = edgesInView(this.places, scale, top - 40, top + scroller.clientHeight + 40, this.current);
    for (const [index, element] of elements) {
      if (edges.has(index)) continue;
      element.remove();
      elements.delete(index);
    }
    for (const [index, more] of edges) {
      const element = elements.get(index) ?? this.element(index);
      elements.set(index, element);
      this.write(element, index, more);
      element.style.top = `${this.places[index] * scale}px`;
    }
    inOrder(
      this.list,
      [...edges.keys()].map((index) => elements.get(index)),
    );
    this.placeWords(edges);
  }

  placeWords(edges) {
    const { view } = this;
    const room = { left: EDGE, right: view.room() - EDGE, bottom: view.total * view.scale };
    const taken = view.names();
    for (const [index, more] of edges) {
      if (more < 0) continue;
      const item = this.elements.get(index);
      const words = index === this.current;
      item.wide ??= item.lastChild.scrollWidth + 2;
      const place = placeOfWords({ top: this.places[index] * view.scale, wide: item.wide, words }, room, taken);
      if (!place) continue;
      taken.push(place.box);
      item.classList.toggle("left", place.side === "left");
      item.classList.toggle("up", place.up);
      item.classList.toggle("brief", place.width === BRIEF);
      item.lastChild.style.maxWidth = place.width < item.wide ? `${place.width}px` : "";
    }
  }

  element(index) {
    const item = make("li", "", null, { "data-tear": index });
    make("i", "tear", item, { "aria-hidden": "true" });
    const button = make("button", "", item, { type: "button", tabindex: "-1" });
    make("span", "", button).textContent = "✂";
    make("span", "what", button);
    return item;
  }

  write(item, index, more) {
    const button = item.lastChild;
    const chunk = this.run.torn[index];
    const what = ` ${tornWords(this.run, index)}${more > 0 ? ` · +${counted(more)} more` : ""}`;
    const words = `✂${what}`;
    if (button.textContent !== words) {
      button.lastChild.textContent = what;
      button.title = words;
      button.style.maxWidth = "";
      item.wide = undefined;
      item.classList.remove("brief");
      button.setAttribute("aria-label", `${words}. Between chunk ${counted(chunk + 1)} and what follows.`);
    }
    button.hidden = more < 0;
    item.classList.toggle("sel", index === this.current);
    item.style.paddingRight = `${this.view.chunkColumn() + EDGE}px`;
  }

  /** To the next one, or the one before: the keyboard goes to its words where it is in the picture. */
  step(step, focus = false) {
    const { view, run } = this;
    const from = this.current >= 0 ? run.torn[this.current] : view.data.selected - (step > 0 ? 1 : 0);
    const index = nextTorn(run.torn, from, step);
    if (index < 0) return view.flash(noFurther(run.torn.length, step));
    this.current = index;
    if (view.listed) return view.goTo(Math.max(0, lastAtMost(view.first, this.places[index] - 1)));
    const { scroller } = view;
    scroller.scrollTop = this.places[index] * view.scale - scroller.clientHeight / 2;
    view.draw();
    if (focus) this.focus();
    else view.flash(tornEnd(run, index));
  }

  focus() {
    this.elements.get(this.current)?.lastChild.focus({ preventScroll: true });
  }

  /** On to the source, just before the boundary. */
  open(index) {
    this.view.trigger("selected", this.view.starts[this.parts[index]] - 1);
  }
}
