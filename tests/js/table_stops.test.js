import assert from "node:assert/strict";
import { test } from "node:test";

const { leavesTable } = await import("../../pages/ui/components/shared/table_stops.js");

const cell = { closest: (selector) => (selector.includes(".stDataFrame") ? {} : null) };
const field = { closest: () => null };

test("Tab leaves a table, forwards and back, and goes on as everywhere outside of one", () => {
  assert.equal(leavesTable({ key: "Tab", target: cell }), true);
  assert.equal(leavesTable({ key: "Tab", shiftKey: true, target: cell }), true);
  assert.equal(leavesTable({ key: "Tab", target: field }), false);
  assert.equal(leavesTable({ key: "Tab", target: globalThis }), false);
});

test("the table hears of its arrows, and of a Tab that means something else", () => {
  assert.equal(leavesTable({ key: "ArrowRight", target: cell }), false);
  assert.equal(leavesTable({ key: "Tab", ctrlKey: true, target: cell }), false);
});
