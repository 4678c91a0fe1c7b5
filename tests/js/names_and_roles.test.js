import assert from "node:assert/strict";
import { test } from "node:test";
import { giveNamesAndRoles, openOf } from "../../pages/ui/components/shared/names_and_roles.js";

const [home, compare] = ["", "compare"].map((href) => ({ getAttribute: () => href }));

test("the open page's link is the one that its path ends in, and the home page's for every other path", () => {
  assert.equal(openOf([home, compare], "/compare"), compare);
  assert.equal(openOf([home, compare], "/behind/a/proxy/compare/"), compare);
  assert.equal(openOf([home, compare], "/"), home);
  assert.equal(openOf([home, compare], "/behind/a/proxy/"), home);
});

test("what scrolls a table is no stop of the Tab key", () => {
  const has = /** @type {Record<string, string>} */ ({});
  const scroller = { getAttribute: (name) => has[name] ?? null, setAttribute: (name, value) => (has[name] = value) };
  const all = (selector) => (selector === ".stDataFrame .dvn-scroller" ? [scroller] : []);
  giveNamesAndRoles(/** @type {any} */ ({ querySelectorAll: all }));
  assert.deepEqual(has, { tabindex: "-1" });
});

test("a toast is named by its words, where Streamlit names it by an element that is not there", () => {
  const has = /** @type {Record<string, string>} */ ({ "aria-labelledby": "nowhere" });
  const toast = {
    firstElementChild: { textContent: "1 document added" },
    getAttribute: (name) => has[name] ?? null,
    setAttribute: (name, value) => (has[name] = value),
    removeAttribute: (name) => delete has[name],
  };
  giveNamesAndRoles(/** @type {any} */ ({ querySelectorAll: (selector) => (selector === ".stToast" ? [toast] : []) }));
  assert.deepEqual(has, { "aria-label": "1 document added" });
});
