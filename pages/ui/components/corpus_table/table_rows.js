// The rows of the corpus table as data: read from bytes (rows.py), updated, filtered and ordered. No elements.

import { counted } from "../shared/counted.js";

const TORN = 0x8000;
const PLACES = 4096;
const MANY = 1000; // more than there are checks
const MOST_CHUNKS = 1e9; // more than a document has

/**
 * @typedef {object} Row
 * @property {number} number of its document
 * @property {string} name
 * @property {string} override
 * @property {boolean} known whether it has been cut
 * @property {boolean} behind whether that was with other settings than now
 * @property {number} chunks
 * @property {number} median
 * @property {number | null} within
 * @property {number} torn
 * @property {number} over
 * @property {number} over_with_context within the limit by what that counts, over it as whole texts
 * @property {number} left_out visible characters in no chunk; front matter is not counted
 * @property {number} short_tail of what is left out, a last chunk below the minimum
 * @property {number} lost of it, what no setting leaves out
 * @property {string[]} failed the names of the health checks that it fails
 * @property {string[]} warned of those that warn
 * @property {"no" | "before" | "yes"} checked whether they are known; "before": of other settings than now
 * @property {number} repeats its chunks whose text another document has too
 * @property {string} alsoIn which documents have them
 * @property {string} problem
 * @property {Uint16Array} places where its chunks end
 *
 * @typedef {{order: string, descending: boolean, show: string, check: string, path: string, row: string}} Shown
 */

export const NUMBERS = /** @type {const} */ ([
  ...["chunks", "median", "within", "torn", "over", "over_with_context", "left_out"],
  ...["short_tail", "lost"],
]);

/** @param {Uint8Array} bytes */
export function readRows(bytes) {
  const size = new DataView(bytes.buffer, bytes.byteOffset, 4).getUint32(0, true);
  const head = JSON.parse(new TextDecoder().decode(bytes.subarray(4, 4 + size)));
  const body = bytes.slice(4 + size); // aligned, whatever it was in
  return { head, places: new Uint16Array(body.buffer, 0, body.length >> 1) };
}

/** All rows of a corpus, those that are not cut yet included.
 * @returns {Row[]} */
export function newRows({ names, overrides }) {
  return names.map((name, number) => ({
    ...{ number, name, override: overrides[number], known: false, behind: false, chunks: 0, median: 0, within: null },
    ...{
      torn: 0,
      over: 0,
      over_with_context: 0,
      left_out: 0,
      short_tail: 0,
      lost: 0,
      problem: "",
      places: new Uint16Array(),
    },
    ...{ failed: [], warned: [], checked: /** @type {const} */ ("no") },
    ...{ repeats: 0, alsoIn: "" },
  }));
}

/** Writes what bytes say into the rows they are about; the others are behind then.
 * @param {Row[]} rows */
export function updateRows(rows, { head, places }) {
  let at = 0;
  for (const row of rows) row.behind = true;
  head.rows.forEach((number, index) => {
    const row = rows[number];
    if (!row) return;
    row.known = true;
    row.behind = false;
    for (const name of NUMBERS) row[name] = head[name][index];
    row.problem = head.problems[number] ?? "";
    row.places = places.subarray(at, (at += row.problem ? 0 : row.chunks));
  });
}

/** Writes which health checks the rows do not pass; those of rows that they say nothing of are of other settings.
 * @param {Row[]} rows
 * @param {{failed: Record<number, string[]>, warned: Record<number, string[]>}} checks */
export function updateChecks(rows, { failed, warned }) {
  for (const row of rows) {
    const now = failed[row.number];
    if (now) [row.failed, row.warned, row.checked] = [now, warned[row.number], "yes"];
    else if (row.checked === "yes") row.checked = "before";
  }
}

/** Writes what the documents have in common.
 * @param {Row[]} rows
 * @param {Record<number, [chunks: number, documents: number[], more: boolean]>} repeats */
export function updateRepeats(rows, repeats) {
  for (const row of rows) {
    const [chunks, documents, more] = repeats[row.number] ?? [0, [], false];
    const names = documents.map((number) => rows[number]?.name ?? "").join(", ");
    row.repeats = chunks;
    row.alsoIn = chunks ? `${counted(chunks)} also in ${names}${more ? " and others" : ""}` : "";
  }
}

/** How many rows fail each check and how many have a warning; the one that most fail first.
 * @param {Row[]} rows
 * @returns {{name: string, failed: number, warned: number}[]} */
export function countChecks(rows) {
  /** @type {Map<string, {name: string, failed: number, warned: number}>} */
  const counts = new Map();
  for (const row of rows)
    for (const verdict of /** @type {const} */ (["failed", "warned"]))
      for (const name of row[verdict]) {
        const count = counts.get(name) ?? { name, failed: 0, warned: 0 };
        count[verdict]++;
        counts.set(name, count);
      }
  return [...counts.values()].sort((a, b) => b.failed - a.failed || b.warned - a.warned || (a.name < b.name ? -1 : 1));
}

/** Whether a row belongs to what is to be shown.
 * @param {Row} row
 * @param {string} show */
export function belongs(row, show) {
  if (show === "all") return true;
  if (show === "over") return row.over > 0 || row.over_with_context > 0;
  return show === "problem" ? Boolean(row.problem) : row[show] > 0;
}

/** The rows to show, in their order; equal ones by name.
 * @param {Row[]} rows
 * @param {Shown} shown
 * @returns {Row[]} */
export function arranged(rows, { order, descending, show, check, path }) {
  const wanted = path.trim().toLowerCase();
  const passes = (row) => check && !row.failed.includes(check) && !row.warned.includes(check);
  const chosen = rows.filter((row) => belongs(row, show) && !passes(row) && row.name.toLowerCase().includes(wanted));
  const way = descending ? -1 : 1;
  const byName = (a, b) => (a.name < b.name ? -1 : a.name > b.name ? 1 : a.number - b.number);
  const value = (row) => {
    if (!row.known || row.problem) return null;
    if (order === "checks") return row.checked === "no" ? null : row.failed.length * MANY + row.warned.length;
    if (order === "over") return row.over + row.over_with_context / MOST_CHUNKS;
    return row[order] ?? Number.POSITIVE_INFINITY;
  };
  return chosen.sort((a, b) => {
    if (order === "document") return way * byName(a, b);
    if (order === "override")
      return way * (a.override < b.override ? -1 : a.override > b.override ? 1 : 0) || byName(a, b);
    const [one, other] = [value(a), value(b)];
    if (one === null || other === null) return Number(one === null) - Number(other === null) || byName(a, b);
    // Of a share, the smaller is the worse: its worst are its least.
    const worse = order === "within" ? other - one : one - other;
    return way * (Number.isNaN(worse) ? 0 : worse) || byName(a, b);
  });
}

/** The chunks of a row as stretches of a strip, from 0 to 1.
 * @param {Uint16Array} places
 * @returns {{from: number, to: number, hue: number, torn: boolean}[]} */
export function stretches(places) {
  let [from, before] = [0, -1];
  return Array.from(places, (place) => {
    const to = Math.min(PLACES, place & ~TORN);
    let hue = (Math.imul(from + 1, 2654435761) >>> 16) % 6;
    if (hue === before) hue = (hue + 1) % 6;
    before = hue;
    const stretch = { from: from / PLACES, to: to / PLACES, hue, torn: Boolean(place & TORN) };
    from = to;
    return stretch;
  });
}
