import assert from "node:assert/strict";
import test from "node:test";
import {
  lookOf,
  nearestSpot,
  nextPoint,
  placedNumbers,
  spot,
} from "../../pages/ui/components/reading_views/map_shapes.js";

test("groups differ in shape and in colour, no two of eleven look alike, and what is left has no hue", () => {
  const looks = Array.from({ length: 12 }, (_, group) => lookOf(group));

  assert.equal(new Set(looks.slice(0, 6).map((look) => look.name)).size, 6);
  assert.equal(new Set(looks.slice(0, 6).map((look) => look.hue)).size, 6);
  assert.equal(new Set(looks.map((look) => `${look.name} ${look.hue}`)).size, 12);
  assert.deepEqual([looks[0].hue, looks[10].hue, looks[11].hue], ["h0", "h5", "rest"]);
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

test("numbers of points cover no other number and no point; what has no room is left out, the selected one's never", () => {
  const near = [0, 3, 6, 9, 12, 15, 18, 21];
  const spots = /** @type {[number, number][]} */ ([...near.map((x) => [100 + x, 100 + (x % 2)]), [300, 100]]);
  const numbers = spots.map((_, at) => String(at + 1));
  const placed = (selected, order) => placedNumbers(spots, numbers, order, { width: 310, selected });
  const boxes = placed(-1, [...spots.keys()]).map(({ x, y, end }) => [end ? x - 8 : x, y - 10, end ? x : x + 8, y]);

  for (const [one, box] of boxes.entries()) {
    for (const other of boxes.slice(one + 1))
      assert.ok(box[2] <= other[0] || other[2] <= box[0] || box[3] <= other[1] || other[3] <= box[1]);
  }
  const shown = placed(-1, [...spots.keys()]).map(({ at }) => at);
  assert.ok(shown.length > 2 && shown.length < spots.length && shown.includes(8));
  assert.equal(placed(-1, [8])[0].end, true, "at its left where there is no room at its right");
  for (const selected of spots.keys()) {
    const order = [selected, ...spots.keys()].filter((at, place, all) => all.indexOf(at) === place);
    assert.equal(placed(selected, order)[0].at, selected);
  }
});

test("j and k lead to the point of the next chunk and the one before, past those without a point, and stop at the ends", () => {
  const points = { chunk: [0, 2, 3, 1], of: [0, 0, 0, 1] };

  assert.equal(nextPoint(points, 0, 1), 1);
  assert.equal(nextPoint(points, 3, -1), 1);
  assert.equal(nextPoint(points, 3, 1), 2);
  assert.equal(nextPoint(points, 0, -1), 0);
  assert.equal(nextPoint(points, -1, 1), 0);
  assert.equal(nextPoint({ chunk: [], of: [] }, -1, 1), -1);
});
