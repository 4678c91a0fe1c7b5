import assert from "node:assert/strict";
import { test } from "node:test";
import { rested } from "../../pages/ui/components/shared/rested.js";
import {
  quoted,
  saidOfBoundary,
  saidOfHeading,
  saidOfSelection,
} from "../../pages/ui/components/source_view/spoken.js";

const LONG =
  "The kettle is filled with fresh water before each use, and emptied when nobody drinks tea any more today.";

test("a text is quoted in one line, a long one by whole words", () => {
  assert.equal(quoted("| 400 |\n  Bad "), "“| 400 | Bad”");
  assert.equal(quoted(LONG), "“The kettle is filled with fresh water before each use, and emptied when nobody …”");
  assert.equal(
    quoted(LONG, { ended: true }),
    "“The kettle is filled with fresh water … when nobody drinks tea any more today.”",
  );
  assert.equal(quoted("x".repeat(5_000)).length, 80 + 4);
});

test("a selection is said by its text and length, what can be done with it only the first time", () => {
  assert.equal(saidOfSelection("| 400 | Bad", false), "“| 400 | Bad”, 11 characters selected.");
  assert.equal(
    saidOfSelection("é", true),
    "“é”, 1 character selected. Tab goes to Mark as answer, Keep whole and Copy.",
  );
  assert.equal(saidOfSelection("\n\n", false), "2 characters selected.");
});

test("a boundary that keys move is said by the line below it, what ends the drag only the first time", () => {
  const line = { number: "46", text: "Wait.", inside: false };
  assert.equal(saidOfBoundary(line, false), "Boundary before line 46: “Wait.”.");
  assert.equal(
    saidOfBoundary({ ...line, inside: true }, true),
    "Boundary before line 46, inside a block: “Wait.”. Enter finds the settings, Escape gives up.",
  );
});

test("a heading that was gone to is said by its title, level and line", () => {
  assert.equal(
    saidOfHeading({ title: "2.9.0: pickup\nwindows", level: 2, line: "1,009" }),
    "2.9.0: pickup windows, level 2, line 1,009",
  );
  assert.equal(saidOfHeading({ title: "", level: 1, line: "3" }), "No title, level 1, line 3");
});

test("of words that follow each other only the last are said, when nothing has come after them for a moment", (t) => {
  t.mock.timers.enable({ apis: ["setTimeout"] });
  const said = /** @type {string[]} */ ([]);
  const { later, never } = rested((words) => said.push(words));
  later("27 commands");
  t.mock.timers.tick(399);
  later("19 commands");
  t.mock.timers.tick(399);
  assert.deepEqual(said, []);
  t.mock.timers.tick(1);
  assert.deepEqual(said, ["19 commands"]);
  later("3 commands");
  never();
  t.mock.timers.tick(1_000);
  assert.deepEqual(said, ["19 commands"]);
});
