import assert from "node:assert/strict";
import { test } from "node:test";
import { snapped, startsBlock, stepped } from "../../pages/ui/components/source_view/snap.js";
import { layOutText } from "../../pages/ui/components/source_view/text.js";

//                          0      1  2       3       4       5  6        7
const layout = layOutText("# One\n\nwater\nand more\nsteam\n\n## Two\nat once\n\n\n");

test("a block begins after a blank line, at a heading, and after one", () => {
  assert.deepEqual(
    [0, 1, 2, 3, 4, 5, 6, 7].map((line) => startsBlock(layout, line)),
    [true, false, true, false, false, false, true, true],
  );
});

test("a boundary snaps to lines with text, and to the beginning of a block beside it", () => {
  assert.deepEqual(
    [1, 2, 3, 4, 5].map((line) => snapped(layout, line, 1, 7)),
    [2, 2, 2, 4, 6],
  );
  assert.equal(snapped(layout, 0, 4, 7), 4);
  assert.equal(snapped(layout, 9, 8, 9), -1);
});

test("keys go from block to block, or from line to line, and stay at the ends", () => {
  assert.equal(stepped(layout, 2, 1, true, 1, 7), 6);
  assert.equal(stepped(layout, 2, 1, false, 1, 7), 3);
  assert.equal(stepped(layout, 6, -1, false, 1, 7), 4);
  assert.equal(stepped(layout, 2, -1, true, 1, 7), 2);
});
