import assert from "node:assert/strict";
import test from "node:test";
import { placeAfterEdit } from "../../pages/ui/components/source_view/edited.js";

const before = "one two three four";

test("a place before an edit stays, one after it moves along, one inside stays near", () => {
  const after = "one two and a half three four";
  assert.equal(placeAfterEdit(before, after, before.indexOf("two")), after.indexOf("two"));
  assert.equal(placeAfterEdit(before, after, before.indexOf("four")), after.indexOf("four"));
  assert.equal(placeAfterEdit(after, before, after.indexOf("half")), before.indexOf("three"));
});

test("between two edits a place is found by the rest of its line", () => {
  const after = "new\na\nthe kettle\nc\nb, too\n";
  assert.equal(placeAfterEdit("a\nthe kettle\nb\n", after, 2), after.indexOf("the kettle"));
});

test("another text has no such place", () => {
  assert.equal(placeAfterEdit(before, "something else altogether", 4), -1);
  assert.equal(placeAfterEdit(before, before, 4), 4);
});
