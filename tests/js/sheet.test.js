import assert from "node:assert/strict";
import test from "node:test";
import { dragged, firstSize, larger, leavesLittle } from "../../pages/ui/components/phone_sheet/sheet.js";

test("the sheet begins as it was, as its handle in a low window, else with one threshold", () => {
  assert.deepEqual(
    [firstSize("all", 360), firstSize(null, 360), firstSize(null, 844), firstSize("odd", 844)],
    ["all", "handle", "one", "one"],
  );
});

test("a drag leads to the next size, a long one over two, a touch of it nowhere", () => {
  assert.deepEqual(
    [10, 40, 300, -40, -300].map((pixels) => dragged("one", pixels)),
    ["one", "all", "all", "handle", "handle"],
  );
  assert.equal(dragged("handle", 300), "all");
});

test("no size is beyond the largest and the smallest", () => {
  assert.deepEqual([larger("all", 1), larger("handle", -1), larger("handle", 1)], ["all", "handle", "one"]);
});

test("the source has all that an open sheet leaves of a low window, and over a fully open one of any", () => {
  assert.deepEqual(
    [
      ["one", 390],
      ["handle", 390],
      ["one", 844],
      ["all", 844],
      [undefined, 390],
    ].map(([size, height]) => leavesLittle(size, height)),
    [true, false, false, true, false],
  );
});
