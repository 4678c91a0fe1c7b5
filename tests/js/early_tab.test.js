import assert from "node:assert/strict";
import { test } from "node:test";

const page = new EventTarget();
const body = {};
Object.assign(globalThis, {
  document: Object.assign(new EventTarget(), { body, activeElement: body }),
  addEventListener: page.addEventListener.bind(page),
});
const { skipLinkCame } = await import("../../pages/ui/components/shared/component.js");

/** A page that has just been opened. */
let opened = 0;
const open = () => import(`../../pages/ui/components/shared/early_tab.js?${(opened += 1)}`);

/** Presses a key; says whether the page may use it. */
const press = (key, held = {}) =>
  page.dispatchEvent(Object.assign(new Event("keydown", { cancelable: true }), { key, ...held }));

test("the first Tab before the link has come is for the link", async () => {
  await open();
  assert.equal(press("Tab"), false);
  assert.deepEqual([skipLinkCame(), skipLinkCame()], [true, true]); // it was drawn anew
  assert.equal(press("Tab"), true);
  assert.equal(skipLinkCame(), false);
});

test("who presses something else meanwhile, or Tab again, is left alone", async () => {
  await open();
  press("Tab");
  assert.equal(press("Tab"), true);
  assert.equal(skipLinkCame(), false);
  await open();
  assert.equal(press("Tab", { shiftKey: true }), true);
  assert.equal(skipLinkCame(), false);
  await open();
  press("Tab");
  page.dispatchEvent(new Event("pointerdown"));
  assert.equal(skipLinkCame(), false);
});
