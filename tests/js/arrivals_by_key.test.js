import assert from "node:assert/strict";
import { beforeEach, mock, test } from "node:test";

const page = new EventTarget();
const body = {};
let running = false;
const app = { getAttribute: () => (running ? "running" : "notRunning") };
let overlay = /** @type {object | null} */ (null);
const querySelector = (selector) => {
  if (selector.includes("script-state")) return app;
  return selector.includes("dialog") ? overlay : null;
};
const scene = Object.assign(new EventTarget(), { body, activeElement: body, querySelector });
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

/** A button with the keyboard, clicked by a key. */
const pressButton = ({ inDialog = false, clicks = 0 } = {}) => {
  const button = {
    isConnected: true,
    disabled: false,
    matches: (selector) => selector.startsWith("button") || (selector === ":disabled" && button.disabled),
    closest: (selector) => (inDialog && selector.includes("dialog") ? {} : null),
    focus: () => {
      scene.activeElement = button;
    },
  };
  button.focus();
  press("Enter");
  page.dispatchEvent(Object.assign(new Event("click"), { detail: clicks, composedPath: () => [button] }));
  return button;
};

beforeEach(() => {
  page.dispatchEvent(new Event("pointerdown"));
  scene.activeElement = body;
  location.pathname = "/corpus";
  overlay = null;
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

test("a popover that is opened on the page that has come takes the keyboard itself", () => {
  press("Enter");
  location.pathname = "/retrieve";
  overlay = {};
  wait();
  assert.equal(skips, 0);
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

test("a page is asked to take the keyboard when the button that was pressed is disabled or gone", () => {
  for (const change of [{ disabled: true }, { isConnected: false }]) {
    const button = pressButton();
    wait();
    assert.equal(skips, 0);
    Object.assign(button, change);
    scene.activeElement = body;
    wait();
    wait();
    assert.ok(skips > 0);
    skips = 0;
  }
});

test("what the script brings may take the keyboard first: nobody else is asked while it runs", () => {
  const button = pressButton();
  Object.assign(button, { isConnected: false });
  scene.activeElement = body;
  running = true;
  wait();
  assert.equal(skips, 0);
  running = false;
  wait(); // what its end has brought may be drawn a moment later
  assert.equal(skips, 0);
  wait();
  assert.equal(skips, 1);
});

test("a button that is enabled again has the keyboard again", () => {
  const button = pressButton();
  scene.activeElement = body;
  wait();
  wait();
  assert.equal(skips, 0);
  assert.equal(scene.activeElement, button);
});

test("a button that a mouse or a dialog has pressed is left alone", () => {
  for (const how of [{ clicks: 1 }, { inDialog: true }]) {
    pressButton(how).isConnected = false;
    scene.activeElement = body;
    wait();
    assert.equal(skips, 0);
  }
});
