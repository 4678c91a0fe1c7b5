import assert from "node:assert/strict";
import { test } from "node:test";
import { inTable, withTables } from "../../pages/ui/components/source_view/tables.js";
import { layOutText } from "../../pages/ui/components/source_view/text.js";

const TEXT =
  "# Prices\n\n| tea | price |\n|-----|-------|\n| 茶 | 1 |\n\nA line that is longer than any of the table.\n";
const START = Int32Array.of(TEXT.indexOf("| tea"));
const END = Int32Array.of(TEXT.indexOf("\n\nA line"));

test("the lines of a table are known, and how many columns the longest takes", () => {
  const layout = withTables(layOutText(TEXT), START, END);
  assert.deepEqual(
    [0, 1, 2, 3, 4, 5, 6].map((line) => inTable(layout, line)),
    [false, false, true, true, true, false, false],
  );
  assert.equal(layout.columns, 15);
});

test("a table's lines are wrapped at 240 columns, and a text without tables needs none", () => {
  const wide = `| ${"x".repeat(500)} |\n|---|\n`;
  assert.equal(withTables(layOutText(wide), Int32Array.of(0), Int32Array.of(wide.length)).columns, 240);
  const none = withTables(layOutText("water\n"));
  assert.deepEqual([none.columns, inTable(none, 0)], [0, false]);
});
