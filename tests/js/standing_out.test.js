import assert from "node:assert/strict";
import { test } from "node:test";
import { nearestStanding, standsOut } from "../../pages/ui/components/source_view/standing_out.js";

const some = { standing: Int32Array.of(2, 5), chunks: 8 };
const all = { standing: new Int32Array(), chunks: 8 };

test("without a filter, and where it finds none, every chunk stands out", () => {
  assert.deepEqual(
    [1, 2, 5, 6].map((chunk) => standsOut(some, chunk)),
    [false, true, true, false],
  );
  assert.ok(standsOut(all, 3));
});

test("keys go from one chunk that stands out to the next, and stay at the ends", () => {
  assert.deepEqual(
    [0, 3, 6].map((to) => nearestStanding(some, to, 1)),
    [2, 5, 5],
  );
  assert.deepEqual(
    [7, 4, 1].map((to) => nearestStanding(some, to, -1)),
    [5, 2, 2],
  );
  assert.deepEqual([nearestStanding(all, -1, -1), nearestStanding(all, 3, 1), nearestStanding(all, 8, 1)], [0, 3, 7]);
});
