// Which boundaries a change moved, and the nearest of them that nobody sees.

import assert from "node:assert/strict";
import { test } from "node:test";
import { differing, nearestOutside, wordsOf } from "../../pages/ui/components/source_view/changed_elsewhere.js";

test("a boundary that moved is one change, and so is one that is gone or new", () => {
  assert.deepEqual(differing([0, 10, 20, 30], [0, 10, 20, 30]), { places: [], count: 0 });
  assert.deepEqual(differing([0, 10, 20, 30], [0, 12, 20, 30]), { places: [10, 12], count: 1 });
  assert.deepEqual(differing([0, 10, 20], [0]), { places: [10, 20], count: 2 });
  assert.deepEqual(differing([0], [0, 5, 15]), { places: [5, 15], count: 2 });
});

test("the nearest is above or below what is in view, and none is where one is in view", () => {
  const view = { from: 100, to: 200 };
  assert.equal(nearestOutside([20, 230, 400], view), 230);
  assert.equal(nearestOutside([90, 230], view), 90);
  assert.equal(nearestOutside([20], view), 20);
  assert.equal(nearestOutside([400], view), 400);
  assert.equal(nearestOutside([20, 150, 230], view), -1);
  assert.equal(nearestOutside([100], view), -1);
  assert.equal(nearestOutside([200], view), 200);
  assert.equal(nearestOutside([], view), -1);
});

test("how many changed is always seen, and where the nearest is may be left out", () => {
  assert.deepEqual(wordsOf(1351, "408", false), ["↓ 1,351 boundaries changed", ", the nearest before line 408"]);
  assert.deepEqual(wordsOf(1, "50", true), ["↑ 1 boundary changed", ", before line 50"]);
});
