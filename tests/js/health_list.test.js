import assert from "node:assert/strict";
import test from "node:test";
import { placesWords } from "../../pages/ui/components/health_list/health_list.js";

test("the count beside the checks says of what it is", () => {
  assert.equal(placesWords(2, true), "2 places that fail a check");
  assert.equal(placesWords(1, true), "1 place that fails a check");
  assert.equal(placesWords(1_200, false), "1,200 places with a warning");
});
