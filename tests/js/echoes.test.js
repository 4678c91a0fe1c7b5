import assert from "node:assert/strict";
import test from "node:test";
import { Echoes } from "../../pages/ui/components/source_view/echoes.js";

function chosen(...all) {
  const echoes = new Echoes();
  echoes.isNew(0, false, 0);
  for (const one of all) echoes.tell(one, 0);
  return echoes;
}

test("what Python says first is new, and said again it is not", () => {
  const echoes = new Echoes();
  assert.deepEqual([echoes.isNew(3), echoes.isNew(3), echoes.isNew(4)], [true, false, true]);
});

test("the echo of a choice is not new", () => {
  const echoes = chosen(1);
  assert.equal(echoes.isNew(1, false, 10), false);
});

test("of several choices made in a row no echo is new, nor what was selected before them", () => {
  const echoes = chosen(1, 3, 2);
  assert.deepEqual(
    [0, 1, 3, 2].map((told) => echoes.isNew(told, false, 10)),
    [false, false, false, false],
  );
});

test("after the echo of the last choice an earlier chunk is new again", () => {
  const echoes = chosen(1, 2);
  echoes.isNew(2, false, 10);
  assert.equal(echoes.isNew(1, false, 20), true);
});

test("what was not chosen here is new at once, and an earlier choice after a while", () => {
  assert.equal(chosen(1, 2).isNew(9, false, 10), true);
  assert.equal(chosen(1, 2).isNew(1, false, 6_000), true);
});

test("what comes with another document is new, though it was chosen before", () => {
  assert.equal(chosen(1, 2).isNew(1, true, 10), true);
});
