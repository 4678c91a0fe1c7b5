// Which boundary of a row a pointer is at.

/** Pixels to each side within which it is that boundary and not the place: a finger is not as sure as a mouse. */
const NEAR = { touch: 18, mouse: 9 };

/** The number of the nearest boundary; -1 where none is near.
 * @param {[number, number, ...unknown[]][]} ticks of each its kind and where it stands, in characters
 * @param {number} wanted where the pointer is, in characters
 * @param {number} pixels of one character
 * @param {string} [pointer] what points
 * @returns {number} */
export function nearestTick(ticks, wanted, pixels, pointer) {
  let best = -1;
  let least = (pointer === "touch" ? NEAR.touch : NEAR.mouse) / pixels;
  ticks.forEach(([, at], number) => {
    const away = Math.abs(at - wanted);
    if (best < 0 ? away > least : away >= least) return;
    best = number;
    least = away;
  });
  return best;
}
