import assert from "node:assert/strict";
import { test } from "node:test";

const done = /** @type {string[]} */ ([]);
/** As Streamlit's row, which gives the keyboard to the one that had it last where it comes from outside. */
const views = ["Source", "Rendered"].map((name) => ({
  focus() {
    const from = document.activeElement;
    page.activeElement = from ? this : last;
    done.push(`${name} asked`);
  },
  click: () => done.push(`${name} with the keyboard ${page.activeElement === views[1] ? "there" : "elsewhere"}`),
}));
let last = /** @type {any} */ (views[1]);
const page = /** @type {any} */ ({
  activeElement: null,
  querySelectorAll: (what) => (what === ".st-key-reading button" ? views : []),
});
globalThis.document = page;
const { viewByKey } = await import("../../pages/ui/components/shared/view_keys.js");

const press = (key, more = {}, path = [{ matches: () => false }]) => {
  const event = Object.assign(new Event("keydown", { cancelable: true }), { key, ...more });
  event.composedPath = () => /** @type {any} */ (path);
  const chosen = viewByKey(/** @type {any} */ (event));
  return [chosen, event.defaultPrevented, ...done.splice(0)];
};

test("a digit chooses the view with that number", () => {
  assert.deepEqual(press("2"), [true, true, "Rendered asked", "Rendered with the keyboard there"]);

  [page.activeElement, last] = [null, views[0]];
  const asked = ["Rendered asked", "Rendered asked"];
  assert.deepEqual(press("2"), [true, true, ...asked, "Rendered with the keyboard there"]);
});

test("other keys, a view that is not there, a held Ctrl and a field leave the views alone", () => {
  assert.deepEqual(press("j"), [false, false]);
  assert.deepEqual(press("3"), [false, false]);
  assert.deepEqual(press("1", { ctrlKey: true }), [false, false]);
  assert.deepEqual(press("1", {}, [{ matches: () => true }]), [false, false]);
});
