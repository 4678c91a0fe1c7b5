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

test("the entry of a page is replaced by its whole address, and a change of it is pushed", () => {
  const calls = [];
  const location = { href: at("/compare") };
  const history = {
    pushState: (_state, _unused, url) => calls.push(["push", url]),
    replaceState: (_state, _unused, url) => calls.push(["replace", url]),
  };
  keepOneEntry(history, location);
  history.pushState({}, "", "/compare?document=ab");
  location.href = at("/compare?document=ab");
  history.pushState({}, "", "/compare?document=cd");
  history.pushState({}, "");

  assert.deepEqual(calls, [
    ["replace", "/compare?document=ab"],
    ["push", "/compare?document=cd"],
    ["push", undefined],
  ]);
});
