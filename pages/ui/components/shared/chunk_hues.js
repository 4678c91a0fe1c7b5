// The hue of each chunk: given by its place, so that a boundary that moves changes no hue below it. The same as
// chunking/analysis/hues.py, which says how.

const PATTERNS = 3; // neighbours differ in hue and in the pattern of their rails

/** @type {WeakMap<Int32Array, Uint8Array>} */
const known = new WeakMap();

/** A hue from 0 to 5 for each chunk, by the code points where the chunks start, ascending.
 * @param {Int32Array} starts
 * @returns {Uint8Array} */
export function chunkHues(starts) {
  const hues = known.get(starts) ?? coloured(starts);
  known.set(starts, hues);
  return hues;
}

/** The classes of what is drawn in a hue.
 * @param {number} hue */
export const inHue = (hue) => `h${hue} p${patternOf(hue)}`;

/** @param {number} hue */
export const patternOf = (hue) => hue % PATTERNS;

/** The hues of a run's chunks.
 * @param {{start: Int32Array, point?: Int32Array}} run */
export const huesOf = (run) => chunkHues(run.point ?? run.start);

/** In place from the first chunk to the last: each looks only at those after it.
 * @param {Int32Array} starts */
function coloured(starts) {
  const count = starts.length;
  const hues = new Uint8Array(count);
  if (!count) return hues;
  const codes = new Int32Array(count + 2);
  for (let at = 0; at < count; at++) {
    codes[at] = mix(starts[at]);
    hues[at] = PATTERNS * (codes[at] >>> 31);
  }
  for (let round = 0; round < 4; round++) {
    codes[count] = codes[count - 1] ^ 1;
    for (let at = 0; at < count; at++) {
      const differ = codes[at] ^ codes[at + 1];
      const bit = 31 - Math.clz32(differ & -differ);
      codes[at] = 2 * bit + ((codes[at] >>> bit) & 1);
    }
  }
  for (let gone = 5; gone >= PATTERNS; gone--) {
    codes[count] = (codes[count - 1] + 1) % PATTERNS;
    codes[count + 1] = -1;
    for (let at = 0; at < count; at++) {
      const next = codes[at + 1];
      codes[at] = next === gone ? free(codes[at], codes[at + 2]) : next;
    }
  }
  for (let at = 0; at < count; at++) hues[at] += codes[at];
  return hues;
}

/** The first of 0, 1 and 2 that neither neighbour has.
 * @param {number} one
 * @param {number} other */
function free(one, other) {
  return one !== 0 && other !== 0 ? 0 : one !== 1 && other !== 1 ? 1 : 2;
}

/** @param {number} start */
function mix(start) {
  const once = Math.imul(start ^ (start >>> 16), 0x85ebca6b);
  const twice = Math.imul(once ^ (once >>> 13), 0xc2b2ae35);
  return twice ^ (twice >>> 16);
}
