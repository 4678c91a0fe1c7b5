import assert from "node:assert/strict";
import test from "node:test";
import { newsOf } from "../../pages/ui/components/phone_sheet/selected.js";

const second = { document: "tea", at: 120, says: "Chunk 2 of 7, 300 tokens" };

test("what is selected is said when somebody goes to another place", () => {
  assert.equal(newsOf({ ...second, at: 0, says: "Chunk 1 of 7, 90 tokens" }, second), "Chunk 2 of 7, 300 tokens");
});

test("nothing is said of a place that stays while a threshold makes other chunks of it", () => {
  assert.equal(newsOf(second, { ...second, says: "Chunk 5 of 30, 40 tokens" }), "");
});

test("nothing is said of where a document begins, nor where nothing is selected", () => {
  assert.equal(newsOf(undefined, second), "");
  assert.equal(newsOf({ ...second, document: "coffee", at: 0 }, second), "");
  assert.equal(newsOf(second, { ...second, at: null, says: "" }), "");
});
