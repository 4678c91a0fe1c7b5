// What the dashes at the right edge of the source are, in words under the pointer, and what the overview shows.

import { tornDensity } from "./torn.js";

/** What the dashes are of: on Compare, where sources scroll together, of its first config.
 * @param {import("./payload.js").Run} run */
export const comparedWith = (run) => (run.together ? "A" : "the baseline");

/** @param {import("./payload.js").Run} run */
export const onlyThere = (run) =>
  run.together ? "A cuts here; this config does not" : "The baseline cuts here; the current settings do not";
const OVERVIEW = "Overview of the document: click or drag to jump";
const NEAR = 6; // pixels around a dash that belong to it: it is 2 high

/** Says what is in the overview, as this run has it.
 * @param {HTMLElement} map
 * @param {import("./payload.js").Run} run */
export function explainOverview(map, run) {
  const parts = [OVERVIEW, "As wide as a chunk has tokens"];
  if (run.gapStart.length) parts.push("Dashed: left out");
  if (run.baseline?.length) parts.push(`Ticks at the left: the boundaries of ${comparedWith(run)}`);
  if (tornDensity(run, map.clientHeight))
    parts.push("Bars from the right: torn boundaries, the longer the more are there");
  else if (run.torn.length) parts.push("Zigzag: a torn boundary, which cuts a table, code or a list in two");
  const words = parts.join(". ");
  if (map.title !== words) map.title = words;
}

/** Whether this point of a page is on one of its dashes. */
export function isOnBaselineMark(page, x, y) {
  return page.shapes?.some(
    ({ kind, left, top, bottom }) => kind === "was" && x >= left - NEAR && y >= top - NEAR && y < bottom + NEAR,
  );
}
