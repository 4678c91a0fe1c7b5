// The first change of each kind that is offered for what is selected, as the palette and a key find it.

import assert from "node:assert/strict";
import { test } from "node:test";
import { offeredChanges } from "../../pages/ui/components/shared/offered_changes.js";

/** What Inspect offers, drawn or still searched for.
 * @param {Record<string, any>} buttons by the first part of their keys */
function page(buttons, searching = false) {
  const found = (what) => (what.includes("searching") ? (searching ? {} : null) : of(buttons, what));
  globalThis.document = /** @type {any} */ ({ querySelector: () => ({ querySelector: found }) });
}

const of = (buttons, what) => Object.entries(buttons).find(([kind]) => what.includes(`take-${kind}-`))?.[1] ?? null;
const button = (drawback = null, disabled = false) => ({
  disabled,
  closest: () => ({ querySelector: () => drawback }),
});

test("what keeps a block whole comes before what removes the boundary, as on the panel", () => {
  const [whole, gone] = [button({}), button()];
  page({ gone, whole });

  assert.deepEqual(offeredChanges(), [
    { says: "Keep this block whole", button: whole, drawback: true },
    { says: "Remove this boundary", button: gone, drawback: false },
  ]);
});

test("what keeps a text that is left out is one of them", () => {
  page({ "left-out": button() });
  assert.deepEqual(
    offeredChanges().map(({ says }) => says),
    ["Keep this text"],
  );
});

test("there is none while it is searched for, nor one that cannot be taken", () => {
  page({ gone: button() }, true);
  assert.deepEqual(offeredChanges(), []);
  page({ gone: button(null, true) }); // while a threshold is dragged
  assert.deepEqual(offeredChanges(), []);
});

test("there is none where nothing is offered, or nothing is selected", () => {
  page({});
  assert.deepEqual(offeredChanges(), []);
  globalThis.document = /** @type {any} */ ({ querySelector: () => null });
  assert.deepEqual(offeredChanges(), []);
});
