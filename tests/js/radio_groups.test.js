import assert from "node:assert/strict";
import { test } from "node:test";
import { chosenIn, goesToChoice } from "../../pages/ui/components/shared/radio_groups.js";

const row = { contains: (each) => each.inside === true, querySelector: () => chosen };
const [first, chosen] = [0, 1].map(() => /** @type {any} */ ({ inside: true, closest: () => row }));
const outside = /** @type {any} */ ({ closest: () => null });

test("who comes into a row of choices by Tab comes to the chosen one, and moves freely within", () => {
  assert.equal(chosenIn(first, outside), chosen);
  assert.equal(chosenIn(first, null), chosen);
  assert.equal(chosenIn(chosen, outside), null);
  assert.equal(chosenIn(first, chosen), null);
  assert.equal(chosenIn(outside, first), null);
});

test("an arrow key chooses what it comes to in a row, and nothing outside of it or that is chosen", () => {
  const open = /** @type {any} */ ({ ...first, matches: () => true });

  assert.equal(goesToChoice("ArrowRight", open, chosen), true);
  assert.equal(goesToChoice("ArrowRight", { ...open, matches: () => false }, chosen), false);
  assert.equal(goesToChoice("Tab", open, chosen), false);
  assert.equal(goesToChoice("ArrowRight", open, outside), false);
  assert.equal(goesToChoice("ArrowRight", open, null), false);
});
