import assert from "node:assert/strict";
import test from "node:test";
import { keepOneEntry, onlyAddsQuery } from "../../pages/ui/components/shared/one_entry.js";

const at = (path) => `http://127.0.0.1:8501${path}`;

test("what a page writes into its own address is no further step", () => {
  assert.equal(onlyAddsQuery(at("/compare"), "/compare?document=ab"), true);
  assert.equal(onlyAddsQuery(at("/"), "/?document=ab"), true);
});

test("another page, another setting and another strategy's page are steps", () => {
  assert.equal(onlyAddsQuery(at("/?document=ab"), "/compare"), false);
  assert.equal(onlyAddsQuery(at("/?document=ab"), "/compare?document=ab"), false);
  assert.equal(onlyAddsQuery(at("/compare?a.strategy=fixed"), "/compare?a.strategy=recursive"), false);
  assert.equal(onlyAddsQuery(at("/strategies"), "/strategies?strategy=fixed"), false);
});

const opened = (address) => {
  const calls = [];
  const location = { href: at(address) };
  const to = (kind) => (_state, _unused, url) => {
    calls.push([kind, url]);
    if (url) location.href = at(url);
  };
  const history = /** @type {any} */ ({ pushState: to("push"), replaceState: to("replace") });
  const heard = {};
  keepOneEntry(history, location, { addEventListener: (name, act) => (heard[name] = act) });
  return { calls, history, heard };
};

test("the entry of a page is replaced by its whole address, and a change of it is pushed", () => {
  const { calls, history } = opened("/compare");
  history.pushState({}, "", "/compare?document=ab");
  history.pushState({}, "", "/compare?document=cd");
  history.pushState({}, "");

  assert.deepEqual(calls, [
    ["replace", "/compare?document=ab"],
    ["push", "/compare?document=cd"],
    ["push", undefined],
  ]);
});

test("a query that came before its page's address is no step either, but a link that somebody pressed is", () => {
  const { calls, history, heard } = opened("/?document=ab");
  history.pushState({}, "", "/?document=ab&a.strategy=fixed");
  history.pushState({}, "", "/compare?document=ab&a.strategy=fixed");
  heard.pointerdown();
  history.pushState({}, "", "/?document=ab&a.strategy=fixed");

  assert.deepEqual(calls, [
    ["push", "/?document=ab&a.strategy=fixed"],
    ["replace", "/compare?document=ab&a.strategy=fixed"],
    ["push", "/?document=ab&a.strategy=fixed"],
  ]);
});
