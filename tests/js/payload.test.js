import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { heldDocument, holdDocument, movedRun, readPayload } from "../../pages/ui/components/source_view/payload.js";

// Written by payload.py: tests/ui/components/test_source_view_payload.py holds that these are its bytes.
const WRITTEN = new Uint8Array(readFileSync(new URL("payload.bin", import.meta.url)));

/** The same bytes within a larger message, at a place that no typed array could begin at. */
function withinAMessage(bytes) {
  const message = new Uint8Array(bytes.length + 6);
  message.set(bytes, 3);
  return message.subarray(3, 3 + bytes.length);
}

test("columns, header and strings are read as they were written, wherever in a message they lie", () => {
  for (const bytes of [WRITTEN, withinAMessage(WRITTEN)]) {
    const run = readPayload(bytes);
    assert.equal(run.name, "kettle ☕.md");
    assert.deepEqual([...run.start], [0, 13, 70000]);
    assert.deepEqual([...run.flagged], []);
    assert.deepEqual(run.list("details"), ["full", "", "a—b"]);
  }
});

test("a byte order mark is a character of the text, as offsets count it", () => {
  assert.equal(readPayload(WRITTEN).raw("text"), "\ufeff# 🫖\n");
});

test("what was not sent is null as a text, and one empty string as a list", () => {
  const run = readPayload(WRITTEN);
  assert.equal(run.raw("context"), null);
  assert.deepEqual(run.list("markLabels"), [""]);
});

test("what a move does not send stays as it was", () => {
  const before = { ...readPayload(WRITTEN), name: "before.md", height: "70vh", start: new Int32Array([1]) };
  const run = movedRun(before, WRITTEN);
  assert.equal(run.height, "70vh");
  assert.deepEqual([...run.start], [0, 13, 70000]);
});

test("texts are kept by hash, the oldest dropped when they are too much together", () => {
  const large = { text: "x".repeat(30e6) };
  holdDocument("one", large);
  holdDocument("two", { text: "y" });
  assert.equal(heldDocument("one"), large);
  holdDocument("three", { text: "z".repeat(30e6) });
  assert.equal(heldDocument("one"), undefined);
  assert.notEqual(heldDocument("three"), undefined);
});
