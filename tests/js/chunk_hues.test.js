import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { chunkHues } from "../../pages/ui/components/shared/chunk_hues.js";

// tests/analysis/test_hues.py computes them from the same file.
const EXAMPLES = JSON.parse(readFileSync(new URL("chunk_hues.json", import.meta.url), "utf-8"));

test("a chunk has the hue that the library gives it", () => {
  for (const { starts, hues } of EXAMPLES) {
    assert.deepEqual([...chunkHues(Int32Array.from(starts))], hues);
  }
});
