import assert from "node:assert/strict";
import { test } from "node:test";
import { lengthOf, stackLabels } from "../../pages/ui/components/source_view/labels.js";

test("a label says as much as there is room for: number, tokens, and why the chunk above ends", () => {
  assert.deepEqual([-26, 95, 96, 149, 150].map(lengthOf), [["brief"], ["brief"], ["short"], ["short"], []]);
});

test("a label in the line right below another one's, or moved there by it, takes nothing of that one's place", () => {
  const labels = stackLabels([0, 40, 60, 60, 200].map((y) => ({ y, room: 300 })));

  assert.deepEqual(
    labels.map(({ y, below }) => [y, below]),
    [
      [0, false],
      [40, false],
      [60, true],
      [80, true],
      [200, false],
    ],
  );
});
