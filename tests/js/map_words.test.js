import assert from "node:assert/strict";
import test from "node:test";
import {
  chunkWords,
  duplicateTitle,
  duplicateWords,
  sampleWords,
  waitingWords,
} from "../../pages/ui/components/reading_views/map_words.js";

const ONE = { documents: [], duplicates: [], duplicate_count: 0, duplicates_within: 0, threshold: 0.95 };
const SEVERAL = { ...ONE, documents: ["a.md", "b.md"] };

test("a map of a sample says of how many chunks it is, and how they were chosen", () => {
  assert.equal(chunkWords(1, 0), "1 chunk");
  assert.equal(chunkWords(12_345, 10_345), "A sample of 2,000 of 12,345 chunks");
  assert.equal(sampleWords({ left_out: 0, of: [0, 0], documents: [] }), "");
  assert.equal(
    sampleWords({ left_out: 8, of: [0, 0], documents: ["a.md"] }),
    "A sample of 2 of 10 chunks, of each document as many as of another, as far as it has them. " +
      "Near-duplicates and outliers are those of the sample.",
  );
});

test("near-duplicates of several documents are those of different ones, and the others are counted", () => {
  assert.equal(duplicateTitle(ONE), "Near-duplicates: 0");
  assert.equal(duplicateTitle({ ...SEVERAL, duplicate_count: 1200 }), "Near-duplicates across documents: 1,200");
  assert.equal(duplicateWords(ONE), "No two chunks have a cosine of 0.95 or more.");
  assert.equal(
    duplicateWords({ ...SEVERAL, duplicates_within: 1 }),
    "No two chunks of different documents have a cosine of 0.95 or more. 1 more pair is within one document.",
  );
  const listed = { ...SEVERAL, duplicates: [[0, 1, 1]], duplicate_count: 3, duplicates_within: 2 };
  assert.equal(duplicateWords(listed), "The first 1 pairs. 2 more pairs are within one document.");
});

test("before there is a map it says what it waits for, then how far it is", () => {
  const waiting = { chunks: 0, points: null, waits: "Waiting for all documents to be cut", layout: "components" };

  assert.equal(waitingWords({ ...waiting }, false), "Waiting for all documents to be cut");
  assert.equal(
    waitingWords({ ...waiting, chunks: 9, done: 4, total: 9 }, true),
    "The map is of the chunks before. Embedding on this machine: 4 of 9 chunks",
  );
  assert.equal(
    waitingWords({ ...waiting, problem: "not all documents are cut" }, false),
    "There is no map: not all documents are cut",
  );
});
