import assert from "node:assert/strict";
import { test } from "node:test";
import {
  boundaryWords,
  contextWords,
  reasonWords,
  restWords,
  shareText,
} from "../../pages/ui/components/corpus_table/row_element.js";

const row = { known: true, problem: "", chunks: 13, torn: 3 };

test("a document's strip of boundaries is said in words", () => {
  assert.equal(boundaryWords(row), "12 boundaries; 3 blocks are cut in two");
  assert.equal(boundaryWords({ ...row, torn: 1 }), "12 boundaries; 1 block is cut in two");
  assert.equal(boundaryWords({ ...row, chunks: 1_235, torn: 0 }), "1,234 boundaries");
  assert.equal(boundaryWords({ ...row, chunks: 2, torn: 0 }), "1 boundary");
  assert.equal(boundaryWords({ ...row, chunks: 1, torn: 0 }), "No boundaries");
});

test("chunks that are over the maximum with their context alone are said as such", () => {
  assert.equal(contextWords({ ...row, over_with_context: 1_200 }), "1,200 more with context");
  assert.equal(contextWords({ ...row, over_with_context: 0 }), "");
  assert.equal(contextWords({ ...row, over_with_context: 12, known: false }), "");
});

test("why characters are left out is said, what is lost first", () => {
  const left = { ...row, left_out: 90, short_tail: 0, lost: 0 };
  assert.equal(reasonWords({ ...left, left_out: 0 }), "");
  assert.equal(reasonWords({ ...left, short_tail: 90 }), "short last chunk");
  assert.equal(reasonWords({ ...left, short_tail: 50 }), "short last chunk, …");
  assert.equal(reasonWords({ ...left, lost: 1, short_tail: 89 }), "lost, …");
  assert.equal(reasonWords(left), "by settings");
  assert.equal(reasonWords({ ...left, known: false }), "");
});

test("on a phone a row says in a line what it has no column for", () => {
  const about = { ...row, over: 2, over_with_context: 0, left_out: 77, failed: ["a"], warned: [], checked: "yes" };
  const words = { median: "96", within: "86%", over: "2", left_out: "77", checks: "1 failed", override: "" };
  const said = "median 96 tokens · 86% within limits · 2 over · 77 characters left out · checks: 1 failed";
  assert.equal(restWords(about, words), said);
  const fine = { ...about, over: 0, left_out: 0, failed: [] };
  assert.equal(restWords(fine, { ...words, within: "–", override: "max 900" }), "median 96 tokens · max 900");
  const context = { ...fine, over_with_context: 1_200 };
  assert.equal(
    restWords(context, { ...words, over: "0" }),
    "median 96 tokens · 86% within limits · 0 over, 1,200 more with context",
  );
  assert.equal(restWords({ ...about, problem: "not cut" }, words), "not cut");
});

test("an empty strip says nothing", () => {
  assert.equal(boundaryWords({ ...row, known: false }), "");
  assert.equal(boundaryWords({ ...row, problem: "not cut" }), "");
});

test("a share is rounded as in Python, and is all or none only where it is", () => {
  assert.deepEqual([1 / 8, 29 / 200, 0.9999, 0.0001, 1, 0].map(shareText), ["13%", "15%", "99%", "1%", "100%", "0%"]);
});
