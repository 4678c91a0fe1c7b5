import assert from "node:assert/strict";
import { test } from "node:test";
import { goesOnFrom } from "../../pages/ui/components/source_view/keys.js";

const CHUNKS = { start: [0, 100, 200, 300], end: [100, 200, 300, 400] };

/** A view of the text from 150 to 250: the chunks 1 and 2 are in it. */
const view = (state) => ({
  run: CHUNKS,
  top: 1,
  left: false,
  place: -1,
  window: () => ({ from: 150, to: 250 }),
  ...state,
});

test("the next chunk is looked for from the chosen one, also where that was scrolled and is in view", () => {
  assert.equal(goesOnFrom(view({ selected: 3, place: 300 }), 1), 3);
  assert.equal(goesOnFrom(view({ selected: 2 }), 1), 2);
  assert.equal(goesOnFrom(view({ selected: 1 }), -1), 1);
});

test("where the chosen chunk was scrolled out of view or left, the first in view is next, or the one before", () => {
  assert.deepEqual(
    [1, -1].map((by) => goesOnFrom(view({ selected: 0 }), by)),
    [0, 1],
  );
  assert.deepEqual(
    [1, -1].map((by) => goesOnFrom(view({ selected: 3 }), by)),
    [0, 1],
  );
  assert.equal(goesOnFrom(view({ selected: 2, left: true }), 1), 0);
  assert.equal(goesOnFrom(view({ selected: -1 }), 1), 0);
});
