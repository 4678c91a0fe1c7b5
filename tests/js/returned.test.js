import assert from "node:assert/strict";
import { test } from "node:test";
import { apart, returnedBy } from "../../pages/ui/components/source_view/returned.js";

const returning = (spans) => ({
  returnedStart: Int32Array.from(spans, ([start]) => start),
  returnedEnd: Int32Array.from(spans, ([, end]) => end),
});
const found = (spans) => {
  const { starts, ends } = apart(returning(spans));
  return starts.map((start, at) => [start, ends[at]]);
};

test("a chunk gives back its stretch, and none that there is not", () => {
  const run = returning([
    [0, 40],
    [0, 40],
    [40, 90],
  ]);
  assert.deepEqual(
    [-1, 0, 1, 2, 3].map((chunk) => returnedBy(run, chunk)),
    [null, [0, 40], [0, 40], [40, 90], null],
  );
  assert.equal(returnedBy(returning([]), 0), null);
});

test("large chunks side by side are drawn once each", () => {
  assert.deepEqual(
    found([
      [0, 40],
      [0, 40],
      [40, 90],
      [95, 120],
    ]),
    [
      [0, 40],
      [40, 90],
      [95, 120],
    ],
  );
  assert.deepEqual(found([]), []);
});

test("stretches that overlap another are left to the chosen chunk", () => {
  assert.deepEqual(
    found([
      [0, 40],
      [0, 90],
      [40, 90],
      [90, 99],
    ]),
    [[90, 99]],
  );
  assert.deepEqual(
    found([
      [0, 30],
      [10, 40],
      [20, 50],
    ]),
    [],
  );
});

test("stretches may come in any order", () => {
  assert.deepEqual(
    found([
      [50, 60],
      [0, 10],
      [50, 60],
    ]),
    [
      [0, 10],
      [50, 60],
    ],
  );
});
