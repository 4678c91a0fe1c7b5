import assert from "node:assert/strict";
import { afterEach, mock, test } from "node:test";
import { heard, moved, quiet, ran, rested } from "../../pages/ui/components/threshold_rail/conversation.js";
import { Channel } from "../../pages/ui/components/threshold_rail/drag_socket.js";

class Socket extends EventTarget {
  static OPEN = 1;
  readyState = 1;
  sent = [];

  send(text) {
    this.sent.push(text);
  }

  close() {}

  says(data) {
    this.dispatchEvent(new MessageEvent("message", { data }));
  }
}

Object.assign(globalThis, { WebSocket: Socket, location: { protocol: "http:", host: "here" } });
afterEach(() => mock.timers.reset());

const ANSWER = framed({});

const READING = framed({ reading: {} });

function framed(said) {
  const text = new TextEncoder().encode(JSON.stringify(said));
  return Uint8Array.from([text.length, 0, 0, 0, ...text]).buffer;
}

/** A channel that is open, what it has called, and what it waits to be called when its answer is drawn. */
function opened() {
  mock.timers.enable({ apis: ["setTimeout"] });
  const calls = [];
  const drawn = [];
  const [heard, lost, free] = ["heard", "lost", "free"].map((name) => () => calls.push(name));
  const channel = new Channel(heard, lost, free, (then) => drawn.push(then));
  channel.open("/live/a");
  return { channel, calls, drawn };
}

/** The same after an answer with a pause of a second. */
function paused() {
  const { channel, calls } = opened();
  channel.send({ sequence: 1 });
  channel.socket.says('{"pause": 1000}');
  assert.equal(channel.waits, true);
  channel.socket.says(ANSWER);
  return { channel, calls };
}

test("a pause begins with the answer, and is over after as long as the server said", () => {
  const { channel, calls } = paused();
  assert.deepEqual([channel.waits, channel.pauses], [false, true]);
  mock.timers.tick(999);
  assert.deepEqual(calls, ["heard"]);

  mock.timers.tick(1);
  assert.deepEqual(calls, ["heard", "free"]);
  assert.equal(channel.pauses, false);
});

test("who asks in a pause ends it", () => {
  const { channel, calls } = paused();
  channel.send({ sequence: 2 });
  mock.timers.tick(1000);

  assert.deepEqual(calls, ["heard"]);
  assert.equal(channel.waits, true);
});

test("a socket that is gone in a pause loses no answer, and ends the pause", () => {
  const { channel, calls } = paused();
  channel.socket.dispatchEvent(new Event("close"));
  mock.timers.tick(1000);

  assert.deepEqual(calls, ["heard", "free"]);
  assert.deepEqual([channel.ready, channel.pauses], [false, false]);
});

test("another document's socket in a pause loses no answer either", () => {
  const { channel, calls } = paused();
  channel.open("/live/b");

  assert.deepEqual(calls, ["heard", "free"]);
  assert.equal(channel.ready, true);
});

test("a socket that is gone before its answer loses it, also after the pause was said", () => {
  const { channel, calls } = opened();
  channel.send({ sequence: 1 });
  channel.socket.says('{"pause": 1000}');
  channel.socket.dispatchEvent(new Event("close"));

  assert.deepEqual(calls, ["lost"]);
});

test("what is let go before an answer with a pause is asked when the answer is there", () => {
  const { channel } = opened();
  const [asked] = moved(quiet(10), { min: 300 }, false, channel);
  channel.send({});
  const [letGo] = moved(asked, { min: 310 }, true, channel);
  channel.socket.says('{"pause": 1000}');
  channel.socket.says(ANSWER);

  assert.deepEqual(
    heard(letGo, channel, false)[1].map((effect) => effect.do),
    ["ask"],
  );
});

test("what was let go is told to Streamlit also when it becomes free in a pause", () => {
  const { channel } = opened();
  const [asked] = moved(quiet(10), { min: 300 }, false, channel);
  const [shown] = heard(asked, channel, false);
  const [told] = rested(shown);
  const [letGo] = moved(told, { min: 310 }, true, channel);
  channel.send({});
  channel.socket.says('{"pause": 1000}');
  channel.socket.says(ANSWER);
  const [waiting] = heard(letGo, channel, false);

  const [, effects] = ran(waiting, { echo: 11, run: "a" }, channel);
  assert.equal(effects.at(-1).name, "released");
});

test("what is drawn in place of the source is on screen before more is asked", () => {
  const { channel, calls, drawn } = opened();
  channel.send({ sequence: 1 });
  channel.socket.says(READING);
  assert.deepEqual([channel.pauses, calls], [true, ["heard"]]);

  drawn[0]();
  assert.deepEqual([channel.pauses, calls], [false, ["heard", "free"]]);
  mock.timers.tick(1000);
  assert.deepEqual(calls, ["heard", "free"]);
});

test("a page that draws nothing, such as a hidden one, holds nothing back for long", () => {
  const { channel, calls } = opened();
  channel.send({ sequence: 1 });
  channel.socket.says(READING);
  mock.timers.tick(200);

  assert.deepEqual([channel.pauses, calls], [false, ["heard", "free"]]);
});

test("a drawing that was not waited for ends no later pause", () => {
  const { channel, calls, drawn } = opened();
  channel.send({ sequence: 1 });
  channel.socket.says(READING);
  channel.send({ sequence: 2 });
  channel.socket.says('{"pause": 1000}');
  channel.socket.says(READING);
  for (const then of drawn) then();

  assert.deepEqual([channel.pauses, calls], [true, ["heard", "heard"]]);
});
