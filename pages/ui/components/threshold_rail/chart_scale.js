// Where a number of tokens stands on the histogram's axis, and back: numbers only.

import { counted } from "../shared/counted.js";

export const MARGIN = 8; // left of the axis, so that a handle at its begin is whole
const GAP = 8; // between the axis and the bin of all beyond
const BEYOND = 30; // the width of that bin

/**
 * @typedef {object} Bins Counts of chunks, as histogram.py bins them: equal bins, then one for all beyond.
 * @property {number} bottom tokens at the left end; above 0 on a logarithmic axis
 * @property {number} top
 * @property {number[]} current
 * @property {number[]} outside those of the current ones that are outside the limits
 * @property {number[]} baseline empty without one
 */

/** The axis of these bins in a picture of this width.
 * @param {Pick<Bins, "bottom" | "top">} bins
 * @param {number} width */
export function scaleOf({ bottom, top }, width) {
  const length = Math.max(1, width - MARGIN - GAP - BEYOND);
  const decades = bottom ? Math.log(top / bottom) : 0;
  const share = (tokens) => (decades ? Math.log(Math.max(tokens, bottom) / bottom) / decades : tokens / top);
  const at = (tokens) => MARGIN + share(tokens) * length;
  return {
    length,
    beyond: { left: width - BEYOND, right: width },
    /** @param {number} tokens what is beyond the axis stands just behind its end */
    x: (tokens) => (tokens > top ? MARGIN + length + GAP / 2 : at(tokens)),
    /** @param {number} x */
    tokens: (x) => {
      const part = Math.min(1, Math.max(0, (x - MARGIN) / length));
      if (!decades) return part * top;
      return part ? bottom * Math.exp(part * decades) : 0;
    },
    /** What is written below the axis. */
    ticks: (decades ? powersOfTen(bottom, top) : [0, top / 2]).map((tokens) => ({ tokens, x: at(tokens) })),
  };
}

/** The powers of ten from one number to before another one. */
function powersOfTen(from, to) {
  const found = [];
  for (let power = from; power <= to / 3; power *= 10) found.push(power);
  return found;
}

const LETTER = 6.3; // about the width of one, in pixels
const BESIDE = 10; // from a handle's middle to its name

/** A handle's name beside it, on the side with more room, and as long as that is.
 * @param {string} title
 * @param {number} x
 * @param {number} width */
export function nameBeside(title, x, width) {
  const words = title.replace(/\s*\btokens?\b\s*/i, " ").trim();
  const right = words.length * LETTER <= width - x - BESIDE || x < width / 2;
  const room = Math.floor(((right ? width - x : x) - BESIDE) / LETTER);
  const name = words.length <= room ? words : `${words.slice(0, room - 1).replace(/\s+\S*$/, "")}…`;
  return { name, x: right ? x + BESIDE : x - BESIDE, anchor: right ? "start" : "end", size: name.length * LETTER };
}

/** How many chunks the axis has no place for, and the tokens of the largest of them. */
export function largerWords(count, most) {
  if (!count) return "None is larger.";
  return `${counted(count)} ${count === 1 ? "is" : "are"} larger, up to ${counted(most)}.`;
}
