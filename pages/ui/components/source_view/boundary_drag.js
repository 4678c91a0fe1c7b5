// A boundary that is dragged in the source: by its label or its handle, or by keys. It goes from line to line between its
// neighbours; where it is let go, Python says which settings would put it there.

import { make } from "../shared/component.js";
import { counted } from "../shared/counted.js";
import { tell } from "../shared/tell.js";
import { snapped, startsBlock, stepped } from "./snap.js";
import { saidOfBoundary } from "./spoken.js";
import { contentEnd } from "./text.js";

const BEGINS = 4; // pixels from which a press is a drag
const EDGE = 36; // pixels from the view's top and bottom within which it scrolls
const ROW = 20;

/** Whether it was said on this visit what ends a drag by keys. */
let told = false;

export class BoundaryDrag {
  /** The chunk whose beginning is dragged; -1 without a drag. */
  chunk = -1;
  /** The name of the run that it is taken from. */
  of = "";
  /** The line it is at now, and where it was taken up. */
  line = -1;
  home = -1;
  /** Where a boundary was put, until settings are found or given up; -1 without. */
  placed = -1;
  /** A press that may become a drag. @type {{chunk: number, y: number, id: number} | null} */
  pressed = null;
  /** Whether the press became a drag, if only until it was given up. */
  dragged = false;
  /** Whether the click that follows a drag is still to come. */
  clicks = false;
  /** Where the pointer is, on the screen. */
  y = 0;
  /** @type {number | undefined} */
  scrolling;
  /** The label that is moved with the boundary. @type {HTMLElement | null} */
  along = null;

  constructor(view) {
    this.view = view;
    this.ghost = make("div", "aim", view.content, { "aria-hidden": "true", hidden: "" });
    this.area = make("i", "area", this.ghost);
    this.rule = make("i", "rule", this.ghost);
    this.words = make("span", "to", this.rule);
    this.said = make("p", "unseen", null, { role: "status" });
    view.body.after(this.said);
    const { list } = view;
    list.addEventListener("pointerdown", (event) => this.press(event));
    list.addEventListener("pointermove", (event) => this.move(event));
    list.addEventListener("pointerup", () => this.release());
    for (const name of ["pointercancel", "lostpointercapture"]) list.addEventListener(name, () => this.lost());
  }

  get active() {
    return this.chunk >= 0;
  }

  // ---- by a pointer

  press(event) {
    const { view } = this;
    const label = event.target.closest?.("li");
    const chunk = Number(label?.querySelector("button")?.dataset.chunk ?? -1);
    const handle = event.target.closest?.(".grip");
    if (!view.run.placing || chunk < 1 || event.button !== 0 || (event.pointerType === "touch" && !handle)) return;
    this.dragged = false;
    this.pressed = { chunk, y: event.clientY, id: event.pointerId };
    (handle ?? label.querySelector("button")).setPointerCapture(event.pointerId);
    if (handle) event.preventDefault();
  }

  move(event) {
    if (!this.pressed || event.pointerId !== this.pressed.id) return;
    this.y = event.clientY;
    if (!this.active) {
      if (Math.abs(this.y - this.pressed.y) < BEGINS) return;
      if (!this.begin(this.pressed.chunk)) return;
      this.dragged = true;
      this.scrollAtEdge();
    }
    this.follow();
  }

  release() {
    const begun = this.pressed && this.active;
    this.pressed = null;
    if (!this.dragged) return;
    this.clicks = true;
    setTimeout(() => (this.clicks = false));
    if (begun) this.finish();
  }

  lost() {
    if (!this.pressed) return;
    this.pressed = null;
    this.cancel();
  }

  /** Whether a click is only the end of a drag. */
  takesClick() {
    return this.clicks;
  }

  /** To the line under the pointer. */
  follow() {
    const { pages, content } = this.view;
    const y = this.y - content.getBoundingClientRect().top;
    const page = pages.live.get(pages.pageAtTop(y));
    if (!page) return;
    const tops = pages.rowTops(page);
    const within = y - pages.tops[page.number] + ROW / 2;
    let index = 0;
    while (index + 2 < tops.length && tops[index + 1] <= within) index += 1;
    const [low, high] = this.bounds();
    const line = snapped(pages.layout, page.first + index, low, high);
    if (line >= 0) this.goTo(line);
  }

  scrollAtEdge() {
    cancelAnimationFrame(this.scrolling ?? 0);
    const step = () => {
      if (!this.pressed || !this.active) return;
      const box = this.view.scroller.getBoundingClientRect();
      const over = Math.min(0, this.y - box.top - EDGE) + Math.max(0, this.y - box.bottom + EDGE);
      if (over) {
        this.view.scroller.scrollTop += over / 3;
        this.follow();
      }
      this.scrolling = requestAnimationFrame(step);
    };
    this.scrolling = requestAnimationFrame(step);
  }

  // ---- by keys

  /** Whether a key was for a boundary: Alt with an arrow moves it, Enter lets it go, Escape gives it up. */
  key(event) {
    const { view } = this;
    const step = event.altKey && !event.ctrlKey && !event.metaKey && { ArrowUp: -1, ArrowDown: 1 }[event.key];
    if (step && view.run.placing) {
      const label = view.list.getRootNode().activeElement?.closest?.("button[data-chunk]");
      const chunk = label ? Number(label.dataset.chunk) : view.selected;
      if (!this.active && !this.begin(chunk)) view.flash("No boundary can be moved here: select another chunk first");
      else if (this.active) {
        const [low, high] = this.bounds();
        this.goTo(stepped(view.pages.layout, this.line, step, !event.shiftKey, low, high));
        view.bringOffsetIntoView(this.place());
        this.say();
      }
    } else if (this.active && !this.pressed && event.key === "Enter") this.finish();
    else if ((this.active || this.placed >= 0) && event.key === "Escape") {
      const { active, chunk } = this;
      this.cancel();
      if (active) view.keepInView(view.run.start[chunk]); // where it is again
    } else return false;
    event.preventDefault();
    event.stopPropagation();
    return true;
  }

  say() {
    const { layout } = this.view.pages;
    const text = layout.text.slice(layout.lines[this.line], contentEnd(layout, this.line));
    const inside = !startsBlock(layout, this.line);
    this.said.textContent = saidOfBoundary({ number: this.number(this.line), text, inside }, !told);
    told = true;
  }

  // ---- either way

  begin(chunk) {
    const { run, pages } = this.view;
    if (chunk < 1 || chunk >= run.chunks) return false;
    [this.chunk, this.of] = [chunk, run.run];
    this.home = this.line = this.lineOf(run.start[chunk]);
    const [low, high] = this.bounds();
    if (low > high || !pages.layout) this.chunk = -1;
    this.placed = -1;
    this.view.tip.hide();
    this.show();
    return this.active;
  }

  /** The first and the last line that it can go to: between the boundaries before and after it. */
  bounds() {
    const { run, pages } = this.view;
    const low = this.lineOf(run.start[this.chunk - 1]) + 1;
    const end = run.end[this.chunk];
    const last = pages.lineAt(Math.max(0, end - 1));
    return [low, last];
  }

  /** The line that a chunk is seen to begin in: white space before it is no part of it for a person. */
  lineOf(start) {
    const { pages } = this.view;
    const { text } = pages.layout;
    let at = start;
    while (at < text.length && !text[at].trim()) at += 1;
    return pages.lineAt(Math.min(at, text.length - 1));
  }

  place() {
    return this.view.pages.lineStart(this.line);
  }

  goTo(line) {
    if (line === this.line) return;
    this.line = line;
    this.show();
  }

  finish() {
    const { view, line, home, chunk } = this;
    this.chunk = -1;
    if (line === home) return this.cancel();
    if (!view.isInView(view.run.start[chunk])) view.leaveLabel();
    this.placed = this.place();
    this.show();
    this.said.textContent = "";
    tell(`Searching for settings that put the boundary before line ${this.number(line)}`);
    view.trigger("placed", { boundary: view.run.start[chunk], place: this.placed });
    this.leaveRoom();
  }

  /** What is offered lies over the foot of the source: the place comes up where it would be under that. */
  leaveRoom() {
    const { scroller } = this.view;
    const over = this.top(this.line) - scroller.scrollTop - scroller.clientHeight * 0.4;
    const still = matchMedia("(prefers-reduced-motion: reduce)").matches;
    if (over > 0) scroller.scrollBy({ top: over, behavior: still ? "instant" : "smooth" });
  }

  cancel() {
    this.pressed = null;
    if (this.placed >= 0) this.view.trigger("placed", {}); // nobody waits for settings any more
    this.chunk = -1;
    this.placed = -1;
    this.said.textContent = "";
    this.show();
  }

  /** What Python says: where a boundary was put for which settings are offered.
   * @param {import("./payload.js").Run} run */
  take(run) {
    if (this.active && run.run === this.of) return;
    if (this.active) this.cancel(); // its boundaries are not those that it was taken from
    this.placed = run.placed ?? -1;
    if (this.placed >= 0) this.line = this.view.pages.lineAt(this.placed);
    this.show();
  }

  /** The boundary as it would be, and how far that is from where it is. Again when heights were measured. */
  show() {
    const { ghost } = this;
    ghost.hidden = !this.active && this.placed < 0;
    const to = ghost.hidden ? 0 : this.top(this.line);
    const from = this.active ? this.top(this.home) : to;
    this.takeLabelAlong(to - from);
    if (ghost.hidden) return;
    ghost.style.transform = `translateY(${Math.min(from, to)}px)`;
    this.area.style.height = `${Math.abs(to - from)}px`;
    this.rule.style.top = `${to - Math.min(from, to)}px`;
    if (this.words.dataset.line === String(this.line)) return;
    this.words.dataset.line = String(this.line);
    this.words.textContent = `line ${this.number(this.line)}`;
  }

  /** The label that has the keyboard goes with the boundary that keys move: it would be left behind, out of view.
   * @param {number} away pixels from its place */
  takeLabelAlong(away) {
    const { list, pages } = this.view;
    const byKeys = this.active && !this.pressed;
    const label = byKeys ? list.querySelector(`li[data-boundary="chunk ${this.chunk}"]`) : null;
    if (this.along !== label) this.along?.style.removeProperty("translate");
    this.along = label;
    this.ghost.classList.toggle("by-keys", byKeys);
    label?.style.setProperty("translate", `0 ${away}px`);
    if (byKeys) pages.pinned.add(pages.pageOfLine(this.home)); // its page, and it with it, stays in the DOM
  }

  top(line) {
    const { pages } = this.view;
    const number = pages.pageOfLine(line);
    const page = pages.live.get(number);
    return pages.tops[number] + (page ? pages.rowTops(page)[line - page.first] : 0);
  }

  /** A line as people count them: a line that was laid out in pieces is one. */
  number(line) {
    const { text, lines } = this.view.pages.layout;
    let number = 1;
    for (let at = 1; at <= line; at++) if (text[lines[at] - 1] === "\n" || text[lines[at] - 1] === "\r") number += 1;
    return counted(number);
  }

  end() {
    cancelAnimationFrame(this.scrolling ?? 0);
  }
}
