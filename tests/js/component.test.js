import assert from "node:assert/strict";
import test from "node:test";

import { mounted } from "../../pages/ui/components/shared/component.js";

globalThis.ShadowRoot ??= class {};

class View {
  received = [];
  ended = false;
  constructor() {
    View.made.push(this);
  }
  receive({ data }) {
    this.received.push(data);
  }
  destroy() {
    this.ended = true;
  }
  /** @type {View[]} */
  static made = [];
}

function place() {
  View.made = [];
  const parent = { isConnected: true, getRootNode: () => parent, closest: () => null };
  const draw = mounted(View);
  return { parent, draw: (data) => draw({ data, parentElement: parent }) };
}

test("a place has one view, which hears of every run", () => {
  const { draw } = place();
  draw(1);
  draw(2);
  assert.equal(View.made.length, 1);
  assert.deepEqual(View.made[0].received, [1, 2]);
});

test("a call that a newer one overtook takes nothing from the page when Streamlit gives it up", () => {
  const { draw } = place();
  const giveUp = draw(1);
  giveUp();
  draw(2);
  assert.equal(View.made.length, 1);
  assert.equal(View.made[0].ended, false);
});

test("a view ends, once, when its place has left the page", () => {
  const { parent, draw } = place();
  const first = draw(1);
  const second = draw(2);
  parent.isConnected = false;
  first();
  assert.equal(View.made[0].ended, true);
  View.made[0].ended = false;
  second();
  assert.equal(View.made[0].ended, false);
  parent.isConnected = true;
  draw(3);
  assert.equal(View.made.length, 2);
});
