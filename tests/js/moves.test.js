import assert from "node:assert/strict";
import { afterEach, beforeEach, test } from "node:test";
import { Moves } from "../../pages/ui/components/reading_views/moves.js";

/** @type {string[]} */
let shown;
/** @type {Moves} */
let moves;

const say = (name, detail) => document.dispatchEvent(new CustomEvent(`chunkscope:${name}`, { detail }));
const drag = (run, view = "cards", name = "kettle") => say("moved-reading", { view, sent: { name, run } });

beforeEach(() => {
  globalThis.document = /** @type {any} */ (new EventTarget());
  shown = [];
  moves = new Moves({ queue: ({ run }) => shown.push(run) }, "cards");
  moves.receive({ name: "kettle", run: "first" });
});

afterEach(() => moves.end());

test("during a drag what Python says of an earlier move waits until it has caught up", () => {
  drag("second");
  moves.receive({ name: "kettle", run: "late" });
  drag("third");
  assert.deepEqual(shown, ["first", "second", "third"]);

  moves.receive({ name: "kettle", run: "third" });
  say("settled", { run: "third" });
  moves.receive({ name: "kettle", run: "fourth" });
  assert.deepEqual(shown, ["first", "second", "third", "third", "fourth"]);
});

test("what is on screen stays until the run that Python has caught up with is here", () => {
  drag("second");
  say("settled", { run: "second" });
  assert.deepEqual(shown, ["first", "second"]);

  moves.receive({ name: "kettle", run: "second" });
  assert.deepEqual(shown, ["first", "second", "second"]);
});

test("after a move that was never answered, what Python said last holds", () => {
  drag("second");
  say("settled", { run: "" });
  assert.deepEqual(shown, ["first", "second", "first"]);
});

test("a move of another view or of another document is not shown", () => {
  drag("second", "rendered");
  drag("third", "cards", "teapot");
  assert.deepEqual(shown, ["first"]);
});

test("another document waits for no drag", () => {
  drag("second");
  moves.receive({ name: "teapot", run: "other" });
  say("settled", { run: "second" });
  assert.deepEqual(shown, ["first", "second", "other"]);
});

test("a view that is gone hears nothing more", () => {
  moves.end();
  drag("second");
  assert.deepEqual(shown, ["first"]);
});
