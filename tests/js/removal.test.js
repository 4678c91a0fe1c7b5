// The first change that is offered against a boundary, as the palette and a key find it.

import assert from "node:assert/strict";
import { test } from "node:test";
import { firstRemoval, hasDrawback } from "../../pages/ui/components/shared/removal.js";

/** What Inspect offers, drawn or still searched for. */
function page({ button, searching = false }) {
  const found = (what) => (what.includes("searching") ? (searching ? {} : null) : button);
  globalThis.document = /** @type {any} */ ({
    querySelector: (what) => (what === ".st-key-what-if" && button !== undefined ? { querySelector: found } : null),
  });
}

test("it is there once it was found, and where it can be taken", () => {
  const button = { disabled: false };
  page({ button });
  assert.equal(firstRemoval(), button);
  page({ button, searching: true });
  assert.equal(firstRemoval(), null);
  page({ button: { disabled: true } }); // while a threshold is dragged
  assert.equal(firstRemoval(), null);
});

test("there is none where nothing is offered, or no chunk is selected", () => {
  page({ button: null });
  assert.equal(firstRemoval(), null);
  page({ button: undefined });
  assert.equal(firstRemoval(), null);
});

test("what speaks against it stands beside its button", () => {
  const within = (found) => /** @type {any} */ ({ closest: () => ({ querySelector: () => found }) });
  assert.deepEqual([within({}), within(null)].map(hasDrawback), [true, false]);
});
