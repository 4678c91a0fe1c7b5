// Tab from part to part of a page that is seen in another order than its elements'.

import assert from "node:assert/strict";
import { test } from "node:test";
import { stopAcross } from "../../pages/ui/components/phone_sheet/tab_order.js";

const PARTS = [["document", "strategy"], [], ["source"], ["tokenizer", "baseline"]];

test("Tab goes from the end of a part to the next one that has a stop, and back", () => {
  assert.equal(stopAcross(PARTS, "strategy", false), "source");
  assert.equal(stopAcross(PARTS, "source", false), "tokenizer");
  assert.equal(stopAcross(PARTS, "tokenizer", true), "source");
  assert.equal(stopAcross(PARTS, "source", true), "strategy");
});

test("within a part, before the first and elsewhere the browser goes its own way, and behind the last out", () => {
  for (const from of ["document", "tokenizer", "menu"]) assert.equal(stopAcross(PARTS, from, false), null);
  for (const from of ["document", "strategy", "menu"]) assert.equal(stopAcross(PARTS, from, true), null);
  assert.equal(stopAcross(PARTS, "baseline", false), "out");
});
