// Tables are not wrapped: their lines are as long as they are written, and the source scrolls sideways to them.

import { lastAtMost } from "./payload.js";
import { contentEnd } from "./text.js";

const MOST_COLUMNS = 240; // a longer line is wrapped there
const TAB = 4;
const DOUBLE = /[\u1100-\u115f\u2e80-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe4f\uff00-\uff60\uffe0-\uffe6]/g;

/** A laid out text with its tables: which lines are of one, and how many columns the longest of these takes.
 * @param {{text: string, lines: Int32Array, pages: Int32Array}} layout
 * @param {Int32Array} [starts]
 * @param {Int32Array} [ends] */
export function withTables(layout, starts = new Int32Array(), ends = new Int32Array()) {
  const tables = { starts, ends };
  let columns = 0;
  for (let table = 0; table < starts.length && columns < MOST_COLUMNS; table++) {
    let line = Math.max(0, lastAtMost(layout.lines, starts[table]));
    for (; line < layout.lines.length && layout.lines[line] < ends[table]; line++)
      columns = Math.max(columns, columnsOf(layout.text.slice(layout.lines[line], contentEnd(layout, line))));
  }
  return { ...layout, tables, columns: Math.min(MOST_COLUMNS, columns) };
}

/** Whether a line is of a table.
 * @param {{lines: Int32Array, tables: {starts: Int32Array, ends: Int32Array}}} layout
 * @param {number} line */
export function inTable({ lines, tables }, line) {
  const table = lastAtMost(tables.starts, lines[line]);
  return table >= 0 && lines[line] < tables.ends[table];
}

/** About how many columns a text takes: Chinese, Japanese and Korean letters are two columns wide. */
function columnsOf(text) {
  const tabs = text.split("\t").length - 1;
  return text.length + tabs * (TAB - 1) + (text.length < MOST_COLUMNS ? (text.match(DOUBLE) ?? []).length : 0);
}
