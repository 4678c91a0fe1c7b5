// What the line of offers gives the command palette.

import assert from "node:assert/strict";
import { test } from "node:test";
import { offerCommands } from "../../pages/ui/components/offer_line/offer_line.js";

const button = (textContent, hidden) => {
  const pressed = [];
  return { textContent, hidden, pressed, focus: () => pressed.push("focus"), click: () => pressed.push("click") };
};

test("what the line has a button for can be run by name, and nothing else", () => {
  const show = button("See a torn table", false);
  const [only, ...others] = offerCommands(show, button("Try it", true), "Nothing to recommend.");
  assert.equal(only.name, "See a torn table");
  assert.deepEqual(others, []);
  only.run();
  assert.deepEqual(show.pressed, ["focus", "click"]);

  const taking = offerCommands(button("", true), button("Try it", false), "Maximum 2,000 keeps the table whole. ");
  assert.deepEqual(
    taking.map(({ name }) => name),
    ["Try it: Maximum 2,000 keeps the table whole."],
  );
});
