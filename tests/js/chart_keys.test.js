import assert from "node:assert/strict";
import { test } from "node:test";
import { next } from "../../pages/ui/components/shared/chart_keys.js";

const left = [-1, 0];
const right = [1, 0];
const down = [0, 1];
const grid = [0, 1, 2].flatMap((y) => [0, 1, 2].map((x) => ({ x: 40 * x, y: 30 * y })));

test("an arrow leads to the cell beside, and at the edge to none", () => {
  assert.deepEqual(next(grid, { x: 40, y: 30 }, right), { x: 80, y: 30 });
  assert.deepEqual(next(grid, { x: 40, y: 30 }, down), { x: 40, y: 60 });
  assert.equal(next(grid, { x: 0, y: 30 }, left), undefined);
});

test("among scattered points an arrow leads to a near one in its direction, not far beside it", () => {
  const points = [
    { x: 12, y: 40 },
    { x: 30, y: 4 },
  ];

  assert.deepEqual(next(points, { x: 0, y: 0 }, right), { x: 30, y: 4 });
  assert.deepEqual(next(points, { x: 0, y: 0 }, down), { x: 12, y: 40 });
});
