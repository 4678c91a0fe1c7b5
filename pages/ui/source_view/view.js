// The boundary view: text once, bands again and again. One instance per mounted component, kept across re-runs.

import { holdDocument, heldDocument, lastAtMost, readPayload } from "./wire.js";
import { layOutText } from "./text.js";
import { Pages } from "./pages.js";
import { paintShapes, shapeAt, shapesOf } from "./bands.js";
import { chunkSentence, cutAbove, flagDetails, gapSentence, labelsInView, paintLabels, spoken } from "./labels.js";
import { drawMinimap } from "./minimap.js";

const WAIT_FOR_TEXT = 250;
const MEASURE = "chunkscope: received to painted"; // for the browser's performance panel and benchmarks/live_drag.py

function make(tag, name, parent, attributes = {}) {
  const element = document.createElement(tag);
  if (name) element.className = name;
  for (const [attribute, value] of Object.entries(attributes)) element.setAttribute(attribute, value);
  parent?.append(element);
  return element;
}

const together = new Map(); // views that scroll as one, by the name of their group, with the one that leads

class SourceView {
  constructor(parent) {
    this.selected = -1;
    this.told = undefined;
    this.run = null;
    this.runs = 0;
    this.document = null;
    this.frame = 0;
    this.build(parent);
    this.listen();
  }

  build(parent) {
    const root = (this.root = make("section", "cs", parent, { "aria-label": "Source with chunk boundaries" }));
    const bar = make("header", "bar", root);
    this.crumb = make("span", "crumb", bar);
    this.count = make("span", "count", bar);
    this.legend = legend(bar);
    const body = make("div", "body", root);
    this.scroller = make("div", "scroll", body, { tabindex: "0", role: "region", "aria-label": "Source text" });
    this.content = make("div", "content", this.scroller);
    this.list = make("ol", "labels", this.content, { role: "list", "aria-label": "Boundaries near the view" });
    this.map = make("canvas", "map", body, { role: "img", "aria-label": "Overview of the document: click or drag to jump" });
    this.note = make("p", "note", body, { role: "status" });
    this.tip = make("div", "tip", root, { role: "tooltip", hidden: "" });
    this.pages = new Pages(this.scroller, this.content);
  }

  listen() {
    this.scroller.addEventListener("scroll", () => this.soon(), { passive: true });
    this.scroller.addEventListener("click", (event) => this.click(event));
    this.scroller.addEventListener("keydown", (event) => this.keyDown(event));
    this.scroller.addEventListener("copy", (event) => this.copy(event));
    for (const name of ["pointerover", "focusin"]) this.list.addEventListener(name, (event) => this.showTip(event));
    for (const name of ["pointerout", "focusout"]) this.list.addEventListener(name, () => this.hideTip());
    this.map.addEventListener("pointerdown", (event) => {
      this.map.setPointerCapture(event.pointerId);
      this.jump(event);
    });
    this.map.addEventListener("pointermove", (event) => {
      if (this.map.hasPointerCapture(event.pointerId)) this.jump(event);
    });
    for (const name of ["pointerenter", "pointerdown", "focusin", "wheel"]) {
      this.root.addEventListener(name, () => this.lead(), { passive: true });
    }
    this.sizes = new ResizeObserver(() => this.resized());
    this.sizes.observe(this.scroller);
  }

  // ---- what arrives from Python

  receive({ data, setTriggerValue }) {
    this.trigger = setTriggerValue;
    this.readColours();
    if (!data || data === this.data) return this.soon();
    this.data = data;
    this.began = performance.now();
    const run = readPayload(data);
    const text = run.raw("text");
    if (text !== null) holdDocument(run.document, { ...layOutText(text), crumbs: run.list("crumbs") });
    this.join(run.together);
    this.root.setAttribute("aria-label", `${run.name} cut by ${run.strategy}`);
    this.root.style.setProperty("--cs-height", run.height || "70vh");
    const known = heldDocument(run.document);
    if (!known) return this.ask(run);
    this.take(run, known);
  }

  /** The text may be on its way to another view on the page; if it has not come soon, ask Python for it. */
  ask(run) {
    this.say("Loading the text…");
    const already = this.timer && this.waiting?.document === run.document;
    this.waiting = run;
    if (already) return;
    clearTimeout(this.timer);
    this.timer = setTimeout(() => {
      this.timer = 0;
      const known = heldDocument(this.waiting.document);
      if (known) this.take(this.waiting, known);
      else this.trigger("lacks", this.waiting.document);
    }, WAIT_FOR_TEXT);
  }

  take(run, known) {
    clearTimeout(this.timer);
    this.timer = 0;
    const fresh = this.document !== known;
    this.run = run;
    this.runs += 1;
    this.say(known.text.length ? "" : "The document is empty.");
    if (run.selected !== this.told) {
      this.told = run.selected;
      this.adopt(run.selected);
    } else if (this.selectedStart !== undefined) {
      this.selected = chunkHolding(run, this.selectedStart);
    }
    if (fresh) {
      this.document = known;
      this.scroller.scrollTop = 0;
      this.pages.show(known);
      this.scroller.setAttribute("aria-label", `Source text of ${run.name}`);
    }
    this.pages.fill();
    this.paint();
    if (this.reveal) {
      this.reveal = false;
      this.bringIntoView(this.selected);
    }
    this.root.dataset.painted = String(Number(this.root.dataset.painted ?? 0) + 1);
    performance.clearMeasures(MEASURE);
    performance.measure(MEASURE, { start: this.began, end: performance.now() });
  }

  adopt(chunk) {
    this.reveal = chunk >= 0 && this.root.dataset.painted !== undefined;
    this.reveal ||= chunk >= 0;
    this.selected = chunk;
    this.selectedStart = chunk >= 0 ? this.run.start[chunk] : undefined;
  }

  say(words) {
    this.note.textContent = words;
    this.note.hidden = !words;
  }

  // ---- painting

  soon() {
    if (!this.frame) this.frame = requestAnimationFrame(() => this.update());
  }

  update() {
    this.frame = 0;
    if (!this.run || !this.document) return;
    if (this.pages.fill()) this.paint();
    else this.paintFrame(this.window());
    this.placeTip();
    const group = together.get(this.group);
    if (group?.leader !== this) return;
    const { offset, delta } = this.pages.anchor();
    for (const view of group.views) if (view !== this) view.follow(this.document, offset, delta);
  }

  // ---- scrolling as one

  join(name) {
    if (name === this.group) return;
    together.get(this.group)?.views.delete(this);
    this.group = name;
    if (!name) return;
    if (!together.has(name)) together.set(name, { views: new Set(), leader: null });
    together.get(name).views.add(this);
  }

  lead() {
    const group = together.get(this.group);
    if (group) group.leader = this;
  }

  follow(document, offset, delta) {
    if (this.document !== document) return;
    this.pages.scrollTo(offset, delta);
    this.soon();
  }

  resized() {
    if (!this.document) return;
    this.pages.refit();
    this.pages.fill();
    this.paint();
  }

  /** First everything that reads the layout, then everything that writes, so that the browser lays out once. */
  paint() {
    const wanted = `${this.runs} ${this.selected}`;
    const stale = [...this.pages.live.values()].filter((page) => page.painted !== wanted);
    const shapes = stale.map((page) => shapesOf(this.pages, page, this.run, this.selected));
    const labels = labelsInView(this.pages, this.run);
    const window = this.window();
    stale.forEach((page, index) => {
      paintShapes(page, shapes[index]);
      page.painted = wanted;
    });
    paintLabels(this.list, labels, this.run, this.selected);
    this.paintFrame(window);
  }

  /** The stretch of source between the top and the bottom of the viewport. */
  window() {
    const { pages, scroller } = this;
    const from = pages.anchor().offset;
    const bottom = scroller.scrollTop + scroller.clientHeight;
    const last = pages.live.get(pages.pageAtTop(bottom));
    const line = last ? last.first + lastAtMost(pages.rowTops(last), bottom - pages.tops[last.number]) : 0;
    return { from, to: Math.max(from + 1, pages.lineStart(line + 1)) };
  }

  /** The breadcrumb and the minimap: all that changes while scrolling within the pages at hand. */
  paintFrame({ from, to }) {
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
    drawMinimap(this.map, run, { from, to, selected: this.selected }, this.colours);
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

  readColours() {
    const style = getComputedStyle(this.root);
    const theme = `${style.getPropertyValue("--st-background-color")} ${style.getPropertyValue("--st-text-color")}`;
    if (theme === this.theme) return;
    this.theme = theme;
    this.root.dataset.theme = luminance(style.getPropertyValue("--st-background-color").trim() || "#fff") < 0.4 ? "dark" : "light";
    const now = getComputedStyle(this.root);
    this.colours = {
      hues: [0, 1, 2, 3, 4, 5].map((hue) => now.getPropertyValue(`--h${hue}`).trim()),
      text: now.color,
      ground: now.backgroundColor,
      muted: resolved(this.root, "--cs-muted"),
    };
  }

  // ---- choosing

  select(chunk) {
    if (!this.run || chunk < 0 || chunk >= this.run.chunks) return;
    this.point(chunk);
    const starts = this.run.point ?? this.run.start;
    this.trigger("selected", starts[chunk]);
  }

  /** Marks a chunk here, before Python has heard of it. */
  point(chunk) {
    this.selected = chunk;
    this.selectedStart = this.run.start[chunk];
    this.paint();
  }

  click(event) {
    const button = event.composedPath().find((element) => element.localName === "button");
    if (button?.dataset.chunk) return this.select(Number(button.dataset.chunk));
    const picked = this.root.getRootNode().getSelection?.() ?? document.getSelection();
    if (picked && !picked.isCollapsed && picked.type === "Range") return;
    const shape = this.shapeUnder(event.clientX, event.clientY);
    if (shape?.kind === "band") this.select(shape.chunk);
  }

  shapeUnder(clientX, clientY) {
    const box = this.content.getBoundingClientRect();
    const y = clientY - box.top;
    const page = this.pages.live.get(this.pages.pageAtTop(y));
    return page ? shapeAt(page, clientX - box.left, y - this.pages.tops[page.number]) : null;
  }

  keyDown(event) {
    if (event.ctrlKey || event.metaKey || event.altKey || !this.run) return;
    const from = this.selected >= 0 ? this.selected : this.top - (event.key === "j" ? 1 : 0);
    const act = {
      j: () => this.step(from + 1),
      k: () => this.step(from - 1),
      Enter: () => this.select(this.selected >= 0 ? this.selected : this.top),
      Home: () => (this.scroller.scrollTop = 0),
      End: () => this.pages.scrollTo(this.document.text.length, -this.scroller.clientHeight + 40),
      Escape: () => this.hideTip(),
    }[event.key];
    if (!act) return;
    event.preventDefault();
    event.stopPropagation();
    act();
  }

  step(chunk) {
    const next = Math.min(this.run.chunks - 1, Math.max(0, chunk));
    this.point(next);
    this.bringIntoView(next);
    const button = this.list.querySelector(`button[data-chunk="${next}"]`);
    button?.focus({ preventScroll: true });
    clearTimeout(this.settle);
    this.settle = setTimeout(() => this.select(next), 120);
  }

  bringIntoView(chunk) {
    if (chunk < 0 || chunk >= this.run.chunks) return;
    const start = this.run.start[chunk];
    const page = this.pages.live.get(this.pages.pageOfLine(this.pages.lineAt(start)));
    const y = page ? this.pages.tops[page.number] + this.pages.locate(page, start).top - this.scroller.scrollTop : -1;
    if (y < 0 || y > this.scroller.clientHeight * 0.7) this.pages.scrollTo(start, -this.scroller.clientHeight * 0.2);
    this.pages.fill();
    this.paint();
  }

  jump(event) {
    if (!this.run) return;
    const box = this.map.getBoundingClientRect();
    const share = Math.min(1, Math.max(0, (event.clientY - box.top) / box.height));
    this.pages.scrollTo(Math.round(share * (this.document.text.length - 1)), -this.scroller.clientHeight / 2);
    this.soon();
  }

  /** Copies the source itself, not the pictures that stand for control characters. */
  copy(event) {
    const picked = this.root.getRootNode().getSelection?.() ?? document.getSelection();
    if (!picked?.rangeCount) return;
    const { startContainer, startOffset, endContainer, endOffset } = picked.getRangeAt(0);
    const from = this.offsetOf(startContainer, startOffset);
    const to = this.offsetOf(endContainer, endOffset);
    if (from === null || to === null || to <= from) return;
    event.clipboardData.setData("text/plain", this.document.text.slice(from, to));
    event.preventDefault();
  }

  offsetOf(node, offset) {
    const line = (node.nodeType === Node.TEXT_NODE ? node.parentElement : node).closest(".ln");
    const page = [...this.pages.live.values()].find((one) => one.element.contains(line));
    if (!line || !page) return null;
    const before = document.createRange();
    before.selectNodeContents(line);
    before.setEnd(node, offset);
    return this.pages.lineStart(page.first + [...page.body.children].indexOf(line)) + before.toString().length;
  }

  // ---- explaining

  showTip(event) {
    const button = event.target.closest?.("button");
    if (!button || !this.run) return;
    const { tip, run } = this;
    tip.replaceChildren();
    const say = (name, words) => (make("p", name, tip).textContent = words);
    if (button.dataset.chunk) {
      const chunk = Number(button.dataset.chunk);
      const cut = cutAbove(run, chunk);
      const about = run.approximate ? "about " : "";
      say("title", `Chunk ${chunk + 1} of ${run.chunks}`);
      say("", `${about}${run.tokens[chunk].toLocaleString("en")} tokens, ${run.bodyTokens[chunk].toLocaleString("en")} of them its own text`);
      say("", chunk === 0 ? "Starts the document" : `Cut here · ${spoken(cut.rule)}: ${cut.detail}`);
      for (const flag of flagDetails(run, chunk)) say("warn", `⚠ ${flag}`);
      say("dim", this.breadcrumb(chunk));
    } else say("", gapSentence(run, Number(button.dataset.gap)));
    this.tipOf = button;
    this.placeTip();
  }

  placeTip() {
    const { tip, tipOf } = this;
    if (!tipOf) return;
    const box = tipOf.getBoundingClientRect();
    const home = this.scroller.getBoundingClientRect();
    if (!tipOf.isConnected || box.bottom < home.top || box.top > home.bottom) return this.hideTip();
    tip.hidden = false;
    const frame = this.root.getBoundingClientRect();
    const left = Math.max(8, Math.min(box.right, home.right - 8) - frame.left - tip.offsetWidth);
    const below = box.bottom + 6;
    const top = below + tip.offsetHeight < home.bottom - 8 ? below : box.top - tip.offsetHeight - 6;
    tip.style.left = `${left}px`;
    tip.style.top = `${Math.max(4, top - frame.top)}px`;
  }

  hideTip() {
    this.tipOf = null;
    this.tip.hidden = true;
  }

  destroy() {
    this.join("");
    this.sizes.disconnect();
    clearTimeout(this.timer);
    clearTimeout(this.settle);
    cancelAnimationFrame(this.frame);
    this.root.remove();
  }
}

function chunkHolding(run, offset) {
  const chunk = lastAtMost(run.start, offset);
  return chunk >= 0 && offset < run.end[chunk] ? chunk : -1;
}

/** A colour that CSS mixes, as a canvas understands it. */
function resolved(root, name) {
  const probe = make("i", "", root);
  probe.style.color = `var(${name})`;
  const colour = getComputedStyle(probe).color;
  probe.remove();
  return colour;
}

function luminance(colour) {
  const pen = new OffscreenCanvas(1, 1).getContext("2d");
  pen.fillStyle = colour;
  pen.fillRect(0, 0, 1, 1);
  const [red, green, blue] = pen.getImageData(0, 0, 1, 1).data;
  return (0.2126 * red + 0.7152 * green + 0.0722 * blue) / 255;
}

function legend(bar) {
  const details = make("details", "legend", bar);
  make("summary", "", details, { "aria-label": "What the marks mean" }).textContent = "?";
  const list = make("dl", "", details);
  for (const [mark, words] of [
    ["band", "A chunk: its colour and rail pattern repeat, its number does not"],
    ["lap", "Overlap: text of this chunk that the next one repeats"],
    ["skip", "Skipped: in no chunk, with its reason in the margin"],
    ["blank", "White space that is not embedded"],
    ["cut", "A cut inside a line"],
    ["tick", "A boundary of the baseline only; on the overview, each of the baseline's"],
  ]) {
    make("i", `key ${mark}`, make("dt", "", list), { "aria-hidden": "true" });
    make("dd", "", list).textContent = words;
  }
  make("dd", "keys", list).textContent = "j and k go from chunk to chunk, Enter chooses, Home and End go to the ends.";
  return details;
}

const instances = new WeakMap();

export default function mount(component) {
  const parent = component.parentElement;
  let view = instances.get(parent);
  if (!view) instances.set(parent, (view = new SourceView(parent)));
  view.receive(component);
  return () => {
    view.destroy();
    instances.delete(parent);
  };
}
