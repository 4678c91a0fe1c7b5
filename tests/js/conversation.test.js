import assert from "node:assert/strict";
import { test } from "node:test";
import {
  answered,
  free,
  heard,
  holds,
  isBehind,
  KEYS_REST,
  lacking,
  lost,
  moved,
  overdue,
  phaseOf,
  quiet,
  REST,
  ran,
  rested,
  untold,
} from "../../pages/ui/components/threshold_rail/conversation.js";

const OPEN = { ready: true, waits: false, pauses: false };
const BUSY = { ready: false, waits: true, pauses: false };
const PAUSE = { ready: true, waits: false, pauses: true };
const CLOSED = { ready: false, waits: false, pauses: false };

/** The last effect of a kind, undefined where there is none. */
const done = (effects, what) => effects.filter((effect) => effect.do === what).at(-1);
const kinds = (effects) => effects.map((effect) => effect.do);

test("without the short way a move is told to Streamlit, and the next one waits for its run", () => {
  const [told, first] = moved(quiet(10), { min: 300 }, false, CLOSED);
  assert.deepEqual(done(first, "tell"), { do: "tell", name: "moved", message: { sequence: 11, values: { min: 300 } } });
  assert.equal(phaseOf(told), "told");

  const [waiting, second] = moved(told, { min: 310 }, false, CLOSED);
  assert.equal(done(second, "tell"), undefined);

  const [, third] = ran(waiting, { echo: 11, run: "a" }, CLOSED);
  assert.deepEqual(done(third, "tell").message, { sequence: 12, values: { min: 310 } });
});

test("a move goes the short way where it is open, and Streamlit is told when the drag rests", () => {
  const [asked, first] = moved(quiet(10), { min: 300 }, false, OPEN);
  assert.deepEqual(kinds(first), ["stop resting", "ask"]);
  assert.equal(phaseOf(asked), "ahead");

  const [shown, second] = heard(asked, OPEN, false);
  assert.deepEqual(second, [{ do: "rest", milliseconds: REST }]);

  const [told, third] = rested(shown);
  assert.deepEqual(done(third, "tell").message, { sequence: 11, values: { min: 300 } });
  assert.equal(phaseOf(told), "told");
});

test("in a pause nothing is asked, and after it the latest value", () => {
  const [asked] = moved(quiet(10), { min: 300 }, false, OPEN);
  const [shown] = heard(asked, PAUSE, false);
  const [waiting, none] = moved(shown, { min: 320 }, false, PAUSE);
  assert.deepEqual(kinds(none), ["stop resting"]);

  assert.deepEqual(free(waiting, OPEN)[1], [{ do: "ask", message: { sequence: 12, values: { min: 320 } } }]);
  assert.deepEqual(free(shown, OPEN)[1], []);
});

test("what is let go in a pause, or before the answer that brings one, is asked at once", () => {
  const [asked] = moved(quiet(10), { min: 300 }, false, OPEN);
  const [shown] = heard(asked, PAUSE, false);
  assert.deepEqual(kinds(moved(shown, { min: 300 }, true, PAUSE)[1]), ["stop resting", "ask"]);

  const [letGo] = moved(asked, { min: 310 }, true, BUSY);
  assert.deepEqual(kinds(heard(letGo, PAUSE, false)[1]), ["ask"]);
});

test("each key lets go, and a pause holds for keys", () => {
  const [asked] = moved(quiet(10), { min: 300 }, true, OPEN, true);
  const [shown] = heard(asked, PAUSE, true);
  const [waiting, none] = moved(shown, { min: 310 }, true, PAUSE, true);
  assert.deepEqual(kinds(none), ["stop resting"]);
  assert.deepEqual(kinds(free(waiting, OPEN)[1]), ["ask"]);
});

test("what was let go is told as released when the run before it ends in a pause", () => {
  const [asked] = moved(quiet(10), { min: 300 }, false, OPEN);
  const [shown] = heard(asked, OPEN, false);
  const [told] = rested(shown);
  const [further] = moved(told, { min: 310 }, true, OPEN);
  const [waiting, none] = heard(further, PAUSE, false);
  assert.deepEqual(kinds(none), ["stop resting"]);

  const [, effects] = ran(waiting, { echo: 11, run: "a" }, PAUSE);
  assert.equal(done(effects, "tell").name, "released");
});

test("one question is in flight: what moves meanwhile is asked at once when the answer comes, the latest value alone", () => {
  const [asked] = moved(quiet(10), { min: 300 }, false, OPEN);
  const [one, none] = moved(asked, { min: 310 }, false, BUSY);
  const [two] = moved(one, { min: 320 }, false, BUSY);
  assert.deepEqual(kinds(none), ["stop resting"]);

  const [, effects] = heard(two, OPEN, false);
  assert.deepEqual(effects, [{ do: "ask", message: { sequence: 12, values: { min: 320 } } }]);
});

test("what is let go is told as released, once its boundaries are on screen", () => {
  const [asked] = moved(quiet(10), { min: 300 }, false, OPEN);
  const [letGo, none] = moved(asked, { min: 300 }, true, BUSY);
  assert.equal(done(none, "tell"), undefined);

  const [again] = heard(letGo, OPEN, false);
  const [, effects] = heard(again, OPEN, false);
  assert.equal(done(effects, "tell").name, "released");
});

test("keys that follow each other fast are one change", () => {
  const [asked] = moved(quiet(10), { min: 300 }, true, OPEN);
  const [waiting, effects] = heard(asked, OPEN, true);
  assert.deepEqual(effects, [{ do: "rest", milliseconds: KEYS_REST }]);
  assert.ok(KEYS_REST > 250, "eight presses in two seconds are one change");

  const [, told] = rested(waiting);
  assert.equal(done(told, "tell").name, "released");
});

test("a run of an earlier move does not settle what the short way has brought since", () => {
  const [asked] = moved(quiet(10), { min: 300 }, false, OPEN);
  const [shown] = heard(asked, OPEN, false);
  const [told] = rested(shown);
  const [further] = moved(told, { min: 310 }, false, OPEN);
  assert.equal(phaseOf(further), "told and ahead");
  assert.equal(isBehind(further, 11), true);

  const [next, effects] = ran(further, { echo: 11, run: "a" }, BUSY);
  assert.deepEqual(kinds(effects), ["stop waiting", "rest"]);
  assert.equal(phaseOf(next), "ahead");
  assert.equal(holds(next, "min"), true);
});

test("the run of the last move settles, and nothing is held any more", () => {
  const [asked] = moved(quiet(10), { min: 300 }, true, OPEN);
  const [told] = heard(asked, OPEN, false);
  const [next, effects] = ran(told, { echo: 11, run: "a" }, OPEN);

  assert.deepEqual(effects, [{ do: "settle", run: "a" }, { do: "stop waiting" }]);
  assert.equal(phaseOf(next), "quiet");
  assert.equal(holds(next, "min"), false);
});

test("where the short way is lost, Streamlit is told all that it had not heard of", () => {
  const [asked] = moved(quiet(10), { min: 300 }, false, OPEN);
  const [both] = moved(asked, { max: 900 }, false, BUSY);
  const [next, effects] = lost(both);

  assert.deepEqual(kinds(effects), ["settle", "stop resting", "tell"]);
  assert.deepEqual(done(effects, "tell").message, { sequence: 12, values: { min: 300, max: 900 } });
  assert.equal(phaseOf(next), "told");
});

test("where Streamlit does not answer in time, what Python said last is shown, and what moved since is told", () => {
  const [asked] = moved(quiet(10), { min: 300 }, true, OPEN);
  const [told] = heard(asked, OPEN, false);
  const [further] = moved(told, { min: 310 }, false, OPEN);
  const [late, shown] = overdue(further);
  assert.deepEqual(kinds(shown), ["settle", "show what Python said"]);

  const [next, effects] = answered(late, BUSY);
  assert.deepEqual(kinds(effects), ["stop waiting"]);
  assert.equal(phaseOf(next), "quiet");
});

test("a run that nobody waited for, as after another control, only settles", () => {
  const [next, effects] = ran(quiet(10), { echo: 0, run: "b" }, OPEN);
  assert.deepEqual(effects, [{ do: "settle", run: "b" }]);
  assert.deepEqual(next, quiet(10));
});

test("what Streamlit was not told is known at any time", () => {
  assert.deepEqual(untold(quiet(10)), {});
  const [asked] = moved(quiet(10), { min: 300 }, true, OPEN);
  assert.deepEqual(untold(asked), { min: 300 });

  const [told] = rested(heard(asked, OPEN, true)[0]);
  assert.deepEqual(untold(told), {}, "it was told");

  const [again] = moved(told, { max: 500 }, true, OPEN);
  assert.deepEqual(untold(again), { min: 300, max: 500 });
  assert.deepEqual(untold(lost(again)[0]), { min: 300, max: 500 }, "also where the short way is lost");
});

test("what is lacking of the last answer is asked for again as no move, and of nothing when Streamlit has run", () => {
  const [asked] = moved(quiet(10), { min: 300 }, false, OPEN);
  assert.deepEqual(lacking(asked, BUSY), [asked, []]);
  const [shown] = heard(asked, OPEN, false);

  const [after, effects] = lacking(shown, OPEN);

  assert.deepEqual(effects, [{ do: "ask", message: { sequence: 11, values: { min: 300 } }, again: true }]);
  assert.equal(after, shown);
  const [settled] = ran(rested(shown)[0], { echo: 11, run: "a" }, OPEN);
  assert.deepEqual(lacking(settled, OPEN)[1], []);
});

test("a move waits for what was asked again, and is asked after it", () => {
  const [shown] = heard(moved(quiet(10), { min: 300 }, false, OPEN)[0], OPEN, false);
  const [waiting, none] = moved(lacking(shown, OPEN)[0], { min: 310 }, false, BUSY);
  assert.deepEqual(kinds(none), ["stop resting"]);

  const [, effects] = free(waiting, OPEN);

  assert.deepEqual(done(effects, "ask").message, { sequence: 12, values: { min: 310 } });
});
