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
const NUMBER_ROOM = 34; // pixels at the right of the last point, for its number

/** Shape, colour and name of a group: the first six differ in both, the next six in the colour that goes with a shape.
 * @param {number} group */
export function lookOf(group) {
  const name = NAMES[group % NAMES.length];
  return { path: SHAPES[name], hue: (group + Math.floor(group / HUES)) % HUES, name };
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
