import assert from "node:assert/strict";
import test from "node:test";
import { lookOf, nearestSpot, spot } from "../../pages/ui/components/reading_views/map_shapes.js";

test("groups differ in shape and in colour, and no two of twelve look alike", () => {
  const looks = Array.from({ length: 12 }, (_, group) => lookOf(group));

  assert.equal(new Set(looks.slice(0, 6).map((look) => look.name)).size, 6);
  assert.equal(new Set(looks.slice(0, 6).map((look) => look.hue)).size, 6);
  assert.equal(new Set(looks.map((look) => `${look.name} ${look.hue}`)).size, 12);
});

test("a map is in the middle of its picture and stays inside it, with room for a point's number", () => {
  const size = { width: 600, height: 400 };

  assert.deepEqual(spot(0, 0, size), [300, 200]);
  for (const { width, height } of [size, { width: 500, height: 600 }]) {
    for (const [x, y] of [
      [-1, -1],
      [1, 1],
    ]) {
      const [left, top] = spot(x, y, { width, height });
      assert.ok(left >= 34 && left <= width - 34 && top >= 16 && top <= height - 16);
    }
  }
  assert.ok(spot(0, 1, size)[1] < spot(0, -1, size)[1], "up is up");
});

test("the nearest point within reach is the one that is pointed at", () => {
  const spots = /** @type {[number, number][]} */ ([
    [10, 10],
    [20, 10],
  ]);

  assert.equal(nearestSpot(spots, 17, 10), 1);
  assert.equal(nearestSpot(spots, 100, 100), -1);
});
