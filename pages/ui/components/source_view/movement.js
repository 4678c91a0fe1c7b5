// What a change of settings did, shown as movement: boundaries that moved slide to their new place, those that are gone
// close, new ones open, and the text that changed hands flashes. Nothing moves for those who want no motion, nor while a
// threshold is dragged: boundaries follow the hand then.

import { make } from "../shared/component.js";

const SLIDES = 200; // milliseconds
const FLASHES = 500;
const MOST = 24; // elements that move at the same time: a drag may change many boundaries many times a second

/** @typedef {{at: number, y: number}} Boundary A boundary in the DOM: its offset, and its pixels in the content. */

/** Boundaries that moved, are gone and are new, from those before and after a change, both in order. Between two that
 * stayed, the first that is gone is taken to have become the first that is new, and so on.
 * @param {Boundary[]} before
 * @param {Boundary[]} after */
export function paired(before, after) {
  const changes = {
    moved: /** @type {[Boundary, Boundary][]} */ ([]),
    gone: /** @type {Boundary[]} */ ([]),
    fresh: /** @type {Boundary[]} */ ([]),
  };
  const stayed = new Set(after.map(({ at }) => at));
  const edges = before.filter(({ at }) => stayed.has(at)).map(({ at }) => at);
  const isEdge = new Set(edges);
  for (let edge = 0; edge <= edges.length; edge++) {
    const [low, high] = [edge ? edges[edge - 1] : -1, edge < edges.length ? edges[edge] : Infinity];
    const within = ({ at }) => at > low && at < high && !isEdge.has(at);
    const [old, now] = [before.filter(within), after.filter(within)];
    const both = Math.min(old.length, now.length);
    for (let index = 0; index < both; index++) changes.moved.push([old[index], now[index]]);
    changes.gone.push(...old.slice(both));
    changes.fresh.push(...now.slice(both));
  }
  return changes;
}

export class Movement {
  constructor(view) {
    this.view = view;
    this.layer = make("div", "moves", view.content, { "aria-hidden": "true" });
    this.still = matchMedia("(prefers-reduced-motion: reduce)");
  }

  /** The boundaries in the DOM, as they were painted last. Reads no layout.
   * @returns {(Boundary & {chunk: number})[]} */
  painted() {
    const { pages } = this.view;
    const live = [...pages.live.values()].sort((one, other) => one.number - other.number);
    return live.flatMap((page) =>
      (page.marks ?? [])
        .filter(({ chunk }) => chunk > 0)
        .map(({ chunk, at, y }) => ({ chunk, at, y: pages.tops[page.number] + y })),
    );
  }

  /** Shows what has become of the boundaries that were painted before.
   * @param {Boundary[]} before */
  play(before) {
    if (this.still.matches) return;
    const after = this.painted();
    const { moved, gone, fresh } = paired(this.inView(before), this.inView(after));
    if (moved.length + gone.length + fresh.length > MOST / 2) return; // another text, almost: no movement explains that
    for (const [from, to] of moved) this.slide(from, to);
    for (const { y } of gone) this.zip(y, false);
    for (const { y } of fresh) this.zip(y, true);
  }

  /** With half a view above and below it: what slides in or out of it is seen. */
  inView(boundaries) {
    const { scrollTop, clientHeight } = this.view.scroller;
    return boundaries.filter(({ y }) => y > scrollTop - clientHeight / 2 && y < scrollTop + clientHeight * 1.5);
  }

  slide(from, to) {
    const away = from.y - to.y;
    this.flash(Math.min(from.y, to.y), Math.abs(away));
    this.animate("line", to.y, 0, [{ transform: `translateY(${away}px)` }, { transform: "none" }], SLIDES);
    const label = this.view.list.querySelector(`li[data-boundary="chunk ${to.chunk}"]`);
    label?.animate([{ translate: `0 ${away}px` }, { translate: "0 0" }], { duration: SLIDES, easing: "ease-out" });
  }

  /** A boundary that is gone closes towards the middle, a new one opens from there. */
  zip(y, opens) {
    const frames = [{ transform: "scaleX(1)" }, { transform: "scaleX(0)" }];
    this.flash(y - 10, 20);
    this.animate("line", y, 0, opens ? frames.reverse() : frames, SLIDES);
  }

  flash(y, height) {
    if (height > 0) this.animate("changed", y, height, [{ opacity: 1 }, { opacity: 0 }], FLASHES);
  }

  animate(name, y, height, frames, duration) {
    while (this.layer.children.length >= MOST) this.layer.firstChild.remove();
    const element = make("i", name, this.layer);
    element.style.cssText = `top:${y}px;${height ? `height:${height}px` : ""}`;
    element.animate(frames, { duration, easing: "ease-out", fill: "forwards" }).onfinish = () => element.remove();
  }
}
