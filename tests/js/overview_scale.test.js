import assert from "node:assert/strict";
import { test } from "node:test";
import { frameOf, offsetAt, scaleOf } from "../../pages/ui/components/source_view/overview_scale.js";

test("the overview's height stands for the whole text, an empty one too", () => {
  assert.equal(scaleOf(500, 1000), 0.5);
  assert.equal(scaleOf(500, 0), 500);
});

test("a click stands for the place at that share of the height, never beyond the text", () => {
  assert.equal(offsetAt(250, 500, 1001), 500);
  assert.equal(offsetAt(-20, 500, 1001), 0);
  assert.equal(offsetAt(900, 500, 1001), 1000);
});

test("the frame of a small view can still be seen, and its line stays within the overview", () => {
  assert.deepEqual(frameOf({ from: 0, to: 2 }, 500, 0.5), { top: 0, size: 8, lineTop: 0.5, lineSize: 7 });
  assert.equal(frameOf({ from: 998, to: 1000 }, 500, 0.5).lineTop, 492);
});
