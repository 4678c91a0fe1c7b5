// The torn boundaries near what a view shows, as Python sends them, and the way from one to the next, also to one that has not
// been sent: in the views that are sent a window of the document.

import { lastAtMost } from "../source_view/payload.js";
import { nextTorn, noFurther, TornWalk, tornEnd, tornWords } from "../source_view/torn.js";
import { decoded } from "./outline.js";

/** @type {import("../source_view/torn.js").Torn} */
export const NONE = Object.freeze({
  torn: new Int32Array(),
  tornKind: new Int32Array(),
  tornFirst: new Int32Array(),
  tornLast: new Int32Array(),
});

/** @param {Record<string, string>} columns
 * @returns {import("../source_view/torn.js").Torn} */
export function tornColumns(columns) {
  const [torn, tornKind, tornFirst, tornLast] = ["torn", "tornKind", "tornFirst", "tornLast"].map((name) =>
    decoded(columns[name]),
  );
  return { torn, tornKind, tornFirst, tornLast };
}

/** @typedef {object} Walked a view that has torn boundaries at places of its own
 * @property {HTMLElement} bar
 * @property {(words: string) => void} flash
 * @property {(step: number) => number} tornFrom where one looks from
 * @property {(place: number, focus: boolean) => boolean} goToTear whether its words have the focus now, or will have it */

export class NearTears {
  run = NONE;
  /** Where each is, in the view's own numbers, ascending. */
  at = new Int32Array();
  /** How many are before these, and how many there are. */
  before = 0;
  of = 0;
  /** The place that was last gone to; -1 before. */
  current = -1;

  /** @param {Walked} view */
  constructor(view) {
    this.view = view;
    this.walk = new TornWalk(view.bar, (step) => this.step(step));
  }

  /** @param {{at: string, before: number, of: number, blocks: number, columns: Record<string, string>}} sent */
  take({ at, before, of, blocks, columns }) {
    this.run = tornColumns(columns);
    [this.at, this.before, this.of] = [decoded(at), before, of];
    this.walk.show(blocks, of);
  }

  /** Which one is at a place; -1 for none.
   * @param {number} place */
  indexAt(place) {
    const index = lastAtMost(this.at, place);
    return index >= 0 && this.at[index] === place ? index : -1;
  }

  /** What the one at a place cuts; "" where there is none.
   * @param {number} place */
  words(place) {
    const index = this.indexAt(place);
    return index < 0 ? "" : tornWords(this.run, index);
  }

  /** To the next one, or the one before: with the keyboard where that is in the view.
   * @param {number} step
   * @param {boolean} focus */
  step(step, focus = false) {
    const { view, at } = this;
    const index = nextTorn(at, view.tornFrom(step), step);
    if (index < 0) {
      const known = step > 0 ? this.before + at.length === this.of : !this.before;
      if (known) view.flash(noFurther(this.of, step)); // or else more of them are on their way
      return;
    }
    this.current = at[index];
    if (!view.goToTear(at[index], focus)) view.flash(tornEnd(this.run, index));
  }
}
