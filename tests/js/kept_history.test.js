import assert from "node:assert/strict";
import test from "node:test";
import { recall } from "../../pages/ui/components/undo_buttons/kept_history.js";

const history = (now, earlier = [], later = []) => JSON.stringify({ now, earlier, later });

test("the steps of before a reload are recalled where they lead to what is shown", () => {
  const before = history({ strategy: "fixed" }, [{ strategy: "recursive" }]);
  assert.equal(recall(before, history({ strategy: "fixed" })), before);
  assert.equal(recall(before, history({ strategy: "semantic" })), "");
});

test("steps that are there are not replaced, and nothing is recalled of nothing", () => {
  const before = history(1, [0]);
  assert.equal(recall(before, history(1, [2])), "");
  assert.equal(recall(history(1), history(1)), "");
  assert.equal(recall(null, history(1)), "");
  assert.equal(recall("{", history(1)), "");
});
