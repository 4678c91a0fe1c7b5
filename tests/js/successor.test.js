import assert from "node:assert/strict";
import { test } from "node:test";
import { comes, leave, takeOver } from "../../pages/ui/components/threshold_rail/successor.js";

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

test("a rail that comes in place of one of another strategy says what it comes to, and no other does", () => {
  assert.equal(comes("rail-fixed", "Fixed size", 0), false); // the first
  assert.equal(comes("rail-recursive", "Recursive", 1000), true); // beside the one that is about to go
  leave("rail-recursive", {}, 2000);
  assert.equal(comes("rail-recursive", "Recursive", 2100), false); // drawn anew
  leave("rail-recursive", {}, 3000);
  assert.equal(comes("rail-fixed", "Fixed size", 3100), true);
  leave("rail-fixed", {}, 4000);
  assert.equal(comes("rail-recursive", "Recursive", 60_000), false); // on another visit to the page
  assert.equal(comes("corpus-rail", "", 60_100), false); // where nobody chooses a strategy
});
