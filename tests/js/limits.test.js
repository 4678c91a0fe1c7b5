import assert from "node:assert/strict";
import { test } from "node:test";
import { namedNumber, nearestStep, passedBy, wrongWith } from "../../pages/ui/components/threshold_rail/limits.js";

const neighbour = (setting, apart) => ({ setting, apart, must: "{}", stop: "{}" });

test("a dragged value stands on the nearest step, counted from the slider's left end", () => {
  assert.equal(nearestStep(123, { minimum: 0, maximum: 1000, step: 10 }), 120);
  assert.equal(nearestStep(123, { minimum: 5, maximum: 1000, step: 10 }), 125);
  assert.equal(nearestStep(0.333, { minimum: 0, maximum: 1, step: 0.05 }), 0.35);
});

test("a dragged value stays between the slider's ends", () => {
  assert.equal(nearestStep(-40, { minimum: 0, maximum: 1000, step: 10 }), 0);
  assert.equal(nearestStep(4000, { minimum: 0, maximum: 1000, step: 10 }), 1000);
});

test("a value that passes no other threshold is passed by none", () => {
  const threshold = { not_above: [neighbour("max", 0)], not_below: [] };
  assert.equal(
    passedBy(threshold, 600, () => 600),
    null,
  );
});

test("of two thresholds that a value would pass, the one that is passed by more stops it", () => {
  const threshold = { not_above: [neighbour("near", 0), neighbour("far", 1)], not_below: [] };
  const found = passedBy(threshold, 700, (setting) => ({ near: 650, far: 600 })[setting]);
  assert.deepEqual([found.setting, found.stands, found.limit, found.beyond], ["far", 600, 599, 101]);
});

test("a value that may not be below another stops above it, as far apart as has to be", () => {
  const found = passedBy({ not_above: [], not_below: [neighbour("min", 5)] }, 200, () => 250);
  assert.equal(found.limit, 255);
});

test("a typed value is refused outside its range, and where it is no number", () => {
  assert.equal(wrongWith(5, 10, 20), "out of range");
  assert.equal(wrongWith(21, 10, 20), "out of range");
  assert.equal(wrongWith(Number.NaN, 10, 20), "not a number");
  assert.equal(wrongWith(20, 10, 20), "");
});

test("a name with a number is read of what is typed", () => {
  assert.deepEqual(namedNumber("min 300"), ["min", 300]);
  assert.deepEqual(namedNumber("Set Chunk size to 1,200 "), ["chunk size", 1200]);
  assert.deepEqual(namedNumber("similarity 0.35"), ["similarity", 0.35]);
  for (const other of ["", "min", "300", "min 300 and more"]) assert.equal(namedNumber(other)[0], "");
});
