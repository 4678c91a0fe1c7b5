// What the dashes of the source are of.

import assert from "node:assert/strict";
import test from "node:test";
import { comparedWith, onlyThere } from "../../pages/ui/components/source_view/baseline_marks.js";

test("on Compare they are of its first config, elsewhere of the baseline", () => {
  const [alone, compared] = ["", "compare"].map((together) => /** @type {any} */ ({ together }));
  assert.equal(comparedWith(alone), "the baseline");
  assert.equal(comparedWith(compared), "A");
  assert.match(onlyThere(alone), /^The baseline cuts here/);
  assert.match(onlyThere(compared), /^A cuts here/);
});
