import assert from "node:assert/strict";
import test from "node:test";
import { openedBy, scrolledWithin, stretchToSee } from "../../pages/ui/components/source_view/over_sheet.js";

test("a boundary is seen with a line above it and two below it, and with the chunk's end where both have room", () => {
  assert.deepEqual(stretchToSee(100, 300, 400), [80, 340]);
  assert.deepEqual(stretchToSee(100, 900, 400), [80, 140]);
  assert.deepEqual(stretchToSee(100, Number.NaN, 400), [80, 140]);
});

test("the page scrolls before the source does, and neither where the boundary is above the sheet", () => {
  const over = { top: 440, lift: 400, lid: 520 };
  assert.equal(scrolledWithin([450, 510], over), 0);
  assert.equal(scrolledWithin([600, 660], over), 0);
  assert.equal(scrolledWithin([930, 990], over), 70);
});

test("the source scrolls back to a boundary above it", () => {
  assert.equal(scrolledWithin([400, 460], { top: 440, lift: 400, lid: 520 }), -40);
});

test("a source that is opened scrolls no further than its first boundary needs, and not past nearly all of its chunk", () => {
  assert.equal(openedBy(200, 271), 0);
  assert.equal(openedBy(478, 271), 247);
  assert.equal(openedBy(900, 271), 0);
  assert.equal(openedBy(Number.NaN, 271), 0);
});
