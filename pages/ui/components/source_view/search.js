// Search within the document. The browser's own find sees only what is in the DOM; this one reads the whole text, which
// is here already.

import { make } from "../shared/component.js";
import { counted } from "../shared/counted.js";
import { drawnAt, showOverSheet } from "./over_sheet.js";
import { boxesOn, firstEndingAfter } from "./text_rects.js";

const MOST = 100_000; // hits that are kept; more are not counted
const WAITS_FROM = 1_000_000; // characters: shorter texts are searched at each letter typed
const WAIT = 160;

/** Where a text holds the words: starts and ends in code units, ascending, without overlaps. */
export function findAll(text, words, exact) {
  const starts = [];
  const ends = [];
  if (words) {
    const pattern = new RegExp(words.replace(/[\\^$.*+?()[\]{}|/]/g, "\\$&"), exact ? "gu" : "giu");
    for (let hit; starts.length < MOST && (hit = pattern.exec(text)); ) {
      starts.push(hit.index);
      ends.push(pattern.lastIndex);
    }
  }
  return { starts: Int32Array.from(starts), ends: Int32Array.from(ends), more: starts.length === MOST };
}

export class Search {
  constructor(view) {
    this.view = view;
    this.words = "";
    this.exact = false;
    this.hits = findAll("", "", false);
    this.at = -1;
    this.version = 0;
    this.build();
  }

  build() {
    const row = (this.row = make("div", "find", null, {
      role: "search",
      "aria-label": "Search in the document",
      hidden: "",
    }));
    this.field = make("input", "", row, {
      type: "text",
      "aria-label": "Search for",
      placeholder: "Search the text",
      spellcheck: "false",
      autocomplete: "off",
    });
    this.count = make("span", "found", row, { role: "status" });
    const button = (words, sign, act) => {
      const one = make("button", "barbtn", row, { type: "button", "aria-label": words, title: words });
      one.textContent = sign;
      one.addEventListener("click", act);
      return one;
    };
    this.case = button("Match upper and lower case", "Aa", () => this.setExact(!this.exact));
    this.case.setAttribute("aria-pressed", "false");
    button("Previous hit (Shift and Enter)", "↑", () => this.go(-1));
    button("Next hit (Enter)", "↓", () => this.go(1));
    button("Close the search (Escape)", "✕", () => this.close());
    this.view.body.before(row);
    this.field.addEventListener("input", () => this.typed());
    row.addEventListener("keydown", (event) => this.keyDown(event));
  }

  get name() {
    return this.row.hidden ? "" : `${this.version} ${this.at}`;
  }

  open() {
    this.row.hidden = false;
    this.field.focus();
    this.field.select();
    if (this.words) this.look();
  }

  close() {
    this.row.hidden = true;
    this.view.soonPaint();
    this.view.scroller.focus({ preventScroll: true });
  }

  keyDown(event) {
    event.stopPropagation(); // keys of the page are not for what is typed here
    if (event.key === "Escape") this.close();
    else if (event.key === "Enter" && event.target === this.field) this.go(event.shiftKey ? -1 : 1);
    else return;
    event.preventDefault();
  }

  typed() {
    clearTimeout(this.timer);
    const length = this.view.document?.text.length ?? 0;
    this.timer = setTimeout(() => this.look(), length < WAITS_FROM ? 0 : WAIT);
  }

  setExact(exact) {
    this.exact = exact;
    this.case.setAttribute("aria-pressed", String(exact));
    this.look();
  }

  /** Finds the words anew and goes to the first hit from the top of the view on. */
  look() {
    clearTimeout(this.timer);
    const { view } = this;
    if (!view.document) return;
    this.words = this.field.value;
    this.hits = findAll(view.document.text, this.words, this.exact);
    this.version += 1;
    const { starts } = this.hits;
    const from = view.window().from;
    this.at = starts.length ? firstEndingAfter(starts.length, (hit) => starts[hit] + 1, from) % starts.length : -1;
    this.show();
  }

  /** A new document: what was found is of the one before. */
  renew() {
    if (!this.row.hidden && this.words) this.look();
    else this.hits = findAll("", "", false);
  }

  go(step) {
    if (this.field.value !== this.words) this.look();
    else {
      const { length } = this.hits.starts;
      if (!length) return;
      this.at = (this.at + step + length) % length;
      this.show();
    }
  }

  show() {
    const { length } = this.hits.starts;
    const all = `${counted(length)}${this.hits.more ? "+" : ""}`;
    this.count.textContent = !this.words ? "" : length ? `${counted(this.at + 1)} of ${all}` : "not found";
    if (length) this.bringIntoView(this.hits.starts[this.at]);
    this.view.soonPaint();
  }

  bringIntoView(offset) {
    this.view.bringOffsetIntoView(offset);
    showOverSheet(this.view, drawnAt(this.view, offset), -1);
  }

  /** The boxes of the hits on one page: reads layout only. */
  boxes(pages, page) {
    if (this.row.hidden) return [];
    const { starts, ends } = this.hits;
    const end = pages.lineStart(pages.endLine(page.number));
    const boxes = [];
    let hit = firstEndingAfter(starts.length, (index) => ends[index], pages.lineStart(page.first));
    for (; hit < starts.length && starts[hit] < end; hit++) {
      for (const box of boxesOn(pages, page, starts[hit], Math.min(ends[hit], end)))
        boxes.push({ ...box, now: hit === this.at });
    }
    return boxes;
  }
}

/** Puts the hits of one page into the DOM: writes only. */
export function paintHits(page, boxes) {
  if (!page.hitLayer) {
    if (!boxes.length) return;
    page.hitLayer = make("div", "hits", null, { "aria-hidden": "true" });
    page.body.before(page.hitLayer);
  }
  page.hitLayer.replaceChildren(
    ...boxes.map(({ left, right, top, bottom, now }) => {
      const box = make("i", now ? "now" : "");
      box.style.cssText = `left:${left}px;width:${right - left}px;top:${top}px;height:${bottom - top}px`;
      return box;
    }),
  );
}

/** Hits as ticks on the overview, one for each pixel row at most. */
export function drawHitTicks(pen, { starts }, at, scale, width, colours) {
  let drawn = -2;
  pen.fillStyle = colours.text;
  for (const start of starts) {
    const y = Math.round(start * scale);
    if (y - drawn < 2) continue;
    drawn = y;
    pen.fillRect(width - 16, y, 16, 1);
  }
  if (at < 0 || at >= starts.length) return;
  pen.fillStyle = colours.hit;
  pen.strokeStyle = colours.text;
  pen.lineWidth = 1;
  const y = Math.round(starts[at] * scale);
  pen.fillRect(width - 18, y - 2, 18, 5);
  pen.strokeRect(width - 17.5, y - 1.5, 17, 4);
}
