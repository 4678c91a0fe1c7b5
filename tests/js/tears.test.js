import assert from "node:assert/strict";
import test from "node:test";
import {
  edgesInView,
  linesOf,
  partsAfter,
  placeOfWords,
  rowsOf,
} from "../../pages/ui/components/reading_views/tears.js";

test("a torn boundary is where the part after its chunk begins, be that in a chunk or not", () => {
  const chunk = Int32Array.of(-1, 0, 1, -1, 2, 3);

  assert.deepEqual([...partsAfter(Int32Array.of(0, 1, 2), chunk)], [2, 3, 5]);
});

test("boundaries that are close to each other share their words, and those closer still their edge", () => {
  const places = Int32Array.of(0, 100, 110, 120, 200, 5000);

  assert.deepEqual(
    [...edgesInView(places, 1, 50, 1000, -1)],
    [
      [1, 2],
      [3, -1],
      [4, 0],
    ],
  );
  assert.deepEqual(
    [...edgesInView(places, 10, 50, 3000, -1)],
    [1, 2, 3, 4].map((index) => [index, 0]),
  );
});

test("the one that was gone to has its words in place of the one above it", () => {
  const places = Int32Array.of(100, 110, 120);

  assert.deepEqual(
    [...edgesInView(places, 1, 50, 1000, 1)],
    [
      [0, -1],
      [1, 2],
    ],
  );
});

test("words stand where they cover no name: at the right or the left, below or above, or as scissors alone", () => {
  const room = { left: 8, right: 400, bottom: 1000 };
  const edge = { top: 100, wide: 150, words: false };
  const place = (taken, more = {}) => {
    const { side, up, width } = placeOfWords({ ...edge, ...more }, room, taken);
    return `${side} ${up ? "up" : "down"} ${width}`;
  };
  const [below, above] = [
    [300, 110, 350, 125],
    [300, 80, 350, 95],
  ];
  const all = [below, above, [120, 110, 140, 125], [60, 80, 140, 95]];

  assert.equal(place([]), "right down 150");
  assert.equal(place([[200, 110, 240, 125]]), "right down 150");
  assert.equal(place([below]), "right up 150");
  assert.equal(place([below, above]), "left down 150");
  assert.equal(place(all), "left down 108"); // as much as there is room for
  assert.equal(place([...all, [60, 110, 90, 125]]), "right down 30");
  assert.equal(place(all, { words: true }), "right down 150"); // of the one that was gone to
  assert.equal(place([], { top: 980 }), "right up 150");
  assert.equal(place([], { wide: 500 }), "left down 392");
});

test("the lines of a name are where they are seen: at the top of the view while their section goes beyond it", () => {
  const box = { left: 10, top: 100, height: 200, widths: [50, 80] };
  const tops = (inView) => linesOf(box, inView).map(([, top]) => top);

  assert.deepEqual(linesOf(box, 0), [
    [10, 100, 60, 115],
    [10, 115, 90, 130],
  ]);
  assert.deepEqual(tops(150), [150, 165]);
  assert.deepEqual(tops(400), [270, 285], "at the section's end");
});

test("words that wrap are as many rows as they are high, and at least one", () => {
  assert.deepEqual(rowsOf(80, 15), [80]);
  assert.deepEqual(rowsOf(80, 30), [80, 80]);
  assert.deepEqual(rowsOf(80, 0), [80]);
});
