// Streamlit may exchange the rail for a new one in the middle of a move: what the old one had not said, the new one says.
// It always does where another strategy is chosen: the new one says what that comes to.

const SOON = 5000; // milliseconds: a rail that comes later is another one

/** @type {{rail: string, values: Record<string, number>, at: number} | null} */
let left = null;

/** The rail that came last. @type {{rail: string, title: string, gone: number} | null} */
let last = null;

/** A rail comes; whether it takes the place of one of another strategy.
 * @param {string} rail
 * @param {string} title of its strategy; "" where nobody chooses one there
 * @param {number} now milliseconds */
export function comes(rail, title, now) {
  const before = last;
  last = { rail, title, gone: Number.POSITIVE_INFINITY };
  return Boolean(title && before?.title) && before?.rail !== rail && now - (before?.gone ?? 0) < SOON;
}

/** The rail of this name goes, and has not said these values.
 * @param {string} rail
 * @param {Record<string, number>} values
 * @param {number} now milliseconds */
export function leave(rail, values, now) {
  if (last?.rail === rail) last.gone = now;
  if (Object.keys(values).length) left = { rail, values, at: now };
}

/** What the last rail of this name has not said; null where there is nothing.
 * @param {string} rail
 * @param {number} now milliseconds
 * @returns {Record<string, number> | null} */
export function takeOver(rail, now) {
  if (left?.rail !== rail) return null;
  const { values, at } = left;
  left = null;
  return now - at < SOON ? values : null;
}
