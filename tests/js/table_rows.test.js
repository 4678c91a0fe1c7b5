import assert from "node:assert/strict";
import { test } from "node:test";
import {
  arranged,
  countChecks,
  newRows,
  readRows,
  stretches,
  updateChecks,
  updateRepeats,
  updateRows,
} from "../../pages/ui/components/corpus_table/table_rows.js";

const NAMES = { names: ["b/two.md", "a/one.md", "c.md"], overrides: ["", "a/** maxTokens 400", ""] };
const LOOKS = { order: "torn", descending: true, show: "all", check: "", path: "", row: "" };

/** As rows.py writes them. */
function bytesOf(head, places) {
  let text = JSON.stringify({ run: "r", problems: {}, ...head });
  text += " ".repeat(text.length % 2);
  const bytes = new Uint8Array(4 + text.length + 2 * places.length);
  new DataView(bytes.buffer).setUint32(0, text.length, true);
  bytes.set(new TextEncoder().encode(text), 4);
  bytes.set(new Uint8Array(Uint16Array.from(places).buffer), 4 + text.length);
  return bytes;
}

const numbers = (rows, torn) => ({
  ...{ rows, torn, chunks: rows.map(() => 2), median: rows.map(() => 10), within: rows.map((row) => row / 4) },
  ...{ over: rows.map(() => 0), over_with_context: rows.map(() => 0), left_out: rows.map((row) => row) },
  ...{ short_tail: rows.map(() => 0), lost: rows.map(() => 0) },
});

test("rows are read from bytes, also where these begin at an odd place", () => {
  const bytes = bytesOf(numbers([0, 2], [0, 1]), [2048, 4096, 1024 | 0x8000, 4096]);
  const shifted = new Uint8Array(bytes.length + 1);
  shifted.set(bytes, 1);
  const rows = newRows(NAMES);
  updateRows(rows, readRows(shifted.subarray(1)));

  assert.deepEqual(
    rows.map(({ known, behind }) => [known, behind]),
    [
      [true, false],
      [false, true],
      [true, false],
    ],
  );
  assert.deepEqual(
    stretches(rows[2].places).map(({ from, to, torn }) => [from, to, torn]),
    [
      [0, 0.25, true],
      [0.25, 1, false],
    ],
  );
});

test("a row that has not followed keeps its numbers and is behind", () => {
  const rows = newRows(NAMES);
  updateRows(rows, readRows(bytesOf(numbers([0, 1, 2], [3, 2, 1]), [1, 2, 1, 2, 1, 2])));
  updateRows(rows, readRows(bytesOf(numbers([1], [9]), [1, 2])));

  assert.deepEqual(
    rows.map(({ torn, behind }) => [torn, behind]),
    [
      [3, true],
      [9, false],
      [1, true],
    ],
  );
});

test("the worst come first, equal ones by name, and what is not cut last", () => {
  const rows = newRows(NAMES);
  const names = (looks) => arranged(rows, { ...LOOKS, ...looks }).map(({ name }) => name);
  updateRows(rows, readRows(bytesOf(numbers([0, 1, 2], [1, 1, 5]), [1, 2, 1, 2, 1, 2])));

  assert.deepEqual(names({}), ["c.md", "a/one.md", "b/two.md"]);
  assert.deepEqual(names({ descending: false }), ["a/one.md", "b/two.md", "c.md"]);
  assert.deepEqual(names({ order: "within" }), ["b/two.md", "a/one.md", "c.md"]); // the smallest share is the worst
  assert.deepEqual(names({ order: "document", descending: false }), ["a/one.md", "b/two.md", "c.md"]);
  rows[2].problem = "maxTokens: is less than minTokens";
  assert.deepEqual(names({}), ["a/one.md", "b/two.md", "c.md"]);
  assert.deepEqual(names({ show: "problem" }), ["c.md"]);
  assert.deepEqual(names({ path: " A/" }), ["a/one.md"]);
  assert.deepEqual(names({ show: "over" }), []);
});

test("rows know the checks that they do not pass, and keep them until others come", () => {
  const rows = newRows(NAMES);
  updateRows(rows, readRows(bytesOf(numbers([0, 1, 2], [1, 1, 5]), [1, 2, 1, 2, 1, 2])));
  const names = (looks) => arranged(rows, { ...LOOKS, ...looks }).map(({ name }) => name);
  updateChecks(rows, { failed: { 0: [], 1: ["tables"] }, warned: { 0: ["tiny", "tables"], 1: ["tiny"] } });

  assert.deepEqual(
    rows.map(({ checked }) => checked),
    ["yes", "yes", "no"],
  );
  assert.deepEqual(countChecks(rows), [
    { name: "tables", failed: 1, warned: 1 },
    { name: "tiny", failed: 0, warned: 2 },
  ]);
  assert.deepEqual(names({ check: "tables" }), ["a/one.md", "b/two.md"]);
  assert.deepEqual(names({ check: "limits" }), []);
  assert.deepEqual(names({ order: "checks" }), ["a/one.md", "b/two.md", "c.md"]); // failing first, unknown last

  updateChecks(rows, { failed: { 0: [] }, warned: { 0: [] } });
  assert.deepEqual(
    rows.map(({ checked }) => checked),
    ["yes", "before", "no"],
  );
  assert.deepEqual(names({ check: "tables" }), ["a/one.md"]);
});

test("rows name the documents that have a chunk of theirs too", () => {
  const rows = newRows(NAMES);
  updateRepeats(rows, { 0: [1200, [1, 2], true], 1: [1, [0], false] });

  assert.deepEqual(
    rows.map(({ alsoIn }) => alsoIn),
    ["1,200 also in a/one.md, c.md and others", "1 also in b/two.md", ""],
  );
  assert.deepEqual(
    arranged(rows, { ...LOOKS, show: "repeats" }).map(({ name }) => name),
    ["a/one.md", "b/two.md"],
  );
});

test("neighbouring chunks never have one colour", () => {
  const places = Uint16Array.from({ length: 400 }, (_, at) => at * 10);
  const hues = stretches(places).map(({ hue }) => hue);
  assert.ok(hues.every((hue, at) => hue >= 0 && hue < 6 && hue !== hues[at + 1]));
});

test("documents over the limit with context alone are among those over it, after those that are without", () => {
  const rows = newRows(NAMES);
  const found = { ...numbers([0, 1, 2], [0, 0, 0]), over: [0, 1, 0], over_with_context: [12, 0, 0] };
  updateRows(rows, readRows(bytesOf(found, [1, 2, 1, 2, 1, 2])));

  const names = arranged(rows, { ...LOOKS, order: "over", show: "over" }).map(({ name }) => name);
  assert.deepEqual(names, ["a/one.md", "b/two.md"]);
});
