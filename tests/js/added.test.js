import assert from "node:assert/strict";
import { beforeEach, mock, test } from "node:test";

const page = new EventTarget();
const body = {};
let overlay = /** @type {object | null} */ (null);
const scene = Object.assign(new EventTarget(), { body, activeElement: body, querySelector: () => overlay });
Object.assign(globalThis, { document: scene, addEventListener: page.addEventListener.bind(page) });
mock.timers.enable({ apis: ["setTimeout"] });
const { adds } = await import("../../pages/ui/components/shared/added.js");

let skips = 0;
const source = { closest: () => null };
scene.addEventListener("chunkscope:skipped", () => {
  skips += 1;
  scene.activeElement = source;
});

/** Something in the element with this key. */
const within = (key) => ({ closest: (selectors) => (selectors.includes(`.st-key-${key}`) ? {} : null) });
const happens = (name, target, more = {}) => {
  const event = Object.assign(new Event(name), more);
  Object.defineProperty(event, "target", { value: target });
  page.dispatchEvent(event);
};
const wait = () => mock.timers.tick(150);

beforeEach(() => {
  happens("pointerdown", body);
  scene.activeElement = body;
  overlay = null;
  skips = 0;
});

test("the source has the focus when what was added has come and the place behind Add is closed", () => {
  overlay = {};
  happens("click", within("use-paste"));
  wait();
  assert.equal(skips, 0);
  overlay = null;
  wait();
  assert.equal(skips, 1);
  assert.equal(scene.activeElement, source);
});

test("it takes the focus from the button Add, and from nothing else", () => {
  happens("change", within("uploads"));
  scene.activeElement = within("add");
  wait();
  assert.equal(skips, 1);
  scene.activeElement = within("rail");
  happens("click", within("use-page"));
  wait();
  assert.equal(skips, 1);
});

test("who goes elsewhere in between is left alone, and so is who added nothing", () => {
  happens("click", within("use-paste"));
  happens("keydown", body, { key: "Tab" });
  wait();
  happens("click", within("reset"));
  wait();
  assert.equal(skips, 0);
});

test("Enter adds the page of an address, and with Ctrl or Cmd a text", () => {
  const key = { key: "Enter", ctrlKey: false, metaKey: false };
  assert.equal(adds({ ...key, target: /** @type {any} */ (within("page-address")) }), true);
  assert.equal(adds({ ...key, target: /** @type {any} */ (within("pasted")) }), false);
  assert.equal(adds({ ...key, ctrlKey: true, target: /** @type {any} */ (within("pasted")) }), true);
  assert.equal(adds({ ...key, key: "a", ctrlKey: true, target: /** @type {any} */ (within("pasted")) }), false);
});
