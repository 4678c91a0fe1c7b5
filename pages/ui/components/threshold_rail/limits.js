// What values a threshold may take: its steps, its ends, and the other thresholds that it may not pass.

/**
 * @typedef {object} Neighbour A threshold that another one may not pass.
 * @property {string} setting
 * @property {number} apart how far from it the value has to stay
 * @property {string} must what is said where a value that was typed would pass it; `{}` is where it stands
 * @property {string} stop what is said where a drag stops at it
 *
 * @typedef {Neighbour & {stands: number, limit: number, beyond: number}} Passed
 * The neighbour that a value would pass: where it stands, the nearest value that does not pass it, and by how much.
 *
 * @typedef {object} Threshold One setting, as rail.py describes it.
 * @property {string} setting
 * @property {string} title
 * @property {string} label its name in the YAML
 * @property {string} unit
 * @property {string} help
 * @property {string} error
 * @property {number} value
 * @property {number} minimum the slider's ends
 * @property {number} maximum
 * @property {number} step
 * @property {number | null} least what may be typed, beyond the slider's ends
 * @property {number | null} most
 * @property {number | null} baseline_value
 * @property {"lower" | "upper" | ""} role
 * @property {Neighbour[]} not_above
 * @property {Neighbour[]} not_below
 */

/** The step of the slider that is nearest to a value, within its ends.
 * @param {number} value
 * @param {Pick<Threshold, "minimum" | "maximum" | "step">} threshold */
export function nearestStep(value, { minimum, maximum, step }) {
  const stepped = Number((Math.round((value - minimum) / step) * step + minimum).toFixed(6));
  return Math.min(maximum, Math.max(minimum, stepped));
}

/** The neighbour that a value would pass by most, null where it passes none.
 * @param {Pick<Threshold, "not_above" | "not_below">} threshold
 * @param {number} value
 * @param {(setting: string) => number} standsAt where another threshold stands
 * @returns {Passed | null} */
export function passedBy({ not_above, not_below }, value, standsAt) {
  /** @type {Passed | null} */
  let nearest = null;
  for (const [others, way] of /** @type {[Neighbour[], 1 | -1][]} */ ([
    [not_above, 1],
    [not_below, -1],
  ])) {
    for (const other of others) {
      const stands = standsAt(other.setting);
      const limit = stands - way * other.apart;
      const beyond = (value - limit) * way;
      /** @type {number} */
      const most = nearest?.beyond ?? 0;
      if (beyond > most) nearest = { ...other, stands, limit, beyond };
    }
  }
  return nearest;
}

/** What is wrong with a typed number, "" where nothing is.
 * @param {number} value
 * @param {number} least
 * @param {number} most
 * @returns {"" | "not a number" | "out of range"} */
export function wrongWith(value, least, most) {
  if (!Number.isFinite(value)) return "not a number";
  return value < least || value > most ? "out of range" : "";
}

/** The name and the number of what was typed, as in "min 300" or "set Maximum to 1,200"; an empty name where it is not that.
 * @param {string} typed
 * @returns {[string, number]} the name in small letters */
export function namedNumber(typed) {
  const found = /^\s*(?:set\s+)?(\p{L}[^,]*?)\s+(?:to\s+)?(\d[\d,]*(?:\.\d+)?)\s*$/iu.exec(typed);
  return found ? [found[1].toLowerCase(), Number(found[2].replaceAll(",", ""))] : ["", Number.NaN];
}
