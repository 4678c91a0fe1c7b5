import assert from "node:assert/strict";
import { test } from "node:test";
import { leave, takeOver } from "../../pages/ui/components/threshold_rail/successor.js";

test("the rail that takes the place of another says what that one had not said, once", () => {
  leave("rail-fixed", { size: 200 }, 1000);
  assert.deepEqual(takeOver("rail-fixed", 1400), { size: 200 });
  assert.equal(takeOver("rail-fixed", 1500), null);
});

test("a rail of another name, or one that comes much later, takes nothing over", () => {
  leave("rail-fixed", { size: 200 }, 1000);
  assert.equal(takeOver("rail-recursive", 1100), null);
  assert.equal(takeOver("rail-fixed", 60_000), null);
  assert.equal(takeOver("rail-fixed", 60_001), null);
});

test("a rail that had said all leaves nothing", () => {
  leave("rail-fixed", {}, 1000);
  assert.equal(takeOver("rail-fixed", 1001), null);
});
