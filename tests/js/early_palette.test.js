import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";

const page = new EventTarget();
Object.assign(globalThis, { document: new EventTarget(), addEventListener: page.addEventListener.bind(page) });
await import("../../pages/ui/components/shared/early_palette.js");
const { paletteCame, paletteWent } = await import("../../pages/ui/components/shared/palette_keys.js");

/** Presses a key; says whether the page may use it. */
const press = (key, held = {}) =>
  page.dispatchEvent(Object.assign(new Event("keydown", { cancelable: true }), { key, ...held }));
const ask = () => press("k", { ctrlKey: true });

/** What a palette that comes, and goes with its page, opens with. */
const come = () => {
  const typed = paletteCame();
  paletteWent();
  return typed;
};

beforeEach(come); // forgets what a test before has asked for

test("a palette that comes after Ctrl+K opens with what was typed for it, which does nothing else", () => {
  ask();
  const used = [..."stx", "Backspace"].map((key) => press(key));
  assert.deepEqual(used, [false, false, false, false]);
  assert.equal(come(), "st");
});

test("a palette that nobody has asked for does not open, and letters are the page's", () => {
  assert.equal(press("s"), true);
  assert.equal(come(), null);
});

test("Escape, Tab and a second Ctrl+K take the wish back", () => {
  for (const away of [() => press("Escape"), () => press("Tab"), ask]) {
    ask();
    away();
    assert.equal(press("s"), true);
    assert.equal(come(), null);
  }
});

test("where the palette is there, its keys are its own, until it has gone with its page", () => {
  paletteCame();
  paletteCame(); // the next page's, before the last one's has gone
  paletteWent();
  assert.equal(ask(), true);
  paletteWent();
  assert.equal(ask(), false);
  assert.equal(come(), "");
});
