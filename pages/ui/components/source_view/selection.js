// Selected text and what can be done with it: a small toolbar beside the selection, and keys that select.

import { askForPanel } from "../panel_tabs/open_panel.js";
import { make } from "../shared/component.js";
import { rested } from "../shared/rested.js";
import { copyText, selectedStretch, selectionIn } from "./clipboard.js";
import { saidOfSelection, sizeOfSelection } from "./spoken.js";
import { textPlace } from "./text.js";

const GAP = 8;

/** Whether it was said on this visit what can be done with selected text. */
let told = false;

export class Selecting {
  /** @type {() => void} */
  changed;
  /** @type {() => void} */
  released;

  constructor(view) {
    this.view = view;
    this.stretch = null;
    this.pressing = false;
    this.able = false;
    this.begun = -1; // the place gone to when what is selected was begun
    this.byKeys = false;
    this.moved = -1; // the end that a key has moved last
    this.docked = false;
    this.bar = make("div", "picked", null, { role: "group", "aria-label": "Selected text", hidden: "" });
    for (const [kind, words] of [
      ["answer", "Mark as answer"],
      ["whole", "Keep whole"],
      ["copy", "Copy"],
    ]) {
      make("button", "", this.bar, { type: "button", "data-do": kind }).textContent = words;
    }
    this.said = make("p", "unseen", null, { role: "status" });
    this.saying = rested((words) => {
      this.said.textContent = words;
      told = true;
    });
    view.body.after(this.bar, this.said);
    this.listen();
  }

  listen() {
    const { scroller } = this.view;
    this.changed = () => this.follow();
    this.released = () => {
      if (this.pressing) this.begun = this.view.place; // what a mouse has selected is gone on with
      this.pressing = false;
      this.follow();
    };
    document.addEventListener("selectionchange", this.changed);
    for (const name of ["pointerup", "pointercancel"]) window.addEventListener(name, this.released);
    scroller.addEventListener("pointerdown", (event) => {
      this.pressing = event.pointerType === "mouse" && event.button === 0;
      this.byKeys = false;
      this.moved = -1;
    });
    // Tab goes on to the toolbar, and Escape closes it, also where it would have come a moment later.
    scroller.addEventListener("keydown", ({ key }) => (key === "Tab" || key === "Escape") && this.look());
    this.bar.addEventListener("pointerdown", (event) => event.preventDefault()); // the selection stays
    this.bar.addEventListener("click", (event) => this.act(event.target.dataset.do));
    this.bar.addEventListener("keydown", (event) => {
      if (event.key !== "Escape") return;
      event.preventDefault();
      event.stopPropagation();
      this.drop();
    });
  }

  /** Whether marks can be taken here; where not, selecting is as on any page. */
  allow(able) {
    this.able = able;
    if (!able) this.close();
  }

  selection() {
    return selectionIn(this.view.root);
  }

  /** Waits a moment: a selection changes many times while it is made. */
  follow() {
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.look(), 60);
  }

  look() {
    const { view } = this;
    if (!view.document || !this.able) return;
    const stretch = selectedStretch(view.pages, this.selection());
    view.pages.pinned = new Set(stretch?.pages ?? []);
    if (this.pressing) return;
    if (stretch && !this.stretch && !this.byKeys) this.begun = view.place;
    const fresh = stretch?.from !== this.stretch?.from || stretch?.to !== this.stretch?.to;
    this.stretch = stretch;
    if (!stretch) return this.close();
    this.bar.hidden = false;
    this.place();
    if (!fresh) return;
    const text = view.document.text.slice(stretch.from, stretch.to);
    this.bar.title = sizeOfSelection(text);
    this.saying.later(saidOfSelection(text, !told));
  }

  /** Above the selection, else below it, else in a row of its own under the source: never on the selected text. */
  place() {
    if (this.bar.hidden) return;
    const { view, bar } = this;
    const range = this.selection()?.range;
    const rows = range ? [...range.getClientRects()].filter((row) => row.width > 0) : [];
    bar.classList.remove("docked");
    const home = view.scroller.getBoundingClientRect();
    const frame = view.root.getBoundingClientRect();
    const size = { width: bar.offsetWidth, height: bar.offsetHeight };
    if (!rows.length) return this.dock();
    const top = Math.min(...rows.map((row) => row.top)) - size.height - GAP;
    const bottom = Math.max(...rows.map((row) => row.bottom)) + GAP;
    const touched = matchMedia("(pointer: coarse)").matches; // there the browser puts its own menu above
    const fits = (y) => y >= home.top + 2 && y + size.height <= home.bottom - 2;
    const y = [top, bottom].sort((one, other) => (touched ? other - one : one - other)).find(fits);
    if (y === undefined) return this.dock();
    const beside = y === top ? rows[0] : rows[rows.length - 1];
    const x = Math.min(Math.max(beside.left, home.left + 4), home.right - size.width - 4);
    this.docked = false;
    bar.style.left = `${Math.max(4, x - frame.left)}px`;
    bar.style.top = `${y - frame.top}px`;
  }

  dock() {
    this.bar.classList.add("docked");
    this.bar.style.left = this.bar.style.top = "";
    if (!this.docked && this.moved >= 0) this.view.keepInView(this.moved); // its row is taken from the view
    this.docked = true;
  }

  close() {
    this.stretch = null;
    this.moved = -1;
    this.docked = false;
    this.bar.hidden = true;
    this.saying.never();
    this.said.textContent = "";
  }

  /** Closes the toolbar and lets the selection go. Says whether there was one. */
  drop() {
    if (this.bar.hidden) return false;
    this.selection()?.drop();
    this.close();
    this.view.scroller.focus({ preventScroll: true });
    return true;
  }

  act(what) {
    const { stretch, view } = this;
    if (!what || !stretch) return;
    if (what === "copy") {
      copyText(view.document.text.slice(stretch.from, stretch.to));
      this.saying.never();
      this.said.textContent = "Copied";
      return view.flash("Copied");
    }
    askForPanel("marked");
    view.trigger("marked", { kind: what, start: stretch.from, end: stretch.to });
    this.drop();
  }

  /** Shift and the arrows select without a mouse: from the place gone to, or the top of the view, when nothing is or
   * somebody went elsewhere since. */
  extend(event) {
    const step = {
      ArrowRight: ["forward", event.ctrlKey || event.altKey ? "word" : "character"],
      ArrowLeft: ["backward", event.ctrlKey || event.altKey ? "word" : "character"],
      ArrowDown: ["forward", "line"],
      ArrowUp: ["backward", "line"],
      End: ["forward", "lineboundary"],
      Home: ["backward", "lineboundary"],
    }[event.key];
    if (!this.able || !event.shiftKey || !step) return false;
    event.preventDefault();
    const selection = getSelection();
    if (!selection) return false;
    const { place, pages } = this.view;
    const elsewhere = place >= 0 && place !== this.begun;
    const before = elsewhere ? null : selectedStretch(pages, this.selection());
    if (!before) putCaret(this.view, selection);
    this.begun = place;
    this.byKeys = true; // where it has begun is known, whatever is gone to before anybody looks
    extendToText(selection, step, this.view.root);
    this.showEnd(before, step[0] === "backward");
    return true;
  }

  /** Brings the end into view that a key has moved. The page on which the other one is stays: keys may come so fast that
   * nothing else is heard of the selection.
   * @param {{from: number, to: number} | null} before what was selected
   * @param {boolean} backward */
  showEnd(before, backward) {
    const { view } = this;
    const now = selectedStretch(view.pages, this.selection());
    if (!now) return;
    view.pages.pinned = new Set(now.pages);
    const [atStart, atEnd] = [now.from !== before?.from, now.to !== before?.to];
    this.moved = atStart && (backward || !atEnd) ? now.from : now.to - 1;
    view.keepInView(this.moved);
  }

  destroy() {
    document.removeEventListener("selectionchange", this.changed);
    for (const name of ["pointerup", "pointercancel"]) window.removeEventListener(name, this.released);
    clearTimeout(this.timer);
    this.saying.never();
  }
}

/** Moves a selection's end by one step of text: Chromium also stops at each tint of a page, which hold no text and stand
 * before its lines.
 * @param {Selection} selection
 * @param {string[]} step */
function extendToText(selection, step, root) {
  /** @type {Node | null} */
  let at = null;
  for (;;) {
    const before = at;
    selection.modify("extend", ...step);
    at = root.getRootNode().getSelection?.()?.focusNode;
    if (at === before || !(at instanceof Element && at.closest(".tints"))) return;
  }
}

/** Where a selection by keys begins: in the line that is here or, where that is blank, the next one with text. */
function putCaret(view, selection) {
  const { pages } = view;
  const offset = view.here();
  const here = pages.lineAt(offset);
  for (let line = here; ; line++) {
    const page = pages.live.get(pages.pageOfLine(line));
    const row = page?.body.children[line - page.first];
    if (!row) return;
    const place = textPlace(row, line === here ? offset - pages.lineStart(line) : 0);
    if (place) return selection.setBaseAndExtent(place.node, place.offset, place.node, place.offset);
  }
}
