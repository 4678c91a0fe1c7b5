import assert from "node:assert/strict";
import { test } from "node:test";
import { bringsFiles, filesOf } from "../../pages/ui/components/shared/drops.js";

test("text and links that are dragged are no files", () => {
  assert.equal(bringsFiles({ types: ["text/plain", "text/uri-list"] }), false);
  assert.equal(bringsFiles({ types: ["text/plain", "Files"] }), true);
  assert.equal(bringsFiles(null), false);
});

test("of what is dropped the files are taken, not folders and words", () => {
  const item = (kind, name, isDirectory) => ({
    ...{ kind, getAsFile: () => (kind === "file" ? name : null), webkitGetAsEntry: () => ({ isDirectory }) },
  });
  const items = [item("file", "a.md", false), item("file", "folder", true), item("string", "word", false)];
  assert.deepEqual(filesOf(/** @type {any} */ ({ items })), ["a.md"]);
});
