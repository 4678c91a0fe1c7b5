import assert from "node:assert/strict";
import test from "node:test";
import { drawMarkTicks, roomForTicks } from "../../pages/ui/components/source_view/marks.js";
import { drawMinimap } from "../../pages/ui/components/source_view/minimap.js";

/** A pen that notes from where to where, across, something is drawn. */
function penThatNotes() {
  const drawn = /** @type {[number, number][]} */ ([]);
  const note = {
    fillRect: (x, _top, width) => drawn.push([x, x + width]),
    rect: (x, _top, width) => drawn.push([x, x + width]),
    moveTo: (x) => drawn.push([x, x]),
    lineTo: (x) => drawn.push([x, x]),
  };
  return { drawn, pen: new Proxy({}, { get: (_, name) => note[name] ?? (() => {}), set: () => true }) };
}

test("ticks of marks stand beside the chunks of the overview", () => {
  const size = { clientWidth: 40, clientHeight: 300 };
  const colours = { hues: ["red", "green", "blue", "red", "green", "blue"] };
  const none = new Int32Array();
  const run = /** @type {any} */ ({
    ...{ units: 100, chunks: 2, start: Int32Array.of(0, 50), end: Int32Array.of(50, 100), tokens: [9, 9] },
    ...{ standing: none, torn: none, gapStart: none, gapEnd: none, baseline: null },
  });
  const marks = { all: [10, 60].map((start, at) => ({ start, end: start + 5, kind: at ? "whole" : "answer" })) };
  const [chunks, ticks] = [penThatNotes(), penThatNotes()];
  const before = [globalThis.window, globalThis.document];
  Object.assign(globalThis, {
    window: {},
    document: { createElement: () => ({ getContext: () => chunks.pen }) },
  });
  try {
    const view = { from: 0, to: 1, selected: -1, beside: roomForTicks(marks) };
    drawMinimap({ getContext: () => penThatNotes().pen }, size, run, view, colours);
  } finally {
    [globalThis.window, globalThis.document] = before;
  }
  drawMarkTicks(ticks.pen, marks.all, 3, size.clientWidth, colours);

  assert.equal(chunks.drawn.length, 2);
  assert.ok(Math.max(...chunks.drawn.map(([, right]) => right)) < Math.min(...ticks.drawn.map(([left]) => left)));
  assert.ok(Math.max(...ticks.drawn.map(([, right]) => right)) <= size.clientWidth);
  assert.equal(roomForTicks({ all: [] }), 0);
});
