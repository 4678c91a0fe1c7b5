import assert from "node:assert/strict";
import { test } from "node:test";
import { sayLonger } from "../../pages/ui/components/shared/longer_texts.js";

test("a box says whether its text is longer than it", () => {
  const said = (scrollHeight) => {
    const has = /** @type {string[]} */ ([]);
    const classList = { toggle: (name, is) => is && has.push(name) };
    sayLonger(/** @type {any} */ ({ clientHeight: 132, scrollHeight, parentElement: { classList } }));
    return has;
  };
  assert.deepEqual(said(1560), ["cs-longer"]);
  assert.deepEqual(said(132), []);
});
