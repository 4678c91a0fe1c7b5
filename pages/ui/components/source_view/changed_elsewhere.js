// What a change of settings did to boundaries that nobody sees: how many changed, and the way to the nearest, in the line at
// the source's foot, over the end of what the marks mean. Nothing where one changed in view. Of a drag, since it began.

import { make } from "../shared/component.js";
import { counted } from "../shared/counted.js";
import { lastAtMost } from "./payload.js";

/** The boundaries that only one of two cuts has, and how many changed at least: one that moved is gone and new.
 * @param {ArrayLike<number>} before where chunks began, in order
 * @param {ArrayLike<number>} now
 * @returns {{places: number[], count: number}} */
export function differing(before, now) {
  const places = [];
  let [at, gone, fresh] = [0, 0, 0];
  for (let index = 0; index < now.length || at < before.length; ) {
    const [old, next] = [before[at] ?? Infinity, now[index] ?? Infinity];
    if (old < next) gone += 1;
    if (next < old) fresh += 1;
    if (old !== next) places.push(Math.min(old, next));
    if (old <= next) at += 1;
    if (next <= old) index += 1;
  }
  return { places, count: Math.max(gone, fresh) };
}

/** The place that is nearest to what is in view; -1 where one is in view, or there is none.
 * @param {number[]} places in order
 * @param {{from: number, to: number}} view */
export function nearestOutside(places, { from, to }) {
  const above = lastAtMost(places, to - 1);
  if (above >= 0 && places[above] >= from) return -1;
  const [one, other] = [places[above] ?? -Infinity, places[above + 1] ?? Infinity];
  if (!places.length) return -1;
  return from - one < other - to ? one : other;
}

/** What is always seen, and what only where there is room.
 * @param {number} count
 * @param {string} line
 * @param {boolean} above
 * @returns {[string, string]} */
export function wordsOf(count, line, above) {
  const arrow = above ? "↑" : "↓";
  if (count === 1) return [`${arrow} 1 boundary changed`, `, before line ${line}`];
  return [`${arrow} ${counted(count)} boundaries changed`, `, the nearest before line ${line}`];
}

export class ChangedElsewhere {
  /** Where chunks began before. @type {ArrayLike<number>} */
  base = [];
  changed = differing([], []);
  dragged = false;
  place = -1;

  constructor(view, line) {
    this.view = view;
    this.button = make("button", "elsewhere", line, { type: "button", hidden: "" });
    this.words = make("span", "", this.button);
    this.more = make("span", "wide", this.button);
    this.button.addEventListener("click", () => this.go());
  }

  /** @param {ArrayLike<number>} before where chunks began
   * @param {ArrayLike<number>} now
   * @param {boolean} dragged */
  compare(before, now, dragged) {
    if (!dragged || !this.dragged) this.base = before;
    this.dragged = dragged;
    this.changed = differing(this.base, now);
  }

  /** A drag has ended, and what it did stays said. */
  rest() {
    this.dragged = false;
  }

  forget() {
    this.changed = differing([], []);
    this.button.hidden = true;
  }

  /** Says it of what is in view.
   * @param {{from: number, to: number}} seen */
  show(seen) {
    const { places, count } = this.changed;
    this.place = nearestOutside(places, seen);
    this.button.hidden = this.place < 0;
    if (this.button.hidden) return;
    const { moving } = this.view;
    const [words, more] = wordsOf(count, moving.number(moving.lineOf(this.place)), this.place < seen.from);
    if (this.button.title === words + more) return;
    this.words.textContent = words;
    this.more.textContent = more;
    this.button.title = words + more;
    this.button.setAttribute("aria-label", words + more);
  }

  go() {
    const { view, place } = this;
    view.scroller.focus({ preventScroll: true }); // the button goes
    view.bringOffsetIntoView(place);
  }
}
