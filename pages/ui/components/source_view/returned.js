// What a hit gives back, around the small chunks: a bracket beside the lines, and an outline of the chosen chunk's.

import { outline } from "./outline.js";
import { lastAtMost } from "./payload.js";

/** @typedef {{returnedStart: Int32Array, returnedEnd: Int32Array}} Returning */

const LEFT = 18; // pixels: between the rails of chunks and overlaps, and the text
const RIGHT = 23;

/** What a hit on a chunk gives back; null where that is the chunk itself.
 * @param {Returning} run
 * @param {number} chunk
 * @returns {[number, number] | null} */
export function returnedBy({ returnedStart, returnedEnd }, chunk) {
  if (chunk < 0 || chunk >= returnedStart.length) return null;
  return [returnedStart[chunk], returnedEnd[chunk]];
}

/** @type {WeakMap<Int32Array, {starts: number[], ends: number[]}>} */
const known = new WeakMap();

/** The stretches that hits give back and that overlap no other one, each once, ascending: those around each sentence
 * overlap, and are drawn for the chosen chunk only.
 * @param {Returning} run */
export function apart({ returnedStart, returnedEnd }) {
  const found = known.get(returnedStart) ?? foundApart(returnedStart, returnedEnd);
  known.set(returnedStart, found);
  return found;
}

/** @param {Int32Array} starts
 * @param {Int32Array} ends */
function foundApart(starts, ends) {
  const spans = [];
  for (let chunk = 0; chunk < starts.length; chunk++) {
    const last = spans[spans.length - 1];
    if (last?.[0] !== starts[chunk] || last[1] !== ends[chunk]) spans.push([starts[chunk], ends[chunk]]);
  }
  spans.sort((one, other) => one[0] - other[0] || one[1] - other[1]);
  const different = spans.filter(([start, end], at) => !at || spans[at - 1][0] !== start || spans[at - 1][1] !== end);
  const found = { starts: /** @type {number[]} */ ([]), ends: /** @type {number[]} */ ([]) };
  let reached = 0; // the end of all before
  different.forEach(([start, end], at) => {
    if (start >= reached && (at + 1 === different.length || different[at + 1][0] >= end)) {
      found.starts.push(start);
      found.ends.push(end);
    }
    reached = Math.max(reached, end);
  });
  return found;
}

/** The brackets and the outline on one page. Reads layout only.
 * @param {Returning} run */
export function returnedShapes(pages, page, run, selected, start, end) {
  const shapes = [];
  const chosen = returnedBy(run, selected);
  const { starts, ends } = apart(run);
  for (let at = Math.max(0, lastAtMost(starts, start)); at < starts.length && starts[at] < end; at++) {
    if (ends[at] <= start || starts[at] === chosen?.[0]) continue;
    shapes.push(bracket(pages, page, starts[at], ends[at], start, end, ""));
  }
  if (chosen && chosen[0] < end && chosen[1] > start) {
    shapes.push(bracket(pages, page, ...chosen, start, end, "of"));
    outline(pages, page, ...chosen, start, end, shapes, { kind: "area", style: "" });
  }
  return shapes;
}

function bracket(pages, page, from, to, start, end, style) {
  const top = from > start ? pages.locate(page, from).top : 0;
  const tail = to < end ? pages.locate(page, to) : { top: pages.rowTops(page).at(-1), inside: false };
  const bottom = tail.inside ? tail.bottom : tail.top;
  return { kind: "back", style, left: LEFT, right: RIGHT, top, bottom, opens: from >= start, closes: to <= end };
}
