// The boundary view: text once, bands again and again. One instance per mounted component, kept across re-runs.

import { showSelected } from "../phone_sheet/sheet.js";
import { offers } from "../shared/commands.js";
import { make, mounted, takesSkips } from "../shared/component.js";
import { paintShapes, shapeAt, shapesOf } from "./bands.js";
import { BoundaryDrag } from "./boundary_drag.js";
import { selectedStretch, selectionIn } from "./clipboard.js";
import { coloursOf, iconButton, themeOf } from "./dom.js";
import { Following } from "./drag_updates.js";
import { placeAfterEdit } from "./edited.js";
import { helpSheet } from "./help.js";
import {
  actionOf,
  chunkHolding,
  commandsOf,
  copyChunk,
  helpKey,
  isFull,
  keepFocus,
  setFull,
  stepTorn,
} from "./keys.js";
import { labelsInView, paintLabels } from "./labels.js";
import { explainMark, marksOn, paintMarks, readMarks } from "./marks.js";
import { drawMinimap } from "./minimap.js";
import { Movement } from "./movement.js";
import { offsetAt } from "./overview_scale.js";
import { drawOver } from "./overview_ticks.js";
import { heldDocument, holdDocument, lastAtMost, readPayload } from "./payload.js";
import { join, lead, ontoScreen, takeAlong } from "./scroll_sync.js";
import { paintHits, Search } from "./search.js";
import { Selecting } from "./selection.js";
import { dimLines, Standing } from "./standing_out.js";
import { withTables } from "./tables.js";
import { layOutText } from "./text.js";
import { Tip } from "./tooltip.js";
import { TornWalk } from "./torn.js";
import { Pages } from "./virtual_pages.js";

const WAIT_FOR_TEXT = 250;
const ASK_EVERY = 20; // looks: a question may be lost, or its answer
const MEASURE = "chunkscope: received to painted"; // for the browser's performance panel and benchmarks/live_drag.py

class SourceView {
  /** What is drawn; null until the first run has come. */
  run = /** @type {import("./payload.js").Run} */ (/** @type {unknown} */ (null));
  /** A run whose text has not come. @type {import("./payload.js").Run} */
  waiting;
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
  /** @type {HTMLElement} */
  root;
  /** @type {HTMLElement} */
  scroller;
  /** @type {HTMLElement} */
  note;
  /** @type {HTMLElement} */
  crumb;
  /** @type {HTMLElement} */
  count;
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

  constructor(parent) {
    this.selected = -1;
    this.told = undefined;
    this.runs = 0;
    this.document = null;
    this.frame = 0;
    this.build(parent);
    this.listen();
    this.noSkips = takesSkips(this.scroller);
    this.noCommands = offers(() => (this.run ? commandsOf(this) : []));
  }

  build(parent) {
    const root = (this.root = make("section", "cs", parent, { "aria-label": "Source with chunk boundaries" }));
    const bar = make("header", "bar", root);
    this.crumb = make("span", "crumb", bar);
    this.count = make("span", "count", bar);
    this.standing = new Standing(bar);
    this.tornWalk = new TornWalk(bar, (step) => stepTorn(this, step));
    iconButton(bar, "search", "Search (/)", () => this.search.open());
    this.fullButton = iconButton(bar, "full", "Full screen (f)", () => setFull(this, !isFull(this)));
    this.legend = helpSheet(bar);
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
    this.read(data);
  }

  read(data) {
    this.began = performance.now();
    const run = readPayload(data);
    const text = run.raw("text");
    if (this.following.holds(run, text)) return;
    if (text !== null && !heldDocument(run.document)) {
      const layout = withTables(layOutText(text), run.tableStart, run.tableEnd);
      holdDocument(run.document, { ...layout, crumbs: run.list("crumbs"), sections: run.sections ?? [] });
    }
    join(this, run.together);
    this.root.setAttribute("aria-label", `${run.name} cut by ${run.strategy}`);
    this.root.style.setProperty("--cs-height", run.height || "70vh");
    const known = heldDocument(run.document);
    if (!known) return this.ask(run);
    this.take(run, known);
  }

  /** The text may be on its way to another view on the page; if it has not come soon, ask Python for it.
   * @param {import("./payload.js").Run} run */
  ask(run) {
    this.say("Loading the text…");
    const already = this.timer && this.waiting?.document === run.document;
    this.waiting = run;
    if (already) return;
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.look(0), WAIT_FOR_TEXT);
  }

  /** The text may come to another view, which then tells nobody: looks until it is there, and asks now and then. */
  look(times) {
    const known = heldDocument(this.waiting.document);
    if (known) return this.take(this.waiting, known);
    const first = this.waiting.together ? 4 : 0; // one of a group was most likely sent it
    if (times % ASK_EVERY === first) this.trigger("lacks", this.waiting.document);
    this.timer = setTimeout(() => this.look(times + 1), WAIT_FOR_TEXT);
  }

  /** @param {import("./payload.js").Run} run
   * @param {boolean} [dragged] whether a hand moves its boundaries just now, which needs no other movement */
  take(run, known, dragged = false) {
    clearTimeout(this.timer);
    this.timer = 0;
    const fresh = this.document !== known;
    const changed = this.run?.run !== run.run;
    const before = changed && !fresh && !dragged ? this.movement.painted() : null;
    this.run = run;
    this.runs += 1;
    this.say(known.text.length ? "" : "The document is empty.");
    this.marks = readMarks(run);
    this.tornWalk.show(run);
    this.standing.show(run);
    this.selecting.allow(Boolean(run.marking));
    // Views that scroll as one are aligned on the place, not the chunk; what is in no chunk is known by its place.
    // So is a place inside a chunk, such as a mark: the chunk may be longer than the view.
    this.inside = run.selected >= 0 && run.at > run.start[run.selected];
    const told = run.together || run.selected < 0 || this.inside ? run.at : run.selected;
    const went = run.went !== (this.went ?? run.went); // somebody asked to be brought here
    this.went = run.went;
    const place = fresh ? this.placeInEdition(run, known) : null;
    if (told !== this.told || went || fresh) {
      this.told = told;
      this.adopt(run.selected);
      if (place && !went) this.reveal = false;
    } else if (this.selectedStart !== undefined) {
      this.selected = chunkHolding(run, this.selectedStart);
    }
    if (fresh) {
      this.document = known;
      this.shownName = run.name;
      this.scroller.scrollTop = this.scroller.scrollLeft = 0;
      this.pages.show(known);
      if (place) this.pages.scrollTo(place.offset, place.delta);
      this.scroller.setAttribute("aria-label", `Source text of ${run.name}`);
      this.search.renew();
    }
    this.pages.fill();
    this.moving.take(run);
    this.paint();
    if (this.reveal) {
      this.reveal = false;
      if (this.selected < 0 || this.inside || (run.together && run.at >= 0)) this.bringOffsetIntoView(run.at);
      else this.bringIntoView(this.selected);
    }
    if (went) ontoScreen(this);
    if (this.copying && run.selected === this.selected) copyChunk(this);
    this.root.dataset.run = run.run;
    this.root.dataset.painted = String(Number(this.root.dataset.painted ?? 0) + 1);
    performance.clearMeasures(MEASURE);
    performance.measure(MEASURE, { start: this.began, end: performance.now() });
    if (before) this.movement.play(before);
  }

  /** Where the top of the view is in another edition of the text, such as a file that was edited; null in another text.
   * @param {import("./payload.js").Run} run */
  placeInEdition(run, known) {
    if (!this.document || this.shownName !== run.name) return null;
    const { offset, delta } = this.pages.anchor();
    const there = placeAfterEdit(this.document.text, known.text, offset);
    return there < 0 ? null : { offset: there, delta };
  }

  adopt(chunk) {
    this.reveal = chunk >= 0 || this.run.at >= 0;
    this.selected = chunk;
    this.selectedStart = chunk < 0 ? undefined : this.inside ? this.run.at : this.run.start[chunk];
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
    if (this.pages.fill() || this.unpainted) this.paint();
    else this.paintFrame(this.window());
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
    this.paint();
  }

  /** First everything that reads the layout, then everything that writes, so that the browser lays out once. */
  paint() {
    this.unpainted = false;
    const wanted = `${this.runs} ${this.selected}`;
    const stale = [...this.pages.live.values()].filter((page) => page.painted !== wanted);
    const shapes = stale.map((page) => shapesOf(this.pages, page, this.run, this.selected));
    const unmarked = [...this.pages.live.values()].filter((page) => (page.marksName ?? "") !== this.marks.name);
    const marked = unmarked.map((page) => marksOn(this.pages, page, this.marks.all));
    const unsearched = [...this.pages.live.values()].filter((page) => (page.hitsName ?? "") !== this.search.name);
    const hits = unsearched.map((page) => this.search.boxes(this.pages, page));
    const labels = labelsInView(this.pages, this.run);
    const window = this.window();
    stale.forEach((page, index) => {
      paintShapes(page, shapes[index]);
      dimLines(this.pages, page, this.run);
      page.painted = wanted;
    });
    unmarked.forEach((page, index) => {
      paintMarks(page, marked[index]);
      page.marksName = this.marks.name;
    });
    unsearched.forEach((page, index) => {
      paintHits(page, hits[index]);
      page.hitsName = this.search.name;
    });
    if (paintLabels(this.list, labels, this.run, this.selected)) this.scroller.focus({ preventScroll: true });
    this.paintFrame(window);
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

  /** The breadcrumb and the minimap: all that changes while scrolling within the pages at hand. */
  paintFrame({ from, to, size }) {
    const { run } = this;
    const chunk = Math.max(0, lastAtMost(run.start, from));
    this.top = chunk;
    const crumb = run.chunks ? this.breadcrumb(chunk) : run.name;
    if (this.crumb.textContent !== crumb) this.crumb.textContent = this.crumb.title = crumb;
    const count = run.chunks ? this.place(chunk, from) : "no chunks";
    if (this.count.textContent !== count) {
      const [place, tokens] = count.split(" · ");
      this.count.textContent = place;
      if (tokens) make("span", "wide", this.count).textContent = ` · ${tokens}`;
    }
    drawMinimap(this.map, size, run, { from, to, selected: this.selected }, this.colours);
    drawOver(this.ticks, size, run.units, this.marks, this.search, this.colours);
  }

  place(chunk, offset) {
    const { run } = this;
    const words = (number) => number.toLocaleString("en");
    if (offset >= run.end[chunk]) return `skipped, after chunk ${words(chunk + 1)} of ${words(run.chunks)}`;
    if (offset < run.start[0]) return `skipped, before chunk 1 of ${words(run.chunks)}`;
    return `chunk ${words(chunk + 1)} of ${words(run.chunks)} · ${run.approximate ? "≈" : ""}${words(run.tokens[chunk])} tokens`;
  }

  breadcrumb(chunk) {
    const crumb = this.run.crumb[chunk];
    return (crumb >= 0 ? this.document.crumbs[crumb] : this.run.list("otherCrumbs")[-1 - crumb]) ?? "";
  }

  // ---- choosing

  select(chunk) {
    if (!this.run || chunk < 0 || chunk >= this.run.chunks) return;
    this.point(chunk);
    this.told = this.run.together ? this.run.start[chunk] : chunk; // Python's echo must not scroll back to it
    const starts = this.run.point ?? this.run.start;
    this.trigger("selected", starts[chunk]);
    showSelected();
  }

  /** A skip or hole is told by its place; Python finds out what is there. */
  selectGap(gap) {
    this.selected = -1;
    this.selectedStart = undefined;
    this.told = this.run.gapStart[gap]; // it is in view already
    this.paint();
    this.trigger("selected", (this.run.gapPoint ?? this.run.gapStart)[gap]);
    showSelected();
  }

  /** Marks a chunk here, before Python has heard of it. */
  point(chunk) {
    this.selected = chunk;
    this.selectedStart = this.run.start[chunk];
    this.paint();
  }

  click(event) {
    if (this.moving.takesClick()) return;
    const button = event.composedPath().find((element) => element.localName === "button");
    if (button?.dataset.chunk) return this.select(Number(button.dataset.chunk));
    if (button?.dataset.gap) return this.selectGap(Number(button.dataset.gap));
    if (selectionIn(this.root)?.range) return;
    const shape = this.shapeUnder(event.clientX, event.clientY);
    if (shape?.kind === "band") this.select(shape.chunk);
    else if (shape && this.run.gapOwner[shape.gap] < 0) this.selectGap(shape.gap);
  }

  shapeUnder(clientX, clientY) {
    const box = this.content.getBoundingClientRect();
    const y = clientY - box.top;
    const page = this.pages.live.get(this.pages.pageAtTop(y));
    return page ? shapeAt(page, clientX - box.left, y - this.pages.tops[page.number]) : null;
  }

  keyDown(event) {
    if (!this.run || this.moving.key(event) || this.selecting.extend(event)) return;
    if (event.key === "Escape" && this.selecting.drop()) return event.stopPropagation();
    const act = actionOf(this, event);
    if (!act) return;
    event.preventDefault();
    event.stopPropagation();
    act();
  }

  bringIntoView(chunk) {
    if (chunk >= 0 && chunk < this.run.chunks) this.bringOffsetIntoView(this.run.start[chunk]);
  }

  bringOffsetIntoView(start) {
    const page = this.pages.live.get(this.pages.pageOfLine(this.pages.lineAt(start)));
    const y = page ? this.pages.tops[page.number] + this.pages.locate(page, start).top - this.scroller.scrollTop : -1;
    if (y < 0 || y > this.scroller.clientHeight * 0.7) this.pages.scrollTo(start, -this.scroller.clientHeight * 0.2);
    this.pages.fill();
    this.pages.scrollAcrossTo(start);
    this.paint();
  }

  jump(event) {
    if (!this.run) return;
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

  /** Says something for a moment, without a place of its own. */
  flash(words) {
    this.say(words);
    this.note.classList.add("flash");
    clearTimeout(this.flashing);
    this.flashing = setTimeout(() => {
      this.note.classList.remove("flash");
      this.say("");
    }, 1400);
  }

  explain(event) {
    const button = event.target.closest?.("button");
    if (button && this.run) this.tip.show(button, this.run, (chunk) => this.breadcrumb(chunk));
  }

  destroy() {
    join(this, "");
    this.noSkips();
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
