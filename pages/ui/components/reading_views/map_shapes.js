// What stands for a group on the map, by shape as well as by colour.

const SHAPES = {
  circle: "M-5 0a5 5 0 1 0 10 0a5 5 0 1 0-10 0z",
  square: "M-4.5-4.5h9v9h-9z",
  triangle: "M0-6L5.6 4.4h-11.2z",
  diamond: "M0-6.4L5.4 0L0 6.4L-5.4 0z",
  cross: "M-5.5-2.2h3.3v-3.3h4.4v3.3h3.3v4.4h-3.3v3.3h-4.4v-3.3h-3.3z",
  wedge: "M0 6L5.6-4.4h-11.2z",
};
const NAMES = Object.keys(SHAPES);
const HUES = 6;
const OWN_LOOKS = 11; // groups; what comes after them is what is left (GROUPS in chunk_map.py)
const POINT = 5; // pixels from a point's middle to its edge
const DIGIT = 8; // pixels that a digit of its number is wide, at the most
const NUMBER_ROOM = 34; // pixels at the right of the last point, for its number

/** Shape, class of its colour and name of a group: the first six differ in both, the next five in the colour that goes with
 * a shape. What is left after them has no hue.
 * @param {number} group */
export function lookOf(group) {
  const name = NAMES[group % NAMES.length];
  const hue = group < OWN_LOOKS ? `h${(group + Math.floor(group / HUES)) % HUES}` : "rest";
  return { path: SHAPES[name], hue, name };
}

export const STAR = "M0-9L2.3-3.1L8.6-2.8L3.7 1.2L5.3 7.3L0 3.8L-5.3 7.3L-3.7 1.2L-8.6-2.8L-2.3-3.1z";

/** Where a point is in a picture, in pixels: both directions on one scale.
 * @param {number} x from -1 to 1
 * @param {number} y from -1 to 1, upwards
 * @param {{width: number, height: number}} size
 * @returns {[number, number]} */
export function spot(x, y, { width, height }) {
  const reach = Math.max(10, Math.min(width / 2 - NUMBER_ROOM, height / 2 - 16));
  const across = Math.max(reach, Math.min(width / 2 - NUMBER_ROOM, reach * 1.6));
  return [width / 2 + x * across, height / 2 - y * reach];
}

/** The point nearest to a place in the picture, within a finger's reach; -1 where there is none.
 * @param {[number, number][]} spots
 * @param {number} left
 * @param {number} top */
export function nearestSpot(spots, left, top, reach = 14) {
  let [found, best] = [-1, reach ** 2];
  spots.forEach(([x, y], at) => {
    const far = (x - left) ** 2 + (y - top) ** 2;
    if (far <= best) [found, best] = [at, far];
  });
  return found;
}

/** The point of the next chunk, or of the one before; the same at either end, the first or the last where none is chosen;
 * -1 where there are no points.
 * @param {{chunk: number[], of: number[]}} points
 * @param {number} selected number of the chosen chunk, -1 for none
 * @param {number} step 1 or -1 */
export function nextPoint({ chunk, of }, selected, step) {
  let [found, end] = [-1, -1];
  chunk.forEach((number, at) => {
    if (of[at]) return;
    const beyond = selected < 0 || (number - selected) * step > 0;
    const nearer = (one) => one < 0 || (number - chunk[one]) * step < 0;
    if (beyond && nearer(found)) found = at;
    if (!nearer(end) || end < 0) end = at;
  });
  return found < 0 ? end : found;
}

/** Where the numbers of points stand: right of them, left, above or below, where they cover no other point and no number
 * before them; one that has no such place is left out, but for that of the selected point.
 * @param {[number, number][]} spots
 * @param {string[]} numbers of each point
 * @param {number[]} order whose number comes first
 * @param {{width: number, selected: number}} picture how wide it is, and the selected point, -1 for none
 * @returns {{at: number, x: number, y: number, end: boolean}[]} `end`: the number ends there */
export function placedNumbers(spots, numbers, order, { width, selected }) {
  const taken = spots.map(([x, y], at) => ({
    at,
    left: x - POINT,
    top: y - POINT,
    right: x + POINT,
    bottom: y + POINT,
  }));
  const placed = [];
  for (const at of order) {
    const [x, y] = spots[at];
    const long = DIGIT * numbers[at].length;
    const beside = at === selected ? 13 : 9;
    const places = [
      { x: x + beside, y: y + 4, end: false },
      { x: x - beside, y: y + 4, end: true },
      { x: x - long / 2, y: y - beside, end: false },
      { x: x - long / 2, y: y + beside + 9, end: false },
    ].filter((place) => place.end || place.x + long <= width);
    const boxOf = (place) => {
      const left = place.end ? place.x - long : place.x;
      return { at, left, top: place.y - 10, right: left + long, bottom: place.y };
    };
    const free = (place) => {
      const box = boxOf(place);
      return taken.every((one) => one.at === at || apart(one, box));
    };
    const place = places.find(free) ?? (at === selected ? places[0] : undefined);
    if (!place) continue;
    taken.push(boxOf(place));
    placed.push({ at, ...place });
  }
  return placed;
}

function apart(one, other) {
  return one.right <= other.left || other.right <= one.left || one.bottom <= other.top || other.bottom <= one.top;
}
