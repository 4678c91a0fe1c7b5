import assert from "node:assert/strict";
import test from "node:test";
import { found, matching, score, spelled } from "../../pages/ui/components/command_palette/matching.js";

const commands = (...names) => names.map((name) => ({ name }));
const names = (found) => found.map(({ name }) => name);

test("letters match in their order, whatever stands between them", () => {
  assert.notEqual(score("mxt", "Maximum maxTokens"), null);
  assert.equal(score("xmt", "Maxim"), null);
  assert.equal(score("zz", "Maximum"), null);
});

test("every word has to match, in any order, without regard to case and accents", () => {
  assert.notEqual(score("two next", "Next block cut in two"), null);
  assert.equal(score("two table", "Next block cut in two"), null);
  assert.notEqual(score("uber", "Über uns"), null);
});

test("the beginnings of words come before what is inside them", () => {
  const found = matching("co", commands("A second document", "Chunks of it", "Copy link", "Compare"));

  assert.deepEqual(names(found), ["Compare", "Copy link", "A second document"]);
});

test("initials of words match, and a shorter name is nearer", () => {
  assert.equal(
    names(matching("nbc", commands("Minimum before a subsection, not the best", "Next block cut in two")))[0],
    "Next block cut in two",
  );
  assert.equal(names(matching("health", commands("Health of the chunks", "Health")))[0], "Health");
});

test("what has only the letters of the words is there where nothing has the words", () => {
  const all = commands("Two topics under one heading", "Nothing to undo");

  assert.deepEqual(names(matching("undo", all)), ["Nothing to undo"]);
  assert.deepEqual(names(matching("udh", all)), ["Two topics under one heading"]);
  assert.ok(!spelled("undo", "Two topics under one heading"));
  assert.ok(spelled("", "Undo") && spelled(" in two ", "Next block cut in two"));
  assert.ok(!spelled("nbc", "Next block cut in two"));
});

test("with nothing typed all commands stay as they are", () => {
  assert.deepEqual(names(matching("  ", commands("b", "a"))), ["b", "a"]);
});

test("a command is found by its other words too, behind those that have them in their names", () => {
  const all = [
    { name: "What the marks mean", also: "help legend" },
    { name: "Theme: light or dark", also: "colours" },
    { name: "A heading on help" },
  ];

  assert.deepEqual(names(matching("help", all)), ["A heading on help", "What the marks mean"]);
  assert.deepEqual(names(matching("marks leg", all)), ["What the marks mean"]);
  assert.deepEqual(names(matching("colour", all)), ["Theme: light or dark"]);
  assert.ok(!found("elp", all[0]), "other words are found by their beginnings alone");
});

test("what comes last is behind all else that matches", () => {
  const all = [{ name: "Strategy: Fixed (not installed)", last: true }, { name: "Another strategy, of a fixed size" }];

  assert.deepEqual(names(matching("strategy fixed", all))[1], "Strategy: Fixed (not installed)");
});
