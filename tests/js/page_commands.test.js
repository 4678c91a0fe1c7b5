import assert from "node:assert/strict";
import { test } from "node:test";
import { pageCommands } from "../../pages/ui/components/command_palette/page_commands.js";

const NOTHING = { controls: [], buttons: [], filters: [], strategies: [] };

test("the open document is listed as such, and cannot be chosen again", (t) => {
  const empty = /** @type {any} */ ({ querySelector: () => null, querySelectorAll: () => [] });
  globalThis.document = empty;
  t.after(() => Reflect.deleteProperty(globalThis, "document"));
  const known = /** @type {[string, string][]} */ ([
    ["one", "A changelog"],
    ["two", "A huge table"],
  ]);

  const found = pageCommands({ ...NOTHING, documents: known, document: "one" }, () => {});

  const documents = found.filter(({ group }) => group === "Document");
  assert.deepEqual(
    documents.map(({ name, hint, idle }) => [name, hint, idle]),
    [
      ["A changelog", "open now", true],
      ["A huge table", undefined, undefined],
    ],
  );
});
