import assert from "node:assert/strict";
import { beforeEach, mock, test } from "node:test";

const page = new EventTarget();
const body = {};
const scene = Object.assign(new EventTarget(), { body, activeElement: body });
Object.assign(globalThis, {
  document: scene,
  location: { pathname: "/corpus" },
  addEventListener: page.addEventListener.bind(page),
});
mock.timers.enable({ apis: ["setTimeout"] });
await import("../../pages/ui/components/shared/arrivals_by_key.js");

let skips = 0;
scene.addEventListener("chunkscope:skipped", () => {
  skips += 1;
});

const press = (key) => page.dispatchEvent(Object.assign(new Event("keydown"), { key }));
const wait = () => mock.timers.tick(150);

beforeEach(() => {
  page.dispatchEvent(new Event("pointerdown"));
  scene.activeElement = body;
  location.pathname = "/corpus";
  skips = 0;
});

test("a page that a key has led to is asked to take the keyboard, and the page that is left is not", () => {
  press("Enter");
  wait();
  assert.equal(skips, 0);
  location.pathname = "/inspect";
  wait();
  assert.equal(skips, 1);
});

test("a key that moves nothing while the page comes changes nothing", () => {
  press("Enter");
  location.pathname = "/inspect";
  for (const key of ["Shift", "x", "Enter", "AudioVolumeUp"]) press(key);
  wait();
  assert.equal(skips, 1);
});

test("Tab, a key that scrolls and a click leave the keyboard to who pressed them", () => {
  for (const key of ["Tab", "ArrowDown", "PageDown", " "]) {
    location.pathname = "/corpus";
    press("Enter");
    location.pathname = "/inspect";
    press(key);
    wait();
  }
  location.pathname = "/corpus";
  press("Enter");
  location.pathname = "/inspect";
  page.dispatchEvent(new Event("pointerdown"));
  wait();
  assert.equal(skips, 0);
});

test("what already has the keyboard keeps it", () => {
  press("Enter");
  location.pathname = "/inspect";
  scene.activeElement = {};
  wait();
  assert.equal(skips, 0);
});
