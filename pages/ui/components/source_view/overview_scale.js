// Where the overview shows a place of the text, and which place is under a point of it.

const LEAST_FRAME = 8; // pixels

/** Pixels of the overview for a code unit of the text.
 * @param {number} height of the overview, in pixels
 * @param {number} units of the text */
export function scaleOf(height, units) {
  return height / Math.max(1, units);
}

/** The frame around what is in view: where it is filled, and where its line is drawn, which stays within the overview.
 * @param {{from: number, to: number}} view in code units
 * @param {number} height of the overview, in pixels
 * @param {number} scale */
export function frameOf({ from, to }, height, scale) {
  const top = from * scale;
  const size = Math.max(LEAST_FRAME, (to - from) * scale);
  return { top, size, lineTop: Math.min(top + 0.5, height - size), lineSize: size - 1 };
}

/** The offset that a point of the overview stands for.
 * @param {number} y from its top, in pixels
 * @param {number} height of it, in pixels
 * @param {number} units of the text */
export function offsetAt(y, height, units) {
  const share = Math.min(1, Math.max(0, y / height));
  return Math.round(share * (units - 1));
}
