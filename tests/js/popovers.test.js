import assert from "node:assert/strict";
import { test } from "node:test";
import { firstOf, nextStop, stops } from "../../pages/ui/components/shared/popovers.js";

test("Tab goes round in a popover, to and fro, and inside it as the browser does", () => {
  assert.equal(nextStop([1, 2, 3], 3, false), 1);
  assert.equal(nextStop([1, 2, 3], 1, true), 3);
  assert.equal(nextStop([1, 2, 3], 2, false), undefined);
  assert.equal(nextStop([1, 2, 3], 1, false), undefined);
  assert.equal(nextStop([1], 1, false), 1);
  assert.equal(nextStop([], 1, false), undefined);
});

test("a popover begins at a field, not at what explains it", () => {
  const named = (name) => ({ getAttribute: () => name });
  const [help, field] = [named("Help for Questions"), named("Questions")];
  assert.equal(firstOf([help, field]), field);
  assert.equal(firstOf([named(null)])?.getAttribute("aria-label"), null);
  assert.equal(firstOf([help]), null);
});

test("Tab stops at what folds a part of a popover away", () => {
  globalThis.getComputedStyle = () => ({ visibility: "visible" });
  const element = (kind) => ({
    matches: (selector) => selector.split(", ").includes(kind),
    tabIndex: 0,
    getClientRects: () => [{}],
  });
  const [summary, paragraph] = [element("summary"), element("p")];
  assert.deepEqual(stops({ querySelectorAll: () => [paragraph, summary] }), [summary]);
});
