import assert from "node:assert/strict";
import test from "node:test";
import { sentence } from "../../pages/ui/components/number_strip/meanings.js";

test("a metric's help, which goes on from its name, is said as a sentence", () => {
  assert.equal(sentence("half of the chunks have fewer"), "Half of the chunks have fewer.");
  assert.equal(sentence("Another way. It is chosen."), "Another way. It is chosen.");
});
