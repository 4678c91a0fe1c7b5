// The outline as an icicle on its side: columns go deeper, heights are tokens, and the chunks stand beside it on the same
// scale. Beside the picture there is a list of the same sections. Only what is in view is in the DOM.

import { chunkHues } from "../shared/chunk_hues.js";
import { make, mounted } from "../shared/component.js";
import { counted } from "../shared/counted.js";
import { lastAtMost } from "../source_view/payload.js";
import { nearestStanding } from "../source_view/standing_out.js";
import { drawBeside } from "./chunk_scale.js";
import { inOrder, ReadingView } from "./common.js";
import { decoded, holdOutline, knownOutline, LEGIBLE, MOST_ZOOM } from "./outline.js";
import { linesOf, rowsOf, Tears } from "./tears.js";

const NARROW = 480; // pixels of width under which boxes hold no more than the beginnings of names
const ROW = 30;
const LEAST = 5; // pixels of height from which a section has an element of its own

class StructureView extends ReadingView {
  /** What Python sent last. @type {any} */
  data;
  /** Sections, their root among them. */
  size = 0;
  /** @type {string[]} */
  titles;
  /** Of each section: its level, the line it begins in, whether it has none below it. @type {Int32Array} */
  level;
  /** @type {Int32Array} */
  line;
  /** @type {Int32Array} */
  leaf;
  /** Of each section: the offset where it begins, and the tokens before it and up to its end. @type {Int32Array} */
  start;
  /** @type {Int32Array} */
  first;
  /** @type {Int32Array} */
  last;
  /** The level of the deepest section. */
  deepest = 0;
  /** All tokens. */
  total = 0;
  /** Pixels for a token at which a section's name can be read. */
  legible = 0;
  /** The chunks that stand out; null where all do. @type {Set<number> | null} */
  standing = null;
  /** Of each part of the document: its offset, the tokens before it, its chunk or -1. @type {Int32Array} */
  starts;
  /** @type {Int32Array} */
  at;
  /** @type {Int32Array} */
  chunk;
  /** Boxes too small for an element of their own: left, width, top, height. @type {number[][]} */
  tiny = [];

  constructor(parent) {
    super(parent, "structure", "Structure of the document");
    this.tears = new Tears(this);
    this.buildTools();
    this.canvas = make("canvas", "chunks", null, { "aria-hidden": "true" });
    this.inner = make("div", "inner", this.scroller, { role: "tree", "aria-label": "Sections" });
    this.inner.append(this.canvas);
    this.scroller.append(this.tears.list);
    this.elements = new Map();
    this.active = 0;
    this.zoom = 0; // pixels for a token; 0 fits the window
    this.listed = false;
    this.chosen = false; // whether somebody chose between boxes and list
    this.inner.addEventListener("click", (event) => this.click(event));
    this.scroller.addEventListener("keydown", (event) => this.keyDown(event));
  }

  buildTools() {
    const tools = make("div", "tools", this.bar);
    const button = (sign, words, act) => {
      const one = make("button", "barbtn", tools, { type: "button", "aria-label": words, title: words });
      one.textContent = sign;
      one.addEventListener("click", act);
      return one;
    };
    this.less = button("−", "Smaller (-)", () => this.zoomBy(1 / 1.6));
    this.more = button("+", "Larger (+)", () => this.zoomBy(1.6));
    this.whole = button("Fit", "All of it in view (0)", () => this.zoomBy(0));
    this.list = button("List", "As a list", () => {
      this.chosen = true;
      this.setListed(!this.listed);
    });
    this.list.setAttribute("aria-pressed", "false");
  }

  take(data) {
    const fresh = this.name !== data.name;
    this.name = data.name;
    if (data.boxes) holdOutline(data.name, data.boxes);
    const boxes = knownOutline(data.name);
    this.data = { ...data, selected: this.selectedNow(data.selected, fresh) };
    if (!boxes) return this.keep("has", ""); // it was sent to a tab that is gone: again, please
    if (data.boxes) this.keep("has", data.name);
    Object.assign(this, boxes);
    this.starts = decoded(data.starts);
    this.at = decoded(data.at);
    this.chunk = decoded(data.chunk);
    const standing = decoded(data.standing);
    this.standing = standing.length ? new Set(standing) : null;
    this.hues = chunkHues(this.starts.filter((_, part) => this.chunk[part] >= 0));
    if (fresh) [this.active, this.zoom, this.scroller.scrollTop] = [0, this.legible, 0];
    const wide = this.scroller.clientWidth;
    if (fresh && wide && !this.chosen) this.asList(wide < NARROW);
    const tokens = this.last[0] ?? 0;
    this.say(
      this.size > 1 ? "" : tokens ? "This document has no headings: it is one section." : "The document is empty.",
    );
    const more = data.leftOut ? `, ${counted(data.leftOut)} more are not shown` : "";
    const chunks = this.chunk.filter((number) => number >= 0).length;
    const only = data.only ? `${counted(standing.length)} of ${counted(chunks)} chunks ${data.only} · ` : "";
    this.count.textContent = `${only}${counted(this.size - 1)} ${this.size === 2 ? "section" : "sections"}${more} · ${data.approximate ? "≈" : ""}${counted(tokens)} tokens`;
    const held = this.inner.contains(/** @type {ShadowRoot} */ (this.root.getRootNode()).activeElement);
    const atWords = this.tears.hasKeyboard();
    this.tears.take(data.torn);
    for (const element of this.elements.values()) element.remove();
    this.elements.clear();
    this.resized();
    this.draw();
    if (atWords && this.tears.current >= 0) this.tears.focus();
    else if (held) (this.elements.get(this.active) ?? this.scroller).focus({ preventScroll: true });
  }

  get scale() {
    const fit = Math.max(0.0001, (this.scroller.clientHeight - 2) / Math.max(1, this.total));
    return Math.max(fit, this.zoom);
  }

  resized() {
    super.resized();
    if (!this.starts) return;
    this.inner.style.height = this.listed ? `${this.size * ROW}px` : `${Math.floor(this.total * this.scale)}px`;
    this.canvas.hidden = this.listed;
  }

  zoomBy(factor) {
    if (!this.starts || this.listed) return;
    const { scroller } = this;
    const middle = (scroller.scrollTop + scroller.clientHeight / 2) / this.scale;
    this.zoom = factor ? Math.min(MOST_ZOOM, this.scale * factor) : 0;
    this.resized();
    scroller.scrollTop = middle * this.scale - scroller.clientHeight / 2;
    this.draw();
  }

  /** @param {boolean} listed */
  setListed(listed) {
    this.asList(listed);
    for (const element of this.elements.values()) element.remove();
    this.elements.clear();
    this.resized();
    this.show(this.active);
    this.draw();
  }

  /** @param {boolean} listed */
  asList(listed) {
    this.listed = listed;
    this.list.setAttribute("aria-pressed", String(listed));
    for (const one of [this.less, this.more, this.whole]) one.disabled = listed;
    this.root.classList.toggle("listed", listed);
  }

  // ---- drawing

  draw() {
    if (!this.starts) return;
    if (!this.listed) this.resized();
    const { scroller, elements } = this;
    const focused = this.root.getRootNode().activeElement;
    const held = Boolean(focused?.dataset?.box) && this.inner.contains(focused);
    const wanted = this.listed ? this.rowsInView() : this.boxesInView();
    for (const [box, element] of elements) {
      if (wanted.has(box)) continue;
      element.remove();
      elements.delete(box);
    }
    for (const [box, place] of wanted) {
      const element = elements.get(box) ?? this.element(box);
      elements.set(box, element);
      element.style.cssText = place;
      element.tabIndex = box === this.active ? 0 : -1;
    }
    const ordered = [...elements.keys()].sort((one, other) => one - other).map((box) => elements.get(box));
    inOrder(this.inner, [this.canvas, ...ordered]);
    if (held && !focused.isConnected) scroller.focus({ preventScroll: true });
    if (!this.listed) drawBeside(this);
    this.tears.draw();
  }

  rowsInView() {
    const first = Math.max(0, Math.floor(this.scroller.scrollTop / ROW) - 4);
    const last = Math.min(this.size, Math.ceil((this.scroller.scrollTop + this.scroller.clientHeight) / ROW) + 4);
    const found = new Map();
    for (let box = first; box < last; box++)
      found.set(box, `top:${box * ROW}px;height:${ROW}px;padding-left:${10 + this.level[box] * 18}px`);
    return found;
  }

  boxesInView() {
    const { scale, scroller } = this;
    const top = scroller.scrollTop;
    const bottom = top + scroller.clientHeight;
    const wide = this.room();
    const column = wide / (this.deepest + 1);
    const found = new Map();
    this.tiny = [];
    for (let box = 0; box < this.size; box++) {
      const [from, to] = [this.first[box] * scale, this.last[box] * scale];
      if (to < top - 40 || from > bottom + 40) continue;
      const left = this.level[box] * column;
      const width = this.leaf[box] ? wide - left : column;
      if (to - from < LEAST && box !== this.active) {
        this.tiny.push([left, width - 1, from - top, to - from]);
        continue;
      }
      found.set(box, `left:${left}px;width:${width - 1}px;top:${from}px;height:${Math.max(2, to - from - 1)}px`);
    }
    return found;
  }

  /** Where the names in view are: left, top, right and bottom of each. */
  names() {
    return [...this.elements.values()].flatMap((element) => {
      const { offsetLeft: left, offsetTop: top, offsetHeight: height } = element;
      const words = /** @type {HTMLElement[]} */ ([...(element.querySelector(".head")?.children ?? [])]);
      const widths = words.flatMap((line) => rowsOf(line.offsetWidth, line.offsetHeight));
      return linesOf({ left, top, height, widths }, this.scroller.scrollTop);
    });
  }

  room() {
    return Math.max(80, this.scroller.clientWidth - this.chunkColumn() - 6);
  }

  chunkColumn() {
    return this.scroller.clientWidth < 520 ? 54 : 92;
  }

  element(box) {
    const [from, to] = this.cutsIn(box);
    const tokens = this.last[box] - this.first[box];
    const cuts = this.inside(box);
    const about = this.data.approximate ? "about " : "";
    const chunks = `${counted(to - from)} ${to - from === 1 ? "chunk" : "chunks"}`;
    const torn = this.tears.inside(this.first[box], this.last[box]);
    const tears = torn ? `, ${counted(torn)} ${torn === 1 ? "boundary cuts" : "boundaries cut"} a block in two` : "";
    const name = `${this.titles[box] || "Untitled"}, ${about}${counted(tokens)} tokens, ${chunks}${tears}, line ${counted(this.line[box])}`;
    const element = make("div", this.listed ? "row" : `box d${this.level[box] % 4}`, null, {
      role: "treeitem",
      "aria-level": this.level[box] + 1,
      "aria-label": name,
      title: name,
      "data-box": box,
    });
    const height = tokens * this.scale;
    const head = this.listed ? element : make("div", "head", element);
    if (this.listed || height >= LEGIBLE || box === this.active)
      make("span", height >= 3 * LEGIBLE ? "name two" : "name", head).textContent = this.titles[box] || "Untitled";
    if (this.listed) {
      make("span", "rip", element).textContent = torn ? `✂ ${counted(torn)}` : "";
      make("span", "tok", element).textContent = `${about ? "≈" : ""}${counted(tokens)} tok`;
      make("span", "of", element).textContent = chunks;
      make("span", "of", element).textContent = cuts ? `${counted(cuts)} ${cuts === 1 ? "cut" : "cuts"} inside` : "";
    } else if (height >= 2 * LEGIBLE + 4) {
      make("span", "of", head).textContent = `${about ? "≈" : ""}${counted(tokens)} tok · ${chunks}`;
    }
    return element;
  }

  /** Numbers of the first and past the last chunk that have text of this section. */
  cutsIn(box) {
    const first = this.chunkBefore(lastAtMost(this.at, this.first[box]));
    const last = this.chunkBefore(lastAtMost(this.at, this.last[box] - 1));
    return [first, Math.max(first, last + 1)];
  }

  chunkBefore(part) {
    let at = part;
    while (at >= 0 && this.chunk[at] < 0) at -= 1;
    return at < 0 ? 0 : this.chunk[at];
  }

  inside(box) {
    return Math.max(0, lastAtMost(this.at, this.last[box] - 1) - lastAtMost(this.at, this.first[box]));
  }

  // ---- choosing

  click(event) {
    const element = event.target.closest("[data-box]");
    if (element) return this.choose(Number(element.dataset.box));
    const box = this.scroller.getBoundingClientRect();
    if (this.listed || event.clientX - box.left < this.scroller.clientWidth - this.chunkColumn()) return;
    const part = lastAtMost(this.at, (event.clientY - box.top + this.scroller.scrollTop) / this.scale);
    if (part >= 0) this.trigger("selected", this.starts[part]);
  }

  choose(box) {
    this.active = box;
    this.trigger("selected", this.start[box]);
  }

  /** A click by key on the section that has the keyboard: it goes on in the source (arrivals_by_key.js). */
  press() {
    const element = this.elements.get(this.active);
    if (!element) return this.choose(this.active);
    element.focus({ preventScroll: true });
    element.click();
  }

  keyDown(event) {
    if (event.ctrlKey || event.metaKey || event.altKey || !this.starts) return;
    if (event.target.matches(".tears button") && ["Enter", " "].includes(event.key)) return; // a press of that button
    const act = {
      ArrowDown: () => this.goTo(this.active + 1),
      ArrowUp: () => this.goTo(this.active - 1),
      ArrowRight: () => this.goTo(this.leaf[this.active] ? this.active : this.active + 1),
      ArrowLeft: () => this.goTo(this.parentOf(this.active)),
      Home: () => this.goTo(0),
      End: () => this.goTo(this.size - 1),
      Enter: () => this.press(),
      " ": () => this.press(),
      "+": () => this.zoomBy(1.6),
      "-": () => this.zoomBy(1 / 1.6),
      j: () => this.stepChunk(1),
      k: () => this.stepChunk(-1),
      t: () => this.tears.step(1, true),
      T: () => this.tears.step(-1, true),
      0: () => this.zoomBy(0),
    }[event.key];
    if (!act) return;
    event.preventDefault();
    event.stopPropagation();
    act();
  }

  /** To the next chunk, or the one before, of those that stand out: it is chosen, and this view stays. */
  stepChunk(step) {
    const { data, scroller, scale } = this;
    const chunks = this.chunk.reduce((count, number) => Math.max(count, number + 1), 0);
    if (!chunks) return;
    const top = this.chunkBefore(lastAtMost(this.at, scroller.scrollTop / scale)) - (step > 0 ? 1 : 0);
    const from = data.selected >= 0 ? data.selected : this.listed ? -1 : top;
    const standing = Int32Array.from(this.standing ?? []);
    data.selected = nearestStanding({ standing, chunks }, from + step, step);
    const part = this.chunk.indexOf(data.selected);
    const next = part + 1 < this.at.length ? this.at[part + 1] : this.total;
    if (this.listed) this.show(Math.max(0, lastAtMost(this.first, this.at[part])));
    else this.bring(this.at[part] * scale, next * scale);
    this.draw();
    this.stepTo(data.selected, this.starts[part]);
  }

  parentOf(box) {
    let at = box;
    while (at > 0 && this.level[at] >= this.level[box]) at -= 1;
    return at;
  }

  goTo(box) {
    const before = this.active;
    this.active = Math.min(this.size - 1, Math.max(0, box));
    for (const one of [before, this.active]) {
      this.elements.get(one)?.remove();
      this.elements.delete(one); // its name may have to be written, or not any more
    }
    this.show(this.active);
    this.draw();
    this.elements.get(this.active)?.focus({ preventScroll: true });
  }

  show(box) {
    if (this.listed) this.bring(box * ROW, (box + 1) * ROW);
    else this.bring(this.first[box] * this.scale, this.last[box] * this.scale);
  }

  /** Scrolls to a stretch of the picture, if it is not in view. */
  bring(top, bottom) {
    const { scroller } = this;
    if (top < scroller.scrollTop) scroller.scrollTop = top - 8;
    else if (Math.min(bottom, top + 60) > scroller.scrollTop + scroller.clientHeight)
      scroller.scrollTop = Math.min(bottom, top + 60) - scroller.clientHeight + 8;
  }
}

export default mounted(StructureView);
