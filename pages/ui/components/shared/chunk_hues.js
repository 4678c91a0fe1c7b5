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

/** Each start gives a pattern and another one, for where the next chunk has the first: a hue depends on those below it
 * alone, and most often on none.
 * @param {Int32Array} starts */
function coloured(starts) {
  const hues = new Uint8Array(starts.length);
  let below = -1;
  for (let at = starts.length - 1; at >= 0; at--) {
    const code = mix(starts[at]) >>> 0;
    const wanted = code % PATTERNS;
    below = wanted === below ? (wanted + 1 + (Math.floor(code / PATTERNS) % 2)) % PATTERNS : wanted;
    hues[at] = below + PATTERNS * (code >>> 31);
  }
  return hues;
}

/** @param {number} start */
function mix(start) {
  const once = Math.imul(start ^ (start >>> 16), 0x85ebca6b);
  const twice = Math.imul(once ^ (once >>> 13), 0xc2b2ae35);
  return twice ^ (twice >>> 16);
}
