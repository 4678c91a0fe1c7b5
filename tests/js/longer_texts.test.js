import assert from "node:assert/strict";
import { test } from "node:test";
import { sayLonger } from "../../pages/ui/components/shared/longer_texts.js";

test("a box says whether its text is longer than it, and whether the end of it is in sight", () => {
  const said = (scrollTop, scrollHeight) => {
    const has = /** @type {string[]} */ ([]);
    const classList = { toggle: (name, is) => is && has.push(name) };
    sayLonger(/** @type {any} */ ({ scrollTop, clientHeight: 132, scrollHeight, parentElement: { classList } }));
    return has;
  };
  assert.deepEqual(said(0, 1560), ["cs-longer"]);
  assert.deepEqual(said(1428, 1560), ["cs-longer", "cs-at-end"]);
  assert.deepEqual(said(0, 132), ["cs-at-end"]);
});
