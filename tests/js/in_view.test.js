import assert from "node:assert/strict";
import test from "node:test";
import { chunksInView } from "../../pages/ui/components/source_view/painting.js";

const run = /** @type {any} */ ({
  ...{ start: Int32Array.of(10, 50, 100), end: Int32Array.of(50, 90, 150) },
  ...{ chunks: 3, tokens: Int32Array.of(7, 8, 1_000) },
});

test("all chunks in view are named, not the one at its top alone", () => {
  assert.equal(chunksInView(run, 20, 50), "chunk 1 of 3 · 7 tokens");
  assert.equal(chunksInView(run, 20, 51), "chunks 1–2 of 3");
  assert.equal(chunksInView(run, 0, 400), "chunks 1–3 of 3");
  assert.equal(chunksInView({ ...run, approximate: true }, 100, 100), "chunk 3 of 3 · ≈1,000 tokens");
});

test("where no chunk is in view, that is said", () => {
  assert.equal(chunksInView(run, 0, 10), "left out, before chunk 1 of 3");
  assert.equal(chunksInView(run, 92, 99), "left out, after chunk 2 of 3");
  assert.equal(chunksInView(run, 160, 170), "left out, after chunk 3 of 3");
});
