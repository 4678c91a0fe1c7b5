// Windowed text: only the pages near the viewport are in the DOM. Heights are estimated, then measured; a correction
// above the viewport is paid back in scrollTop at once, so that the text a person reads does not move.

import { lastAtMost } from "./payload.js";
import { inTable } from "./tables.js";
import { contentEnd, lineElement, textPlace } from "./text.js";

export const ROW = 20;

/** @typedef {ReturnType<typeof import("./tables.js").withTables>} Layout Where lines and pages of a text begin, and its tables. */

export class Pages {
  /** Height of each page, in pixels. @type {Float64Array} */
  heights;
  /** Where each page begins, and the end of the last one. @type {Float64Array} */
  tops;

  constructor(scroller, content) {
    this.scroller = scroller;
    this.content = content;
    this.live = new Map();
    this.pinned = new Set(); // numbers of pages that stay in the DOM: a selection begins or ends there
    this.layout = /** @type {Layout} */ (/** @type {unknown} */ (null));
    this.width = 0;
  }

  show(layout) {
    this.layout = layout;
    this.clear();
    this.estimate();
  }

  clear() {
    for (const page of this.live.values()) page.element.remove();
    this.live.clear();
    this.pinned.clear();
  }

  get lineCount() {
    return this.layout.lines.length;
  }

  firstLine(page) {
    return this.layout.pages[page];
  }

  endLine(page) {
    return page + 1 < this.layout.pages.length ? this.layout.pages[page + 1] : this.lineCount;
  }

  lineStart(line) {
    return line < this.lineCount ? this.layout.lines[line] : this.layout.text.length;
  }

  pageOfLine(line) {
    return lastAtMost(this.layout.pages, line);
  }

  lineAt(offset) {
    return Math.max(0, lastAtMost(this.layout.lines, offset));
  }

  /** Heights from the width of one character: right for short lines of Latin text, corrected when a page is measured. */
  estimate() {
    this.width = this.scroller.clientWidth;
    this.content.style.setProperty("--cs-view", `${this.width}px`); // what is seen of the lines
    const probe = document.createElement("div");
    probe.className = "lines probe";
    const line = probe.appendChild(document.createElement("div"));
    line.className = "ln";
    const ruler = line.appendChild(document.createElement("span"));
    ruler.textContent = "0".repeat(10);
    this.content.append(probe);
    const unit = ruler.getBoundingClientRect().width / 10 || 8;
    const wrapped = line.getBoundingClientRect().width;
    const columns = Math.max(8, Math.floor(wrapped / unit));
    probe.remove();
    const { lines, pages } = this.layout;
    const across = Math.max(wrapped, Math.ceil(this.layout.columns * unit) + 1);
    this.content.style.setProperty("--cs-across", `${across}px`); // of the lines of tables
    this.heights = new Float64Array(pages.length);
    this.tops = new Float64Array(pages.length + 1);
    for (let page = 0; page < pages.length; page++) {
      let rows = 0;
      for (let line = this.firstLine(page); line < this.endLine(page); line++) {
        const length = this.lineStart(line + 1) - lines[line] - 1;
        const fit = length > columns && inTable(this.layout, line) ? Math.floor(across / unit) : columns;
        rows += length <= fit ? 1 : Math.ceil((length * 1.04) / fit);
      }
      this.heights[page] = rows * ROW;
    }
    this.stack(0);
  }

  stack(from) {
    const { tops, heights } = this;
    for (let page = from; page < heights.length; page++) tops[page + 1] = tops[page] + heights[page];
    this.content.style.height = `${tops[heights.length] + 48}px`;
    for (const [page, { element }] of this.live) {
      if (page >= from) element.style.transform = `translateY(${tops[page]}px)`;
    }
  }

  pageAtTop(y) {
    return Math.min(this.heights.length - 1, Math.max(0, lastAtMost(this.tops, y)));
  }

  /** Puts the pages near the viewport into the DOM and takes the others out; says whether anything changed. */
  fill() {
    const view = this.scroller.clientHeight;
    const margin = Math.max(400, view * 0.75);
    let changed = false;
    for (let round = 0; round < 4; round++) {
      const top = this.scroller.scrollTop;
      const first = this.pageAtTop(top - margin);
      const last = this.pageAtTop(top + view + margin);
      const fresh = [];
      for (let page = first; page <= last; page++) if (!this.live.has(page)) fresh.push(this.build(page));
      for (const [page, { element }] of this.live) {
        if ((page < first - 2 || page > last + 2) && !this.pinned.has(page)) {
          element.remove();
          this.live.delete(page);
          changed = true;
        }
      }
      if (!fresh.length) break;
      changed = true;
      if (!this.measure(fresh)) break;
    }
    return changed;
  }

  build(number) {
    const element = document.createElement("div");
    element.className = "page";
    element.style.transform = `translateY(${this.tops[number]}px)`;
    const tints = element.appendChild(document.createElement("div"));
    tints.className = "tints";
    tints.setAttribute("aria-hidden", "true");
    const body = element.appendChild(document.createElement("div"));
    body.className = "lines";
    const first = this.firstLine(number);
    for (let line = first; line < this.endLine(number); line++) {
      const element = lineElement(this.layout.text, this.lineStart(line), contentEnd(this.layout, line));
      if (inTable(this.layout, line)) element.classList.add("tbl");
      body.append(element);
    }
    const page = {
      number,
      element,
      tints,
      body,
      first,
      rowTops: null,
      rowEnds: new Map(),
      rtl: new Map(),
      shapes: [],
      painted: "",
      run: null,
      marks: null,
    };
    // In the source's order, for screen readers and selections.
    const later = [...this.live.values()].filter((other) => other.number > number).sort((a, b) => a.number - b.number);
    this.content.insertBefore(element, later.length ? later[0].element : null);
    this.live.set(number, page);
    return page;
  }

  /** Real heights of new pages. True when an estimate was wrong, so that more pages may be needed. */
  measure(fresh) {
    const anchor = this.pageAtTop(this.scroller.scrollTop);
    let from = Infinity;
    let above = 0;
    for (const page of fresh) {
      const height = page.body.offsetHeight;
      page.rowTops = null;
      const wrong = height - this.heights[page.number];
      if (!wrong) continue;
      this.heights[page.number] = height;
      from = Math.min(from, page.number);
      if (page.number < anchor) above += wrong;
    }
    if (from === Infinity) return false;
    this.stack(from);
    if (above) this.scroller.scrollTop += above;
    return true;
  }

  /** Top of each line of a page, and the page's height last, in the page's own pixels. */
  rowTops(page) {
    if (!page.rowTops) {
      page.rowTops = Array.from(page.body.children, (line) => line.offsetTop);
      page.rowTops.push(page.body.offsetHeight);
    }
    return page.rowTops;
  }

  /** Where an offset stands on its page: at the start of a line, or inside one, with the row and the x of the cut. */
  locate(page, offset) {
    const tops = this.rowTops(page);
    const line = this.lineAt(offset);
    const index = line - page.first;
    if (index < 0) return { top: 0, inside: false };
    if (index >= page.body.children.length) return { top: tops[tops.length - 1], inside: false };
    const within = offset - this.lineStart(line);
    if (within <= 0) return { top: tops[index], inside: false };
    if (offset >= contentEnd(this.layout, line)) return { top: tops[index + 1], inside: false };
    return this.locateInside(page, page.body.children[index], within, tops[index], tops[index + 1]);
  }

  locateInside(page, line, within, top, bottom) {
    const place = textPlace(line, within);
    const box = page.element.getBoundingClientRect();
    const range = document.createRange();
    if (!place) return { top, inside: false };
    const atEnd = place.offset >= place.node.length;
    range.setStart(place.node, atEnd ? Math.max(0, place.node.length - 1) : place.offset);
    range.setEnd(place.node, atEnd ? place.node.length : place.offset + 1);
    const rect = range.getClientRects()[0];
    if (!rect) return { top, inside: false };
    const rtl = this.isRtl(page, line);
    const x = (atEnd !== rtl ? rect.right : rect.left) - box.left;
    const row = Math.min(Math.max(top, (rect.top + rect.bottom) / 2 - box.top - ROW / 2), bottom - ROW);
    return { top: row, bottom: row + ROW, x: Math.max(0, x), inside: true, rtl };
  }

  /** Pixels between the text of an offset's row, whose top this is, and the right edge of what is seen before anybody
   * scrolls sideways. */
  roomAt(page, offset, top) {
    const line = page.body.children[this.lineAt(offset) - page.first];
    if (!line) return this.width;
    const row = `${this.lineAt(offset)} ${Math.round(top)}`;
    let end = page.rowEnds.get(row);
    if (end === undefined) page.rowEnds.set(row, (end = this.rowEnd(page, line, top)));
    return this.width - end;
  }

  /** Where the text of a row ends at the right, in the page's own pixels. */
  rowEnd(page, line, top) {
    const box = page.element.getBoundingClientRect();
    const range = document.createRange();
    range.selectNodeContents(line);
    let end = 0;
    for (const { left, right, top: above, bottom } of range.getClientRects()) {
      const middle = (above + bottom) / 2 - box.top;
      if (right > left && middle >= top && middle < top + ROW) end = Math.max(end, right - box.left);
    }
    return end;
  }

  isRtl(page, line) {
    let known = page.rtl.get(line);
    if (known === undefined) {
      known = /[\u0590-\u08ff\ufb1d-\ufefc]/.test(line.textContent) && getComputedStyle(line).direction === "rtl";
      page.rtl.set(line, known);
    }
    return known;
  }

  /** The source offset at the top of the viewport, with how far into its line the viewport begins. */
  anchor() {
    const top = this.scroller.scrollTop;
    const number = this.pageAtTop(top);
    const page = this.live.get(number);
    if (!page) return { offset: this.lineStart(this.firstLine(number)), delta: top - this.tops[number] };
    const tops = this.rowTops(page);
    const index = Math.min(page.body.children.length - 1, Math.max(0, lastAtMost(tops, top - this.tops[number])));
    return { offset: this.lineStart(page.first + index), delta: top - this.tops[number] - tops[index] };
  }

  /** Scrolls so that an offset's row stands `delta` pixels above (or, negative, below) the top of the viewport. */
  scrollTo(offset, delta = 0) {
    const number = this.pageOfLine(this.lineAt(offset));
    for (let round = 0; round < 3; round++) {
      const page = this.live.get(number);
      const within = page ? this.locate(page, offset).top : 0;
      const wanted = Math.max(0, this.tops[number] + within + delta);
      if (page && Math.abs(this.scroller.scrollTop - wanted) < 1) return;
      this.scroller.scrollTop = wanted;
      this.fill();
    }
  }

  /** Scrolls sideways where an offset is in a line that is longer than the view. */
  scrollAcrossTo(offset) {
    const page = this.live.get(this.pageOfLine(this.lineAt(offset)));
    const { x = 0 } = page ? this.locate(page, offset) : {};
    const { scrollLeft } = this.scroller;
    if (x >= scrollLeft && x < scrollLeft + this.width - 60) return;
    this.scroller.scrollLeft = x < this.width - 60 ? 0 : x - this.width / 2;
  }

  /** After a change of width: the same line stays at the top. */
  refit() {
    if (!this.layout || this.scroller.clientWidth === this.width) return false;
    const anchor = this.anchor();
    this.clear();
    this.estimate();
    this.scrollTo(anchor.offset, anchor.delta);
    return true;
  }
}
