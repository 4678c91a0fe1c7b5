import assert from "node:assert/strict";
import { test } from "node:test";
import { nearestTick } from "../../pages/ui/components/ribbon/nearest.js";

test("a pointer means the nearest boundary, a finger from twice as far", () => {
  /** @type {[number, number][]} */
  const ticks = [
    [0, 100],
    [0, 110],
    [0, 400],
  ];
  assert.equal(nearestTick(ticks, 104, 1, "mouse"), 0);
  assert.equal(nearestTick(ticks, 106, 1, "mouse"), 1);
  assert.equal(nearestTick(ticks, 109, 0.1, "mouse"), 1); // the nearest, however close they stand
  assert.equal(nearestTick(ticks, 409, 1, "mouse"), 2);
  assert.equal(nearestTick(ticks, 410, 1, "mouse"), -1);
  assert.equal(nearestTick(ticks, 418, 1, "touch"), 2);
  assert.equal(nearestTick(ticks, 419, 1, "touch"), -1);
  assert.equal(nearestTick([], 0, 1), -1);
});
