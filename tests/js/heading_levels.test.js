import assert from "node:assert/strict";
import { test } from "node:test";
import { heardLevels } from "../../pages/ui/components/reading_views/heading_levels.js";

test("a level that the document skips is not skipped for the ear", () => {
  assert.deepEqual(heardLevels([1, 3, 6, 2]), [1, 2, 3, 2]);
});

test("a stretch that begins deep in the document begins one level below the page's own heading", () => {
  assert.deepEqual(heardLevels([4, 4, 5, 3, 1]), [2, 3, 4, 3, 1]);
});
