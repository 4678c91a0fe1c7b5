import assert from "node:assert/strict";
import { test } from "node:test";

const kept = new Map();
globalThis.sessionStorage = /** @type {any} */ ({
  getItem: (name) => kept.get(name) ?? null,
  setItem: (name, value) => kept.set(name, value),
});
let overlay = /** @type {object | null} */ (null);
globalThis.document = /** @type {any} */ (Object.assign(new EventTarget(), { querySelector: () => overlay }));
const { hearsPageKeys, leavesKeys, letWorkOnPage } = await import("../../pages/ui/components/shared/page_keys.js");

/** What answers as an element with this tag and role does. */
const element = (tag, role = "", isContentEditable = false) => ({
  isContentEditable,
  matches: (selectors) =>
    selectors.split(", ").some((each) => each === tag || (role !== "" && each === `[role="${role}"]`)),
});

test("a field, an editable text and what uses letters keep them, also for what is in it", () => {
  for (const [tag, role, editable] of [
    ["input"],
    ["textarea"],
    ["select"],
    ["div", "", true],
    ...["slider", "tab", "listbox", "grid", "menu", "combobox", "dialog"].map((role) => ["div", role]),
  ])
    assert.equal(leavesKeys([element("span"), element(tag, role, editable), document]), false, `${tag} ${role}`);
});

test("the page itself, a button and a link leave letters to what is read", () => {
  for (const tag of ["body", "button", "a"]) assert.equal(leavesKeys([element(tag), document]), true, tag);
});

const press = (key, path = [element("body")], more = {}) => {
  const event = Object.assign(new Event("keydown", { cancelable: true }), { key, ...more });
  event.composedPath = () => path;
  document.dispatchEvent(event);
};

test("a key is heard unless somebody took it, a dialog is open or keys are off outside of the source", () => {
  const heard = [];
  const end = hearsPageKeys(["j", "k"], ({ key }) => heard.push(key));
  press("j");
  press("c");
  press("j", [element("input")]);
  press("j", [element("body")], { isComposing: true });
  overlay = {};
  press("j");
  overlay = null;
  letWorkOnPage(false);
  press("j");
  letWorkOnPage(true);
  press("k");
  end();
  press("j");
  assert.deepEqual(heard, ["j", "k"]);
});
