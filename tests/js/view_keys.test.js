import assert from "node:assert/strict";
import { test } from "node:test";

const done = /** @type {string[]} */ ([]);
const views = ["Source", "Rendered"].map((name) => ({
  focus: () => done.push(`${name} focused`),
  click: () => done.push(name),
}));
globalThis.document = /** @type {any} */ ({
  querySelectorAll: (what) => (what === ".st-key-reading button" ? views : []),
});
const { viewByKey } = await import("../../pages/ui/components/shared/view_keys.js");

const press = (key, more = {}, path = [{ matches: () => false }]) => {
  const event = Object.assign(new Event("keydown", { cancelable: true }), { key, ...more });
  event.composedPath = () => /** @type {any} */ (path);
  const chosen = viewByKey(/** @type {any} */ (event));
  return [chosen, event.defaultPrevented, ...done.splice(0)];
};

test("a digit chooses the view with that number", () => {
  assert.deepEqual(press("2"), [true, true, "Rendered focused", "Rendered"]);
});

test("other keys, a view that is not there, a held Ctrl and a field leave the views alone", () => {
  assert.deepEqual(press("j"), [false, false]);
  assert.deepEqual(press("3"), [false, false]);
  assert.deepEqual(press("1", { ctrlKey: true }), [false, false]);
  assert.deepEqual(press("1", {}, [{ matches: () => true }]), [false, false]);
});
