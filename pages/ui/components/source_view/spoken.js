// What a screen reader is told of a selection, of a heading that was gone to and of a boundary that keys move: the text
// itself, and what can be done only the first time.

import { counted } from "../shared/counted.js";

const LONGEST = 80; // characters of a quoted text
const READ = 1_000; // characters of a long one that are looked at, at either end

/** A text in one line, between quotation marks; of a long one whole words of its beginning and, where it is `ended`, of its
 * end, which keys move.
 * @param {string} text
 * @param {{ended?: boolean}} [how] */
export function quoted(text, { ended = false } = {}) {
  const line = oneLine(text.length > 2 * READ ? `${text.slice(0, READ)} ${text.slice(-READ)}` : text);
  if (line.length <= LONGEST) return `“${line}”`;
  const room = ended ? LONGEST / 2 : LONGEST;
  const begins = line.slice(0, room + 1);
  const first = begins.slice(0, begins.lastIndexOf(" ") > 0 ? begins.lastIndexOf(" ") : room);
  if (!ended) return `“${first} …”`;
  const ends = line.slice(-room - 1);
  return `“${first} … ${ends.includes(" ") ? ends.slice(ends.indexOf(" ") + 1) : ends}”`;
}

const oneLine = (text) => text.replace(/\s+/g, " ").trim();

/** @param {string} text */
export function sizeOfSelection(text) {
  const length = [...text].length;
  return `${counted(length)} ${length === 1 ? "character" : "characters"} selected`;
}

/** @param {string} text what is selected
 * @param {boolean} first whether nothing was selected on this visit */
export function saidOfSelection(text, first) {
  const what = text.trim() ? `${quoted(text, { ended: true })}, ` : "";
  return `${what}${sizeOfSelection(text)}.${first ? " Tab goes to Mark as answer, Keep whole and Copy." : ""}`;
}

/** @param {{title: string, level: number, line: string}} heading that was gone to */
export function saidOfHeading({ title, level, line }) {
  return `${oneLine(title) || "No title"}, level ${level}, line ${line}`;
}

/** @param {{number: string, text: string, inside: boolean}} line that the boundary would be before
 * @param {boolean} first whether no boundary was moved on this visit */
export function saidOfBoundary({ number, text, inside }, first) {
  const where = `Boundary before line ${number}${inside ? ", inside a block" : ""}: ${quoted(text)}.`;
  return `${where}${first ? " Enter finds the settings, Escape gives up." : ""}`;
}
