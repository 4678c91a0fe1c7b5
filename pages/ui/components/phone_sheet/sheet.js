// The sheet at the bottom of a phone: how large it is and which of its tabs is open, said on the page's root, where CSS
// reads it. On a wide screen nothing does.

import { recalled, remember } from "../shared/browser_session.js";
import { PHONE } from "../shared/phone.js";

/** @typedef {"handle" | "one" | "all"} Size its handle only; one threshold; all of it */
/** @typedef {"settings" | "chunk"} Tab */

/** From the smallest to the largest. @type {Size[]} */
export const SIZES = ["handle", "one", "all"];
/** Pixels of height under which it begins as its handle. */
export const SHORT = 500;
const STEP = 140; // pixels of a drag from one size to the next
const MEANT = 24; // less is no drag
const WANTED = "chunkscope:sheet";
const LOWERED = "chunkscope:sheet-lowered";
const GREW = "chunkscope:sheet-grew";
const MEASURED = "chunkscope:sheet-measured";

/** The size to begin with: as it was, else by the height of the window.
 * @param {string | null} kept
 * @param {number} height
 * @returns {Size} */
export function firstSize(kept, height) {
  return SIZES.find((size) => size === kept) ?? (height < SHORT ? "handle" : "one");
}

/** The size that is so many steps larger.
 * @param {Size} size
 * @param {number} steps
 * @returns {Size} */
export function larger(size, steps) {
  return SIZES[Math.min(SIZES.length - 1, Math.max(0, SIZES.indexOf(size) + steps))];
}

/** The size after a drag of so many pixels upwards.
 * @param {Size} size
 * @param {number} pixels
 * @returns {Size} */
export function dragged(size, pixels) {
  if (Math.abs(pixels) < MEANT) return size;
  return larger(size, Math.sign(pixels) * Math.max(1, Math.round(Math.abs(pixels) / STEP)));
}

export const keptSize = () => recalled("sheet");

/** @param {Size} size
 * @param {Tab} tab */
export function showSheet(size, tab) {
  const { dataset } = document.documentElement;
  dataset.sheet = size;
  dataset.sheetTab = tab;
  remember("sheet", size);
}

/** Whether the page has the sheet, and with it the selected chunk, which is then not among the panels below the source. */
export const hasSheet = () => matchMedia(PHONE).matches;

/** Hears when the window becomes a phone's, or is one no longer.
 * @param {() => void} hear
 * @returns {() => void} what ends it */
export function hearsWhetherSheet(hear) {
  const heard = new AbortController();
  matchMedia(PHONE).addEventListener("change", hear, { signal: heard.signal });
  return () => heard.abort();
}

/** How far the sheet is dragged down, in pixels, until it is let go.
 * @param {number} pixels */
export function moveSheet(pixels) {
  document.documentElement.style.setProperty("--cs-sheet-drag", `${pixels}px`);
}

/** Where the sheet begins, in pixels from the window's top: at its bottom without a sheet. */
export function sheetTop() {
  const asked = { top: innerHeight };
  document.dispatchEvent(new CustomEvent(MEASURED, { detail: asked }));
  return asked.top;
}

/** Says where the sheet begins whenever somebody asks.
 * @param {() => number} top
 * @returns {() => void} what ends it */
export function tellsSheetTop(top) {
  const heard = new AbortController();
  const answer = ({ detail }) => {
    detail.top = Math.min(detail.top, top());
  };
  document.addEventListener(MEASURED, /** @type {any} */ (answer), { signal: heard.signal });
  return () => heard.abort();
}

/** Says that the sheet is larger than it was.
 * @param {number} before where it began until then */
export function tellGrowth(before) {
  document.dispatchEvent(new CustomEvent(GREW, { detail: before }));
}

/** @param {(before: number) => void} hear where the sheet began until then
 * @returns {() => void} what ends it */
export function hearsOfGrowth(hear) {
  const heard = new AbortController();
  const listener = ({ detail }) => hear(detail);
  document.addEventListener(GREW, /** @type {any} */ (listener), { signal: heard.signal });
  return () => heard.abort();
}

/** Whether over the sheet there is room for the source alone: where it is as large as it gets or, in a low window, open at all. */
export const leavesOnlySource = () => hasSheet() && leavesLittle(document.documentElement.dataset.sheet, innerHeight);

/** @param {string | undefined} size
 * @param {number} height of the window */
export const leavesLittle = (size, height) => size === "all" || (size === "one" && height < SHORT);

/** Asks for a tab of the sheet, at least one threshold large.
 * @param {Tab} tab
 * @param {{focus?: boolean}} [how] whether the tab is to have the focus */
export function askForSheet(tab, { focus = false } = {}) {
  document.dispatchEvent(new CustomEvent(WANTED, { detail: { tab, low: true, focus } }));
}

/** Shows the chunk that was selected, where there is a sheet; in a low window only its tab. */
export function showSelected() {
  if (hasSheet()) document.dispatchEvent(new CustomEvent(WANTED, { detail: { tab: "chunk", low: false } }));
}

/** Leaves its handle only: what was asked for stands on the page, under it. */
export const lowerSheet = () => lowerTo("handle");

/** Leaves what a change comes to and one threshold: what is changed stands on the page, over it. */
export const halveSheet = () => lowerTo("one");

/** @param {Size} size */
function lowerTo(size) {
  if (hasSheet()) document.dispatchEvent(new CustomEvent(LOWERED, { detail: size }));
}

/** @param {(tab: Tab, grows: boolean, focus: boolean) => void} open whether a handle becomes larger, the tab has the focus
 * @param {(size: Size) => void} lower
 * @returns {() => void} what ends it */
export function hearsOfSheet(open, lower) {
  const heard = new AbortController();
  const listener = ({ detail: { tab, low, focus } }) => open(tab, low || innerHeight >= SHORT, Boolean(focus));
  document.addEventListener(WANTED, /** @type {any} */ (listener), { signal: heard.signal });
  const lowered = ({ detail }) => lower(detail);
  document.addEventListener(LOWERED, /** @type {any} */ (lowered), { signal: heard.signal });
  return () => heard.abort();
}
