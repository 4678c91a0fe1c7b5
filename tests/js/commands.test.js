// Commands that components offer, also those that come when somebody is already looking.

import assert from "node:assert/strict";
import { test } from "node:test";

globalThis.document = /** @type {any} */ (new EventTarget());
const { offered, offers, whenOffered } = await import("../../pages/ui/components/shared/commands.js");

const command = (name) => ({ group: "Page", name, run: () => {} });

test("what is offered is said until it is taken back, and who looks is told of what comes later", () => {
  let told = 0;
  const noLonger = whenOffered(() => (told += 1));
  const first = offers(() => [command("Inspect")]);
  const second = offers(() => [command("Tune"), command("Corpus")]);
  assert.deepEqual(
    offered().map(({ name }) => name),
    ["Inspect", "Tune", "Corpus"],
  );
  assert.equal(told, 2);

  first();
  noLonger();
  offers(() => []);
  assert.deepEqual(
    offered().map(({ name }) => name),
    ["Tune", "Corpus"],
  );
  assert.equal(told, 2);
  second();
});

test("who offers hears what was typed", () => {
  const ends = offers((typed) => [command(`Go to ${typed}`)]);
  assert.deepEqual(
    offered("12").map(({ name }) => name),
    ["Go to 12"],
  );
  ends();
});
