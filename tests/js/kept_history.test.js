import assert from "node:assert/strict";
import test from "node:test";
import { KeptHistory, recall } from "../../pages/ui/components/undo_buttons/kept_history.js";

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

test("a history without steps asks for the tab's, also after another start of the server, and never replaces it", () => {
  const stored = new Map();
  globalThis.sessionStorage = /** @type {any} */ ({
    getItem: (name) => stored.get(name) ?? null,
    setItem: (name, value) => stored.set(name, value),
  });
  const asked = [];
  const kept = new KeptHistory((former) => asked.push(former));
  const [withStep, without, elsewhere] = [history(1, [0]), history(1), history(2)];

  kept.receive(withStep);
  kept.receive(without); // a server that was started again
  kept.receive(without); // it did not take it
  assert.deepEqual(asked, [withStep]);
  kept.receive(withStep);
  kept.receive(elsewhere);
  kept.receive(without); // once more
  assert.deepEqual(asked, [withStep, withStep]);
});
