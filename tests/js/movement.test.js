import assert from "node:assert/strict";
import { test } from "node:test";
import { paired } from "../../pages/ui/components/source_view/movement.js";

const at = (...offsets) => offsets.map((offset) => ({ at: offset, y: offset * 2 }));
const offsets = ({ moved, gone, fresh }) => [
  moved.map(([from, to]) => [from.at, to.at]),
  gone.map((one) => one.at),
  fresh.map((one) => one.at),
];

test("a boundary between two that stayed has moved", () => {
  assert.deepEqual(offsets(paired(at(10, 20, 30), at(10, 24, 30))), [[[20, 24]], [], []]);
});

test("what has no counterpart between its neighbours is gone, or new", () => {
  assert.deepEqual(offsets(paired(at(10, 20, 30), at(10, 30))), [[], [20], []]);
  assert.deepEqual(offsets(paired(at(10, 30), at(10, 15, 30, 40))), [[], [], [15, 40]]);
  assert.deepEqual(offsets(paired(at(10, 12, 30), at(11, 30))), [[[10, 11]], [12], []]);
});

test("where nothing changed nothing moves", () => {
  assert.deepEqual(offsets(paired(at(10, 20), at(10, 20))), [[], [], []]);
  assert.deepEqual(offsets(paired([], [])), [[], [], []]);
});
