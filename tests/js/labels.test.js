import assert from "node:assert/strict";
import { test } from "node:test";
import { lengthOf } from "../../pages/ui/components/source_view/labels.js";

test("a label says as much as there is room for: number, tokens, and why the chunk above ends", () => {
  assert.deepEqual([-26, 95, 96, 149, 150].map(lengthOf), [["brief"], ["brief"], ["short"], ["short"], []]);
});
