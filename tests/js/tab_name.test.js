import assert from "node:assert/strict";
import test from "node:test";
import { said } from "../../pages/ui/components/shared/tab_name.js";

test("the server is told the tab's name, and whether its page was loaded again", () => {
  assert.equal(said("x1", "navigate"), "x1");
  assert.equal(said("x1", undefined), "x1");
  assert.equal(said("x1", "reload"), "x1.reloaded");
});
