import assert from "node:assert/strict";
import { test } from "node:test";
import { largerWords, nameBeside, scaleOf } from "../../pages/ui/components/threshold_rail/chart_scale.js";

const LINEAR = scaleOf({ bottom: 0, top: 1200 }, 290);
const LOG = scaleOf({ bottom: 10, top: 100_000 }, 290);

test("a place on the axis is the tokens that stand there, on both scales", () => {
  for (const scale of [LINEAR, LOG])
    for (const tokens of [20, 250, 750, 1200]) assert.equal(Math.round(scale.tokens(scale.x(tokens))), tokens);
});

test("what is beyond the axis stands between its end and the bin of all beyond", () => {
  assert.ok(LINEAR.x(1201) > LINEAR.x(1200));
  assert.equal(LINEAR.x(100_000), LINEAR.x(1201));
  assert.ok(LINEAR.x(100_000) < LINEAR.beyond.left);
});

test("a handle that is dragged past an end of the axis stands at that end", () => {
  assert.equal(LINEAR.tokens(-50), 0);
  assert.equal(LOG.tokens(-50), 0);
  assert.equal(LINEAR.tokens(900), 1200);
});

test("thresholds can be told apart on a logarithmic axis up to 100,000 tokens", () => {
  assert.ok(LOG.x(500) - LOG.x(250) > 15);
  assert.deepEqual(
    LOG.ticks.map(({ tokens }) => tokens),
    [10, 100, 1000, 10_000],
  );
});

test("a handle's name is on the side with room for it, and cut where neither has", () => {
  const title = "Minimum before going deeper";
  assert.deepEqual(nameBeside(title, 20, 290).anchor, "start");
  assert.deepEqual(nameBeside(title, 280, 290).anchor, "end");
  assert.equal(nameBeside(title, 20, 290).name, title);
  const { name, size } = nameBeside(title, 145, 290);
  assert.ok(name.endsWith("…") && size <= 145, name);
});

test("one chunk that is larger is, several are", () => {
  assert.equal(largerWords(1, 1493), "1 is larger, up to 1,493.");
  assert.equal(largerWords(2, 1493), "2 are larger, up to 1,493.");
  assert.equal(largerWords(0, 0), "None is larger.");
});
