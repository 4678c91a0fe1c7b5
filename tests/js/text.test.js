import assert from "node:assert/strict";
import { test } from "node:test";
import { lastAtMost } from "../../pages/ui/components/source_view/payload.js";
import { contentEnd, layOutText } from "../../pages/ui/components/source_view/text.js";

test("a line ends where CommonMark ends it: after LF, CR, or CR LF", () => {
  assert.deepEqual([...layOutText("a\nb\rc\r\nd").lines], [0, 2, 4, 7]);
});

test("an empty text has one line", () => {
  assert.deepEqual([...layOutText("").lines], [0]);
});

test("what is shown of a line is without its ending", () => {
  const layout = layOutText("ab\r\ncd\n\nef");
  assert.deepEqual(
    [0, 1, 2, 3].map((line) => contentEnd(layout, line)),
    [2, 6, 7, 10],
  );
});

test("lines are grouped into pages of forty", () => {
  assert.deepEqual([...layOutText("x\n".repeat(100)).pages], [0, 40, 80]);
});

test("a very long line is laid out in pieces that never cut a character in two", () => {
  const { lines, text } = layOutText(`${"x".repeat(3999)}😀${"y".repeat(5000)}`);
  assert.equal(lines[1], 3999);
  for (const start of lines) assert.notEqual(text.charCodeAt(start) & 0xfc00, 0xdc00);
});

test("the last place at or before an offset is found, -1 before the first", () => {
  assert.equal(lastAtMost([2, 5, 9], 1), -1);
  assert.equal(lastAtMost([2, 5, 9], 5), 1);
  assert.equal(lastAtMost([2, 5, 9], 100), 2);
  assert.equal(lastAtMost([], 3), -1);
});
