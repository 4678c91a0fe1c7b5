import assert from "node:assert/strict";
import { test } from "node:test";
import { asToolbar, itemAfter } from "../../pages/ui/components/shared/toolbar.js";

test("arrows go round a toolbar, Home and End to its ends, and other keys nowhere", () => {
  assert.deepEqual(
    ["ArrowLeft", "ArrowRight", "Home", "End", "Tab"].map((key) => itemAfter(key, 0, 3)),
    [2, 1, 0, 2, -1],
  );
  assert.equal(itemAfter("ArrowRight", 2, 3), 0);
  assert.equal(itemAfter("ArrowRight", -1, 3), -1);
});

test("Tab stops once in a toolbar: at the button that had the focus last", () => {
  const listeners = /** @type {Record<string, (event: any) => void>} */ ({});
  const bar = /** @type {any} */ ({
    setAttribute: () => {},
    addEventListener: (name, listener) => (listeners[name] = listener),
  });
  const items = [0, 1, 2].map(() => {
    const item = /** @type {any} */ ({ focus: () => listeners.focusin({ target: item }) });
    return item;
  });
  asToolbar(bar, items);
  assert.deepEqual(
    items.map((item) => item.tabIndex),
    [0, -1, -1],
  );
  listeners.keydown({ key: "ArrowRight", target: items[0], preventDefault: () => {} });
  assert.deepEqual(
    items.map((item) => item.tabIndex),
    [-1, 0, -1],
  );
});
