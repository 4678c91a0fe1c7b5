// The chunks that stand out where a filter is chosen: the others lose their colours, and keys pass over them.

import { make } from "../shared/component.js";
import { counted } from "../shared/counted.js";
import { lastAtMost } from "./payload.js";

/** Whether a chunk stands out; all do without a filter, and where it finds none.
 * @param {{standing: Int32Array}} run
 * @param {number} chunk */
export function standsOut({ standing }, chunk) {
  const index = lastAtMost(standing, chunk);
  return !standing.length || (index >= 0 && standing[index] === chunk);
}

/** The chunk to go to from here: the next one, or the next that stands out; the same at either end.
 * @param {{standing: Int32Array, chunks: number}} run
 * @param {number} from the chunk that would be gone to without a filter
 * @param {number} step 1 or -1 */
export function nearestStanding({ standing, chunks }, from, step) {
  if (!standing.length) return Math.min(chunks - 1, Math.max(0, from));
  const before = lastAtMost(standing, step > 0 ? from - 1 : from);
  return standing[Math.min(standing.length - 1, Math.max(0, step > 0 ? before + 1 : before))];
}

/** The lines of a page that are of no chunk that stands out look so: writes only.
 * @param {import("./payload.js").Run} run */
export function dimLines(pages, page, run) {
  if (!run.standing.length && !page.dimmed) return;
  page.dimmed = run.standing.length > 0;
  [...page.body.children].forEach((line, index) => {
    const start = pages.lineStart(page.first + index);
    const end = pages.lineStart(page.first + index + 1);
    let chunk = Math.max(0, lastAtMost(run.start, start));
    let off = page.dimmed;
    for (; off && chunk < run.chunks && run.start[chunk] < Math.max(end, start + 1); chunk++)
      off = !(run.end[chunk] > start && standsOut(run, chunk));
    line.classList.toggle("off", off);
  });
}

/** How many stand out, in the header of the source. */
export class Standing {
  constructor(bar) {
    this.words = make("span", "standing", bar, { role: "status", hidden: "" });
  }

  /** @param {import("./payload.js").Run} run */
  show({ only, standing, chunks }) {
    const of = `${counted(standing.length)} of ${counted(chunks)}`;
    const words = !only ? "" : standing.length ? `${of} ${only}` : `No chunk is ${only}`;
    this.words.hidden = !words;
    if (this.words.textContent !== words) this.words.textContent = words;
  }
}
