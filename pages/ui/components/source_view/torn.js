// Boundaries that tear a table, code or a list: how they look, and the way from one to the next.

import { make } from "../shared/component.js";
import { counted } from "../shared/counted.js";
import { lastAtMost } from "./payload.js";

/** @typedef {Pick<import("./payload.js").Run, "torn" | "tornKind" | "tornFirst" | "tornLast">} Torn */

const KINDS = ["table", "code block", "list"]; // as torn.py numbers them
const TEETH = 7; // pixels that a torn edge reaches down
const BIN = 6; // pixels of the overview that are one place where torn boundaries are counted
const FEW = 12; // so many are always told apart
const CROWDED = 0.2; // the share of places with a torn boundary from which they are counted

/** Which torn boundary is at the end of a chunk; -1 where that end tears nothing.
 * @param {import("./payload.js").Run} run
 * @param {number} chunk */
export function tornAfter(run, chunk) {
  const index = lastAtMost(run.torn, chunk);
  return index >= 0 && run.torn[index] === chunk ? index : -1;
}

/** How many blocks are cut: each once, however often it is cut, as the numbers over the source count them.
 * @param {Torn} run */
export function blocksCut({ tornKind, tornFirst, tornLast }) {
  return new Set(Array.from(tornKind, (kind, index) => `${kind} ${tornFirst[index]} ${tornLast[index]}`)).size;
}

/** What follows the number of blocks that are cut: that, and in how many places where those are more.
 * @param {number} blocks
 * @param {number} count of torn boundaries */
export function cutWords(blocks, count) {
  return `${blocks === 1 ? " block" : " blocks"} cut${count > blocks ? ` in ${counted(count)} places` : ""}`;
}

/** What a torn boundary cuts, in a few words.
 * @param {Torn} run
 * @param {number} index */
export function tornWords(run, index) {
  const [first, last] = [run.tornFirst[index], run.tornLast[index]].map(counted);
  return `cuts the ${KINDS[run.tornKind[index]]}, ${first === last ? `line ${first}` : `lines ${first} to ${last}`}`;
}

/** Of which chunk the end is torn, and what it cuts.
 * @param {Torn} run
 * @param {number} index */
export function tornEnd(run, index) {
  return `Chunk ${counted(run.torn[index] + 1)}: its end ${tornWords(run, index)}`;
}

/** Which of all it is, and what it cuts.
 * @param {Torn} run
 * @param {number} index */
export function tornPlace(run, index) {
  return `Torn boundary ${counted(index + 1)} of ${counted(run.torn.length)}: ${tornWords(run, index)}`;
}

/** What a label's sentence says more where its boundary tears something.
 * @param {Torn} run
 * @param {number} index */
export function tornSentence(run, index) {
  return index < 0 ? "" : ` This boundary ${tornWords(run, index)}.`;
}

/** What is said where there is no further one.
 * @param {number} count of all
 * @param {number} step */
export function noFurther(count, step) {
  if (!count) return "No boundary cuts a table, code or a list in two";
  return `This is the ${step > 0 ? "last" : "first"} torn boundary`;
}

/** The torn edges of one page, as shapes: across the text, or, where the cut is inside a line, on both sides of it.
 * @param {import("./payload.js").Run} run */
export function tornShapes(pages, page, run, start, end) {
  const shapes = [];
  const add = (left, right, top) => shapes.push({ kind: "tear", style: "", left, right, top, bottom: top + TEETH });
  let index = lastAtMost(run.torn, Math.max(0, lastAtMost(run.end, start)) - 1) + 1;
  for (; index < run.torn.length; index++) {
    const offset = run.end[run.torn[index]];
    if (offset >= end) break;
    if (offset < start) continue;
    const place = pages.locate(page, offset);
    if (!place.inside) add(0, null, place.top);
    else {
      const before = [0, place.x, place.bottom - 1];
      const after = [place.x, null, place.top];
      if (place.rtl) add(0, place.x, place.top);
      else add(...before);
      add(...(place.rtl ? [place.x, null, place.bottom - 1] : after));
    }
  }
  return shapes;
}

/** How many torn boundaries there are at each place of the overview, from its top down, where single ones would run into each
 * other; null where they do not.
 * @param {Pick<import("./payload.js").Run, "torn" | "end" | "units">} run
 * @param {number} height of the overview, in pixels
 * @returns {Uint32Array | null} */
export function tornDensity(run, height) {
  if (run.torn.length < FEW || !height) return null;
  const counts = new Uint32Array(Math.ceil(height / BIN));
  for (const chunk of run.torn) {
    const place = Math.floor((run.end[chunk] * counts.length) / Math.max(1, run.units));
    counts[Math.min(counts.length - 1, place)] += 1;
  }
  const taken = counts.reduce((sum, count) => sum + Number(count > 0), 0);
  return taken > counts.length * CROWDED ? counts : null;
}

/** Torn boundaries on the overview: a zigzag across the column for each; where there are too many to be told apart, a bar at
 * each place, the longer the more are there.
 * @param {import("./payload.js").Run} run */
export function drawTorn(pen, run, scale, left, right, colours) {
  const density = tornDensity(run, scale * run.units);
  if (density) drawDensity(pen, density, left, right, colours);
  else drawEach(pen, run, scale, left, right, colours);
}

/** @param {Uint32Array} counts */
function drawDensity(pen, counts, left, right, colours) {
  const most = Math.max(...counts);
  pen.globalAlpha = 0.72; // the chunks are quieter than what tears
  pen.fillStyle = colours.ground;
  pen.fillRect(left, 0, right - left, counts.length * BIN);
  pen.globalAlpha = 1;
  counts.forEach((count, place) => {
    if (!count) return;
    const long = 2 + ((right - left - 2) * count) / most;
    pen.fillStyle = colours.ground;
    pen.fillRect(right - long - 1, place * BIN, long + 1, BIN);
    pen.fillStyle = colours.warn;
    pen.fillRect(right - long, place * BIN + 1, long, BIN - 2);
  });
}

/** @param {import("./payload.js").Run} run */
function drawEach(pen, run, scale, left, right, colours) {
  let drawn = -9;
  for (const chunk of run.torn) {
    const y = Math.round(run.end[chunk] * scale);
    if (y - drawn < 4) continue;
    drawn = y;
    pen.beginPath();
    for (let x = left - 3, up = true; x <= right + 3; x += 4, up = !up) pen.lineTo(x, y + (up ? -2.5 : 2.5));
    pen.lineJoin = "miter";
    for (const [colour, width] of [
      [colours.ground, 5],
      [colours.warn, 2],
    ]) {
      pen.strokeStyle = colour;
      pen.lineWidth = width;
      pen.stroke();
    }
  }
}

/** How many there are, in the header of the source, with the way to the one before and the next. */
export class TornWalk {
  constructor(bar, step) {
    this.group = make("span", "torn", bar, {
      ...{ role: "group", "aria-label": "Torn boundaries", hidden: "" },
      title: "Tables, code and lists that are cut in two, and the places of the cuts (torn boundaries)",
    });
    this.words = make("span", "", this.group);
    this.named = make("span", "wide", this.group);
    for (const [sign, words, by] of [
      ["‹", "Previous torn boundary (T)", -1],
      ["›", "Next torn boundary (t)", 1],
    ]) {
      const button = make("button", "barbtn", this.group, { type: "button", "aria-label": words, title: words });
      button.textContent = String(sign);
      button.addEventListener("click", () => step(by));
    }
  }

  /** @param {number} blocks that are cut
   * @param {number} count of torn boundaries */
  show(blocks, count) {
    this.group.hidden = !count;
    for (const [part, words] of [
      [this.words, `✂ ${counted(blocks)}`],
      [this.named, cutWords(blocks, count)],
    ])
      if (part.textContent !== words) part.textContent = words;
  }
}

/** The torn boundary to go to from a chunk, or from another place of theirs: the next after it, or the one before; -1 at
 * either end.
 * @param {Int32Array} torn
 * @param {number} from
 * @param {number} step */
export function nextTorn(torn, from, step) {
  const index = step > 0 ? lastAtMost(torn, from) + 1 : lastAtMost(torn, from - 1);
  return index < torn.length ? index : -1;
}
