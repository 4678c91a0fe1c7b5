import assert from "node:assert/strict";
import { test } from "node:test";
import { inTurn } from "../../pages/ui/components/shared/live_region.js";

test("what is told at almost the same time is said in turn, and the same words once", () => {
  assert.equal(inTurn("", "Copied"), "Copied");
  assert.equal(inTurn("Copied", ""), "Copied");
  assert.equal(inTurn("Copied", "Copied"), "Copied");
  assert.equal(inTurn("Copied", "Chunk 2 of 7"), "Copied. Chunk 2 of 7");
  assert.equal(inTurn("Tab, then Enter, applies it.", "Chunk 2 of 7"), "Tab, then Enter, applies it. Chunk 2 of 7");
});
