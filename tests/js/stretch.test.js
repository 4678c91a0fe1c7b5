import assert from "node:assert/strict";
import { test } from "node:test";
import { Stretch } from "../../pages/ui/components/ribbon/stretch.js";

test("zooming keeps the place under the pointer, and ends at all of it and at 64 times", () => {
  const stretch = new Stretch();
  stretch.zoomBy(2, 0.75);
  assert.deepEqual([stretch.zoom, stretch.from], [2, 96]);
  assert.equal(stretch.placeAt(0.75), 0.75);
  for (let time = 0; time < 9; time++) stretch.zoomBy(2, 1);
  assert.deepEqual([stretch.zoom, stretch.narrowest], [64, true]);
  for (let time = 0; time < 9; time++) stretch.zoomBy(1 / 2);
  assert.deepEqual([stretch.zoom, stretch.from, stretch.widest], [1, 0, true]);
});

test("it moves within the document, and to a place that is not in it", () => {
  const stretch = new Stretch();
  stretch.zoomBy(2, 0);
  stretch.zoomBy(2, 0);
  stretch.moveBy(-1);
  assert.equal(stretch.from, 0);
  stretch.moveBy(0.5);
  assert.equal(stretch.from, 32);
  stretch.show(0.2);
  assert.equal(stretch.from, 32);
  stretch.show(1);
  assert.equal(stretch.from, 192);
});

test("the axis has a line for each quarter at every zoom", () => {
  const stretch = new Stretch();
  for (let time = 0; time < 6; time++) stretch.zoomBy(2, 0.3);
  assert.ok(stretch.marks(4).every((mark) => Number.isInteger(mark) && mark >= 0 && mark <= 256));
});
