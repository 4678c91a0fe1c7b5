import assert from "node:assert/strict";
import test from "node:test";

import { markSentence, readMarks } from "../../pages/ui/components/source_view/marks.js";

test("a mark says its question, whether a boundary cuts it, and whether anybody has reviewed it", () => {
  const run = { markStart: [1, 4], markEnd: [3, 9], markLook: [4, 3], list: () => ["How long?", "Must stay whole"] };

  const [draft, whole] = readMarks(/** @type {any} */ (run)).all;

  assert.equal(markSentence(draft), "Answer: How long? (in one chunk; a draft, not reviewed)");
  assert.equal(markSentence(whole), "Keep whole: Must stay whole (a chunk boundary cuts it)");
});
