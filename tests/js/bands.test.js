import assert from "node:assert/strict";
import { test } from "node:test";
import { shapeAt, shapesOf } from "../../pages/ui/components/source_view/bands.js";

const ROW = 20;
const WIDTH = 10; // characters in a line, each 8 pixels wide
const LINES = 8;

/** One page of lines of ten characters. */
const page = { number: 0, first: 0, shapes: /** @type {any[]} */ ([]) };
const pages = {
  width: 300,
  lineStart: (line) => line * WIDTH,
  endLine: () => LINES,
  rowTops: () => Array.from({ length: LINES + 1 }, (_, line) => line * ROW),
  locate: (_, offset) => {
    const top = Math.floor(offset / WIDTH) * ROW;
    const within = offset % WIDTH;
    return within ? { top, bottom: top + ROW, x: within * 8, inside: true, rtl: false } : { top, inside: false };
  },
};
const none = Int32Array.of();
/** Three chunks of the lines 1 and 2, 3 and 4, 5 to 8. @param {number[]} overlapStart */
const overlapping = (...overlapStart) =>
  /** @type {any} */ ({
    chunks: 3,
    start: Int32Array.of(0, 20, 40),
    end: Int32Array.of(20, 40, 80),
    overlapStart: Int32Array.from(overlapStart),
    overlapEnd: Int32Array.of(-1, 20, 40),
    ...{ gapStart: none, gapEnd: none, gapRule: none, gapOwner: none, torn: none },
    ...{ returnedStart: none, returnedEnd: none, standing: none, rules: [], units: 80, only: "" },
  });
const drawn = (run, kind) =>
  shapesOf(pages, page, run, 1)
    .filter((shape) => shape.kind === kind)
    .map(({ chunk, left, top, bottom }) => [chunk, left, top, bottom]);

test("a chunk is drawn to its end, whatever of it the next one repeats", () => {
  const whole = [
    [0, 0, 0, 40],
    [1, 0, 40, 80],
    [2, 0, 80, 160],
  ];
  assert.deepEqual(drawn(overlapping(-1, 14, 20), "band"), whole);
});

test("what is repeated is drawn from where it begins to where the chunk that repeats it begins", () => {
  assert.deepEqual(drawn(overlapping(-1, 14, 20), "lap"), [
    [1, 32, 20, 40], // from inside line 2
    [2, 0, 40, 80], // all of chunk 2
  ]);
});

test("a point in an overlap is in the chunk that has the text first", () => {
  const shapes = shapesOf(pages, page, overlapping(-1, 14, 20), 1);
  const at = (x, y) => shapeAt({ shapes }, x, y)?.chunk;
  assert.deepEqual([at(100, 30), at(100, 50), at(100, 90)], [0, 1, 2]);
});
