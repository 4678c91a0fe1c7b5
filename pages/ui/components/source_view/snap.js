// Where a boundary may be dragged to: the starts of lines that are not blank, and of blocks before others.

import { contentEnd } from "./text.js";

/** @typedef {{text: string, lines: Int32Array}} Layout */

/** @param {Layout} layout
 * @param {number} line */
export function isBlank(layout, line) {
  return !layout.text.slice(layout.lines[line], contentEnd(layout, line)).trim();
}

/** Whether something new begins in a line: it is a heading, or what is before it is one or blank.
 * @param {Layout} layout
 * @param {number} line */
export function startsBlock(layout, line) {
  if (isBlank(layout, line)) return false;
  return line === 0 || isHeading(layout, line) || isBlank(layout, line - 1) || isHeading(layout, line - 1);
}

function isHeading({ text, lines }, line) {
  return /^ {0,3}#{1,6}[ \t]/.test(text.slice(lines[line], lines[line] + 12));
}

/** The line to snap to near one: a line that begins a block, where the one beside it does; -1 where there is none.
 * @param {Layout} layout
 * @param {number} line
 * @param {number} low the first line that may be taken
 * @param {number} high the last one */
export function snapped(layout, line, low, high) {
  const at = Math.min(high, Math.max(low, line));
  for (const near of [at, at + 1, at - 1]) if (near >= low && near <= high && startsBlock(layout, near)) return near;
  for (let away = 0; away <= high - low; away++)
    for (const near of [at + away, at - away]) if (near >= low && near <= high && !isBlank(layout, near)) return near;
  return -1;
}

/** The next line, or the next that begins a block, from one; the same where there is none.
 * @param {Layout} layout
 * @param {number} line
 * @param {1 | -1} step
 * @param {boolean} blocks
 * @param {number} low
 * @param {number} high */
export function stepped(layout, line, step, blocks, low, high) {
  for (let next = line + step; next >= low && next <= high; next += step)
    if (blocks ? startsBlock(layout, next) : !isBlank(layout, next)) return next;
  return line;
}
