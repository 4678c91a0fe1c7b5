// The boundary view: text once, bands again and again. One instance per mounted component, kept across re-runs.

import { hasSheet, showSelected } from "../phone_sheet/sheet.js";
import { offers } from "../shared/commands.js";
import { isSeen, make, mounted, takesSkips } from "../shared/component.js";
import { focused } from "../shared/focused.js";
import { hearsPageKeys } from "../shared/page_keys.js";
import { asToolbar } from "../shared/toolbar.js";
import { read } from "./arrivals.js";
import { shapeAt } from "./bands.js";
import { BoundaryDrag } from "./boundary_drag.js";
import { ChangedElsewhere } from "./changed_elsewhere.js";
import { selectedStretch, selectionIn } from "./clipboard.js";
import { coloursOf, iconButton, themeOf } from "./dom.js";
import { Following } from "./drag_updates.js";
import { Echoes } from "./echoes.js";
import { helpSheet } from "./help.js";
import { actionOf, commandsOf, GOES, helpKey, isFull, keepFocus, ON_PAGE, scrolls, setFull, stepTorn } from "./keys.js";
import { endSentence } from "./labels.js";
import { explainMark } from "./marks.js";
import { MarksKey } from "./marks_key.js";
import { Movement } from "./movement.js";
import { drawnAt, keepsOverSheet, showOverSheet } from "./over_sheet.js";
import { offsetAt } from "./overview_scale.js";
import { breadcrumb, paint, paintFrame } from "./painting.js";
import { lastAtMost } from "./payload.js";
import { join, lead, takeAlong } from "./scroll_sync.js";
import { Search } from "./search.js";
import { Selecting } from "./selection.js";
import { Standing } from "./standing_out.js";
import { Tip } from "./tooltip.js";
import { TornWalk } from "./torn.js";
import { Pages } from "./virtual_pages.js";

const ROW = 20;
const READ = 12_000; // milliseconds in which a sentence or two are read

class SourceView {
  /** What is drawn; null until the first run has come. */
  run = /** @type {import("./payload.js").Run} */ (/** @type {unknown} */ (null));
  /** A run whose text has not come. @type {import("./payload.js").Run} */
  waiting;
  /** Looks for a text that has not come. @type {ReturnType<typeof setTimeout> | number} */
  timer = 0;
  /** @type {Search} */
  search;
  /** @type {Standing} */
  standing;
  /** @type {Pages} */
  pages;
  /** @type {{all: any[], name: string}} */
  marks;
  /** @type {Tip} */
  tip;
  /** @type {Selecting} */
  selecting;
  /** @type {BoundaryDrag} */
  moving;
  /** @type {Movement} */
  movement;
  /** @type {TornWalk} */
  tornWalk;
  /** @type {Following} */
  following;
  /** @type {ChangedElsewhere} */
  elsewhere;
  /** @type {HTMLElement} */
  root;
  /** Whether a first visit has opened the text, which the sheet lies over. */
  opened = false;
  /** @type {HTMLElement} */
  scroller;
  /** @type {HTMLElement} */
  note;
  /** @type {HTMLElement} */
  crumb;
  /** @type {HTMLElement} */
  count;
  /** @type {HTMLElement} */
  wasKey;
  /** @type {HTMLElement} */
  list;
  /** @type {HTMLCanvasElement} */
  map;
  /** @type {HTMLCanvasElement} */
  ticks;
  /** @type {ResizeObserver} */
  sizes;
  /** @type {ReturnType<typeof coloursOf>} */
  colours;
  /** @type {string | undefined} */
  theme;
  /** Whether the tip tells of a mark. */
  markTipped = false;
  /** Whether a chunk is to be copied once Python has sent what it is copied with. */
  copying = false;
  /** @type {number | undefined} */
  settle;
  /** The offset that somebody went to last; -1 once they have scrolled away from it. */
  place = -1;
  /** Whether the chosen chunk was left for the start or the end of the document. */
  left = false;
  /** The place that was last brought into view, wherever one has scrolled since. */
  brought = -1;

  constructor(parent) {
    this.selected = -1;
    this.echoes = new Echoes();
    this.runs = 0;
    this.document = null;
    this.frame = 0;
    this.build(parent);
    this.listen();
    this.noSkips = takesSkips(() => this.scroller);
    this.noGrowth = keepsOverSheet(this);
    this.noKeys = hearsPageKeys(ON_PAGE, (event) => this.pageKey(event));
    this.noCommands = offers((typed) => (this.run && isSeen(this.root) ? commandsOf(this, typed) : []));
  }

  build(parent) {
    const root = (this.root = make("section", "cs", parent, { "aria-label": "Source with chunk boundaries" }));
    const bar = make("header", "bar", root);
    this.crumb = make("span", "crumb", bar);
    this.tornWalk = new TornWalk(bar, (step) => stepTorn(this, step));
    this.count = make("span", "count", bar, { title: "The chunks of which something is in view" });
    /** What it says. */
    this.placed = "";
    this.standing = new Standing(bar);
    const tools = make("div", "tools", bar, { "aria-label": "Source tools" });
    const search = iconButton(tools, "search", "Search (/)", () => this.search.open());
    this.fullButton = iconButton(tools, "full", "Full screen (f)", () => setFull(this, !isFull(this)));
    this.legend = helpSheet(tools);
    asToolbar(tools, [search, this.fullButton, /** @type {HTMLElement} */ (this.legend.firstElementChild)]);
    const body = (this.body = make("div", "body", root));
    this.scroller = make("div", "scroll", body, { tabindex: "0", role: "region", "aria-label": "Source text" });
    this.content = make("div", "content", this.scroller);
    this.list = make("ol", "labels", this.content, { role: "list", "aria-label": "Boundaries near the view" });
    this.map = make("canvas", "map", body, {
      role: "img",
      "aria-label": "Overview of the document: click or drag to jump",
    });
    this.ticks = make("canvas", "ticks", body, { "aria-hidden": "true" });
    this.note = make("p", "note", body, { role: "status" });
    this.marksKey = new MarksKey(root);
    this.elsewhere = new ChangedElsewhere(this, this.marksKey.line);
    this.tip = new Tip(root, this.scroller);
    this.pages = new Pages(this.scroller, this.content);
    this.marks = { all: [], name: "" };
    this.selecting = new Selecting(this);
    this.moving = new BoundaryDrag(this);
    this.movement = new Movement(this);
    this.search = new Search(this);
  }

  listen() {
    this.scroller.addEventListener("scroll", () => this.soon(), { passive: true });
    this.scroller.addEventListener("wheel", () => this.leave(), { passive: true });
    this.scroller.addEventListener("click", (event) => this.click(event));
    this.scroller.addEventListener("keydown", (event) => this.keyDown(event));
    this.legend.addEventListener("keydown", (event) => helpKey(this, event));
    this.root.addEventListener("focusout", (event) => keepFocus(this, event));
    this.scroller.addEventListener("copy", (event) => this.copy(event));
    for (const name of ["pointerover", "focusin"]) this.list.addEventListener(name, (event) => this.explain(event));
    this.scroller.addEventListener("pointermove", (event) => explainMark(this, event), { passive: true });
    this.scroller.addEventListener("pointerleave", () => this.markTipped && explainMark(this, null));
    for (const name of ["pointerout", "focusout"]) this.list.addEventListener(name, () => this.tip.hide());
    this.map.addEventListener("pointerdown", (event) => {
      this.map.setPointerCapture(event.pointerId);
      this.jump(event);
    });
    this.map.addEventListener("pointermove", (event) => {
      if (this.map.hasPointerCapture(event.pointerId)) this.jump(event);
    });
    for (const name of ["pointerenter", "pointerdown", "focusin", "wheel"]) {
      this.root.addEventListener(name, () => lead(this), { passive: true });
    }
    this.sizes = new ResizeObserver(() => this.resized());
    this.sizes.observe(this.scroller);
    this.following = new Following(this);
  }

  // ---- what arrives from Python

  receive({ data, setTriggerValue }) {
    this.trigger = setTriggerValue;
    const theme = themeOf(this.root);
    if (theme !== this.theme) [this.theme, this.colours] = [theme, coloursOf(this.root)];
    if (!data || data === this.data) return this.soon();
    this.data = data;
    read(this, data);
  }

  say(words) {
    this.note.textContent = words;
    this.note.hidden = !words;
  }

  // ---- painting

  soon() {
    if (!this.frame) this.frame = requestAnimationFrame(() => this.update());
  }

  /** Soon, and all of it: what is found or marked has changed. */
  soonPaint() {
    this.unpainted = true;
    this.soon();
  }

  update() {
    this.frame = 0;
    if (!this.run || !this.document) return;
    if (this.pages.fill() || this.unpainted) paint(this);
    else paintFrame(this, this.window());
    this.tip.place();
    this.moving.show();
    this.selecting.place();
    takeAlong(this);
  }

  resized() {
    if (!this.document) return;
    this.pages.refit();
    this.pages.fill();
    this.moving.show();
    paint(this);
  }

  /** The stretch of source between the top and the bottom of the viewport, and the size of the overview. */
  window() {
    const { pages, scroller } = this;
    const from = pages.anchor().offset;
    const bottom = scroller.scrollTop + scroller.clientHeight;
    const last = pages.live.get(pages.pageAtTop(bottom));
    const line = last ? last.first + lastAtMost(pages.rowTops(last), bottom - pages.tops[last.number]) : 0;
    const size = { clientWidth: this.map.clientWidth, clientHeight: this.map.clientHeight };
    return { from, to: Math.max(from + 1, pages.lineStart(line + 1)), size };
  }

  // ---- choosing

  /** @param {number} [place] where in the chunk somebody went
   * @param {number} [y] where somebody tapped, in the pixels of the content */
  select(chunk, place, y) {
    if (!this.run || chunk < 0 || chunk >= this.run.chunks) return;
    this.elsewhere.forget();
    this.point(chunk);
    this.place = place ?? this.run.start[chunk];
    this.echoes.tell(this.run.together ? this.run.start[chunk] : chunk); // Python's echo must not scroll back to it
    const starts = this.run.point ?? this.run.start;
    this.trigger("selected", starts[chunk]);
    showSelected();
    if (hasSheet()) this.tip.hide(); // the sheet says it, and the tip would lie over the boundary
    if (isFull(this)) this.flash(endSentence(this.run, chunk), READ); // what else says it lies under the view
    showOverSheet(this, y ?? drawnAt(this, this.place), chunk);
  }

  /** A skip or hole is told by its place; Python finds out what is there. */
  selectGap(gap, y) {
    this.selected = -1;
    this.selectedStart = undefined;
    this.place = this.run.gapStart[gap];
    this.echoes.tell(this.place); // it is in view already
    paint(this);
    this.trigger("selected", (this.run.gapPoint ?? this.run.gapStart)[gap]);
    showSelected();
    showOverSheet(this, y, -1);
  }

  /** Marks a chunk here, before Python has heard of it. */
  point(chunk) {
    this.selected = chunk;
    this.selectedStart = this.run.start[chunk];
    paint(this);
  }

  click(event) {
    if (this.moving.takesClick()) return;
    const button = event.composedPath().find((element) => element.localName === "button");
    const y = event.clientY - this.content.getBoundingClientRect().top;
    if (button?.dataset.chunk) return this.select(Number(button.dataset.chunk));
    if (button?.dataset.gap) return this.selectGap(Number(button.dataset.gap), y);
    if (selectionIn(this.root)?.range) return;
    const shape = this.shapeUnder(event.clientX, event.clientY);
    if (shape?.kind === "band") this.select(shape.chunk, undefined, y);
    else if (shape && this.run.gapOwner[shape.gap] < 0) this.selectGap(shape.gap, y);
  }

  shapeUnder(clientX, clientY) {
    const box = this.content.getBoundingClientRect();
    const y = clientY - box.top;
    const page = this.pages.live.get(this.pages.pageAtTop(y));
    return page ? shapeAt(page, clientX - box.left, y - this.pages.tops[page.number]) : null;
  }

  keyDown(event) {
    // From a label, which is no stop itself, a browser would look for the next one from the view's beginning.
    if (event.key === "Tab" && !event.shiftKey && this.list.contains(event.target)) {
      return this.scroller.focus({ preventScroll: true });
    }
    if (!this.run || this.moving.key(event) || this.selecting.extend(event)) return;
    if (event.key === "Escape" && this.selecting.drop()) return event.stopPropagation();
    const act = actionOf(this, event);
    if (!act && scrolls(this.scroller, event)) {
      this.leave();
      this.leaveLabel();
    }
    if (!act) return;
    event.preventDefault();
    event.stopPropagation();
    if (GOES.includes(event.key)) this.leaveLabel();
    act();
  }

  /** The label that has the keyboard gives it to the source: one goes on to another place. */
  leaveLabel() {
    if (this.list.contains(focused())) this.scroller.focus({ preventScroll: true });
  }

  /** A key that was pressed outside of the source; of two sources the first that is seen takes it. */
  pageKey(event) {
    if (!this.run || !isSeen(this.root) || event.composedPath().includes(this.legend)) return;
    const act = actionOf(this, event);
    if (!act) return;
    event.preventDefault();
    act();
    // The next key is the source's own: of those that choose no label, which has the focus then, too.
    if (GOES.includes(event.key) && !this.root.contains(focused())) this.scroller.focus({ preventScroll: true });
  }

  /** Shows where a chunk begins, and all of it up to where the next begins when there is room. Where a document is
   * opened its end is what is explained: of a chunk that is little longer than the view, the end is shown.
   * @param {number} room how many times the view's height a chunk may have to be shown up to its end */
  bringIntoView(chunk, room = 1) {
    if (chunk < 0 || chunk >= this.run.chunks) return;
    this.bringOffsetIntoView(this.run.start[chunk]);
    const top = this.topOf(this.run.start[chunk]);
    const bottom = this.topOf(this.run.start[chunk + 1] ?? this.document.text.length) + ROW;
    const { clientHeight } = this.scroller;
    if (top < 0 || bottom <= clientHeight || bottom - top > room * clientHeight) return;
    this.scroller.scrollTop += bottom - clientHeight;
    this.pages.fill();
    paint(this);
  }

  /** Whether this chunk begins in the upper part of what is in sight: the beginning of a document that is opened stays. */
  begins(chunk) {
    const y = this.topOf(this.run.start[chunk]);
    return y >= 0 && y <= this.scroller.clientHeight * 0.7;
  }

  /** Whether the line of this place is drawn in the view. */
  isInView(offset) {
    const y = this.topOf(offset);
    return y >= 0 && y + ROW <= this.scroller.clientHeight;
  }

  bringOffsetIntoView(start) {
    this.place = start;
    this.brought = start;
    const y = this.topOf(start);
    if (y < 0 || y > this.scroller.clientHeight * 0.7) this.pages.scrollTo(start, -this.scroller.clientHeight * 0.2);
    this.pages.fill();
    this.pages.scrollAcrossTo(start);
    paint(this);
  }

  /** Scrolls no further than it takes to see a place and a line around it. */
  keepInView(offset) {
    const above = this.topOf(offset) - ROW;
    const below = above + 3 * ROW - this.scroller.clientHeight;
    if (above < 0 || below > 0) this.scroller.scrollTop += above < 0 ? above : below;
    this.pages.scrollAcrossTo(offset);
  }

  /** How far below the view's upper edge this place is drawn; -1 where it is not drawn. */
  topOf(offset) {
    const page = this.pages.live.get(this.pages.pageOfLine(this.pages.lineAt(offset)));
    return page ? this.pages.tops[page.number] + this.pages.locate(page, offset).top - this.scroller.scrollTop : -1;
  }

  /** The view is scrolled by hand: no place in it has been gone to.
   * @param {boolean} [forGood] whether somebody went to either end of the document: the chosen chunk is left, too */
  leave(forGood = false) {
    this.place = -1;
    this.left = forGood;
  }

  /** The place gone to, where it is in view; else the first line that is seen from its beginning. */
  here() {
    const { from, to } = this.window();
    if (this.place >= from && this.place < to) return this.place;
    const { offset, delta } = this.pages.anchor();
    const next = this.pages.lineStart(this.pages.lineAt(offset) + 1);
    return delta < 2 || next >= to ? offset : next;
  }

  jump(event) {
    if (!this.run) return;
    this.leave();
    const box = this.map.getBoundingClientRect();
    const offset = offsetAt(event.clientY - box.top, box.height, this.document.text.length);
    this.pages.scrollTo(offset, -this.scroller.clientHeight / 2);
    this.soon();
  }

  copy(event) {
    const stretch = selectedStretch(this.pages, selectionIn(this.root));
    if (!stretch) return;
    event.clipboardData.setData("text/plain", this.document.text.slice(stretch.from, stretch.to));
    event.preventDefault();
  }

  /** Says something for a moment, without a place of its own.
   * @param {string} words
   * @param {number} [stays] milliseconds */
  flash(words, stays = 1400) {
    this.say(words);
    this.note.classList.add("flash");
    clearTimeout(this.flashing);
    this.flashing = setTimeout(() => {
      this.note.classList.remove("flash");
      this.say("");
    }, stays);
  }

  explain(event) {
    const button = event.target.closest?.("button");
    if (button && this.run) this.tip.show(button, this.run, (chunk) => breadcrumb(this, chunk));
  }

  destroy() {
    join(this, "");
    this.noSkips();
    this.noGrowth();
    this.noKeys();
    this.noCommands();
    this.following.end();
    this.selecting.destroy();
    this.moving.end();
    clearTimeout(this.flashing);
    this.sizes.disconnect();
    clearTimeout(this.timer);
    clearTimeout(this.settle);
    cancelAnimationFrame(this.frame);
    this.root.remove();
  }
}

export default mounted(SourceView);
