import assert from "node:assert/strict";
import test from "node:test";
import { edgesInView, partsAfter } from "../../pages/ui/components/reading_views/tears.js";

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
