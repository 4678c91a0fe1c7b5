// On a phone the sheet lies over the lower end of the window, with what is said of the selected chunk: the source is
// scrolled until the chunk's boundary stands above the sheet.

import { hasSheet, hearsOfGrowth, leavesOnlySource, sheetTop } from "../phone_sheet/sheet.js";
import { make } from "../shared/component.js";
import { paint } from "./painting.js";

const ROW = 20;
const LINES_ABOVE = ROW; // pixels that are seen above a boundary
const LINES_BELOW = 2 * ROW; // and below it
const EDGE = 8; // pixels over the sheet that stay free, as the page's own scroll padding has them
const MOST_ROOMS = 3; // of the text that is in sight, which a chunk may have to be shown by its end
const FIRST_VISIT = "--cs-first-visit"; // layout/style.css says it

/** What is to be seen, from where to where: a place with the lines around it and, where there is room for both, the end of
 * its chunk with the lines around that.
 * @param {number} place in pixels, as all of these
 * @param {number} end NaN where it is not drawn
 * @param {number} room
 * @returns {[number, number]} */
export function stretchToSee(place, end, room) {
  const [from, to] = [place - LINES_ABOVE, place + LINES_BELOW];
  const whole = Math.max(to, end + LINES_BELOW);
  return [from, whole - from <= room ? whole : to];
}

/** How far the source scrolls: the page scrolls first, up to where the source begins at the window's top.
 * @param {[number, number]} stretch on the screen
 * @param {{top: number, lift: number, lid: number}} over where the text begins, how far the page can lift it, where the
 * sheet begins */
export function scrolledWithin([from, to], { top, lift, lid }) {
  const hidden = to - lift - lid;
  return hidden > 0 ? hidden : Math.min(0, from - top);
}

/** Where an offset is drawn, in the pixels of the content; NaN where it is not drawn. */
export function drawnAt(view, offset) {
  const y = view.topOf(offset);
  return y === -1 ? Number.NaN : y + view.scroller.scrollTop;
}

/** Scrolls source and page no further than it takes to see a place above the sheet, and the end of the chunk with it.
 * @param {number} y the place, in the pixels of the content
 * @param {number} chunk of which the end is explained; -1 for none */
export function showOverSheet(view, y, chunk) {
  if (!hasSheet() || Number.isNaN(y) || view.root.matches(":popover-open")) return;
  const { scroller, root, content, document, run } = view;
  const hidden = scroller.getBoundingClientRect().top + y - LINES_ABOVE < scroller.scrollTop; // above the window
  if (hidden) root.scrollIntoView({ block: "start" });
  const [frame, text] = [root.getBoundingClientRect(), scroller.getBoundingClientRect()];
  const lid = sheetTop() - EDGE;
  const end = chunk < 0 ? Number.NaN : drawnAt(view, run.start[chunk + 1] ?? document.text.length);
  const stretch = stretchToSee(y, end, lid - (text.top - frame.top));
  const screen = stretch.map((each) => each + text.top - scroller.scrollTop);
  const lift = Math.max(0, frame.top);
  const by = scrolledWithin([screen[0], screen[1]], { top: text.top, lift, lid });
  if (by) {
    scroller.scrollTop += by;
    view.pages.fill();
    paint(view);
  }
  const seen = make("i", "seen", content, { "aria-hidden": "true" });
  const [from, to] = stretch.map((each) => Math.max(0, each));
  seen.style.cssText = `top:${from}px;height:${to - from}px;left:${scroller.scrollLeft}px`;
  seen.scrollIntoView({ block: "nearest" });
  seen.remove();
}

/** Shows where the selected chunk begins, and its end where there is room. */
export function showSelectedOverSheet(view) {
  if (hasSheet() && view.selected >= 0)
    showOverSheet(view, drawnAt(view, view.run.start[view.selected]), view.selected);
}

/** How far a source that is opened scrolls, for the end of its first selected chunk to be in sight: not where that is so
 * already, nor where nearly all of the chunk would be out of sight.
 * @param {number} end below the beginning of the text, NaN where it is not drawn
 * @param {number} room how much of the text is in sight over the sheet */
export function openedBy(end, room) {
  const by = end + LINES_BELOW - room;
  return by > 0 && end <= room * MOST_ROOMS ? by : 0;
}

/** On a first visit the boundary that the steps speak of is in sight over the sheet. A sheet that comes later says so. */
export function openOverSheet(view) {
  view.opened = hasSheet() && getComputedStyle(view.root).getPropertyValue(FIRST_VISIT) !== "";
  if (sheetTop() < innerHeight) showOpened(view);
}

function showOpened(view) {
  if (!view.opened) return;
  view.opened = false;
  const { scroller, run, document, selected } = view;
  if (selected < 0 || scroller.scrollTop) return; // it has been scrolled, by hand or to a place
  const end = drawnAt(view, run.start[selected + 1] ?? document.text.length);
  scroller.scrollTop = openedBy(end, sheetTop() - EDGE - scroller.getBoundingClientRect().top);
  view.pages.fill();
  paint(view);
}

/** Keeps the selected chunk's boundary in sight when the sheet grows over it; what was out of sight stays there. Where the
 * sheet leaves little room, the source has all of it.
 * @returns {() => void} what ends it */
export function keepsOverSheet(view) {
  return hearsOfGrowth((before) => {
    if (!view.run) return;
    showOpened(view);
    const { top } = view.scroller.getBoundingClientRect();
    const y = view.selected < 0 ? -1 : view.topOf(view.run.start[view.selected]);
    const seen = y >= 0 && top + y >= 0 && top + y < before;
    if (leavesOnlySource() && top > 0 && top < before) view.root.scrollIntoView({ block: "start" });
    if (seen) showSelectedOverSheet(view);
  });
}
