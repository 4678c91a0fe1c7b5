import assert from "node:assert/strict";
import test from "node:test";
import { ReadingView } from "../../pages/ui/components/reading_views/common.js";
import { Echoes } from "../../pages/ui/components/source_view/echoes.js";

function viewAt(chunk) {
  const view = Object.create(ReadingView.prototype);
  view.echoes = new Echoes();
  view.trigger = () => {};
  view.selectedNow(chunk, true);
  return view;
}

test("a chunk that keys have come to stays selected while Python tells of one before it", () => {
  const view = viewAt(0);
  for (const [chunk, offset] of [
    [1, 40],
    [0, 0],
  ])
    view.stepTo(chunk, offset);
  clearTimeout(view.stepping);

  assert.equal(view.selectedNow(1, false), 0);
  assert.equal(view.selectedNow(0, false), 0);
  assert.equal(view.selectedNow(1, false), 1, "chosen elsewhere, after Python has caught up");
});

test("what is selected in another document is what Python says", () => {
  const view = viewAt(3);
  view.stepTo(4, 90);
  clearTimeout(view.stepping);
  assert.equal(view.selectedNow(3, true), 3);
});
