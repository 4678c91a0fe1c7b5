import assert from "node:assert/strict";
import test from "node:test";
import {
  blocksCut,
  cutWords,
  nextTorn,
  tornAfter,
  tornDensity,
  tornPlace,
  tornWords,
} from "../../pages/ui/components/source_view/torn.js";

const run = /** @type {any} */ ({
  torn: Int32Array.of(2, 5),
  tornKind: Int32Array.of(0, 1),
  tornFirst: Int32Array.of(318, 1400),
  tornLast: Int32Array.of(375, 1400),
});

test("the next torn boundary is after the chunk, the one before is before it", () => {
  assert.deepEqual(
    [-1, 1, 2, 4, 5].map((from) => nextTorn(run.torn, from, 1)),
    [0, 0, 1, 1, -1],
  );
  assert.deepEqual(
    [2, 3, 5, 6].map((from) => nextTorn(run.torn, from, -1)),
    [-1, 0, 0, 1],
  );
});

test("the end of a chunk is torn or not, and it is said what it cuts", () => {
  assert.deepEqual(
    [1, 2, 5].map((chunk) => tornAfter(run, chunk)),
    [-1, 0, 1],
  );
  assert.equal(tornWords(run, 0), "cuts the table, lines 318 to 375");
  assert.equal(tornWords(run, 1), "cuts the code block, line 1,400");
  assert.equal(tornPlace(run, 1), "Torn boundary 2 of 2: cuts the code block, line 1,400");
});

test("blocks are counted as the numbers do, each once, and the places where they are cut where those are more", () => {
  assert.equal(blocksCut(run), 2);
  assert.equal(blocksCut({ ...run, tornKind: [0, 2, 0], tornFirst: [3, 1, 3], tornLast: [9, 12, 9] }), 2);
  assert.equal(cutWords(2, 2), " blocks cut");
  assert.equal(cutWords(1, 1_000), " block cut in 1,000 places");
});

test("many torn boundaries are counted by their place on the overview, few are drawn each", () => {
  const end = Int32Array.from({ length: 100 }, (_, chunk) => (chunk < 60 ? chunk + 1 : 60 + (chunk - 59) * 6));
  const all = /** @type {any} */ ({ end, units: 300, torn: Int32Array.from(end.keys()) });
  assert.deepEqual([...(tornDensity(all, 60) ?? [])], [29, 30, 5, 5, 5, 5, 5, 5, 5, 6]);
  assert.equal(tornDensity({ ...all, torn: Int32Array.of(2, 70) }, 60), null);
  assert.equal(tornDensity({ ...all, torn: Int32Array.from({ length: 40 }, (_, chunk) => chunk) }, 600), null);
});
