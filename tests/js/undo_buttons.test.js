import assert from "node:assert/strict";
import { test } from "node:test";
import { stepOf } from "../../pages/ui/components/undo_buttons/undo_buttons.js";

const pressed = (key, ...held) => ({
  key,
  ctrlKey: held.includes("Ctrl"),
  metaKey: held.includes("Cmd"),
  shiftKey: held.includes("Shift"),
  altKey: held.includes("Alt"),
});

test("Ctrl Z undoes; Ctrl Y and Ctrl Shift Z redo", () => {
  assert.equal(stepOf(pressed("z", "Ctrl"), false), "undo");
  assert.equal(stepOf(pressed("y", "Ctrl"), false), "redo");
  assert.equal(stepOf(pressed("Z", "Ctrl", "Shift"), false), "redo");
  for (const other of [pressed("z"), pressed("y"), pressed("y", "Ctrl", "Alt"), pressed("Y", "Ctrl", "Shift")])
    assert.equal(stepOf(other, false), "");
});

test("on a Mac they are Cmd Z and Cmd Shift Z, and Cmd Y stays the browser's", () => {
  assert.equal(stepOf(pressed("z", "Cmd"), true), "undo");
  assert.equal(stepOf(pressed("Z", "Cmd", "Shift"), true), "redo");
  for (const other of [pressed("y", "Cmd"), pressed("z", "Ctrl")]) assert.equal(stepOf(other, true), "");
});
