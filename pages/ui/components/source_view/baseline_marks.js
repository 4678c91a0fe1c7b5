// What the dashes at the right edge of the source are: a key beside the header's other words, and words under the pointer.

import { make } from "../shared/component.js";

export const ONLY_OF_BASELINE = "The baseline cuts here; the current settings do not";
const OVERVIEW = "Overview of the document: click or drag to jump";
const NEAR = 6; // pixels around a dash that belong to it: it is 2 high

/** The key to the dashes; seen where there is a baseline and the header has room. */
export function baselineKey(bar) {
  const key = make("span", "was-key", bar, {
    title: `Dashes at the right edge: ${ONLY_OF_BASELINE.toLowerCase()}`,
    hidden: "",
  });
  make("i", "", key, { "aria-hidden": "true" });
  make("span", "", key).textContent = "only baseline";
  return key;
}

/** Shows the key and says what is in the overview, as this run has it.
 * @param {import("./payload.js").Run} run */
export function explainBaseline(key, map, run) {
  key.hidden = !run.baseline?.length;
  const parts = [OVERVIEW, "As wide as a chunk has tokens"];
  if (run.gapStart.length) parts.push("Dashed: left out");
  if (run.baseline?.length) parts.push("Ticks at the left: the boundaries of the baseline");
  if (run.torn.length) parts.push("Zigzag: a torn boundary, which cuts a table, code or a list in two");
  const words = parts.join(". ");
  if (map.title !== words) map.title = words;
}

/** Whether this point of a page is on one of its dashes. */
export function isOnBaselineMark(page, x, y) {
  return page.shapes?.some(
    ({ kind, left, top, bottom }) => kind === "was" && x >= left - NEAR && y >= top - NEAR && y < bottom + NEAR,
  );
}
