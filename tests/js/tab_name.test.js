import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import test from "node:test";
import vm from "node:vm";

const SCRIPT = readFileSync(new URL("../../pages/ui/components/shared/tab_name.js", import.meta.url), "utf8");

/** What the server is told by a page that was loaded like this, in a tab that keeps these things. */
function told(/** @type {string | undefined} */ how, /** @type {Map<string, string> | null} */ kept) {
  const document = { cookie: "" };
  const sessionStorage = {
    getItem(/** @type {string} */ key) {
      assert.ok(kept);
      return kept.get(key) ?? null;
    },
    setItem(/** @type {string} */ key, /** @type {string} */ value) {
      assert.ok(kept);
      kept.set(key, value);
    },
  };
  const performance = { getEntriesByType: () => (how ? [{ type: how }] : []) };
  vm.runInNewContext(SCRIPT, { crypto, document, performance, sessionStorage });
  const [, name, again, rest] = /^chunkscope-tab=([a-z0-9]{1,64})(\.reloaded)?(; .*)$/.exec(document.cookie) ?? [];
  assert.equal(rest, "; path=/; SameSite=Strict");
  return { name, again: Boolean(again) };
}

test("the server is told the tab's name, which stays, and whether its page was loaded again", () => {
  const kept = new Map();
  const first = told("navigate", kept);

  assert.equal(first.again, false);
  assert.deepEqual(told("reload", kept), { name: first.name, again: true });
  assert.deepEqual(told(undefined, kept), first);
});

test("another tab, and one that keeps nothing, has a name of its own", () => {
  const names = [new Map(), new Map(), null, null].map((kept) => told("navigate", kept).name);

  assert.equal(new Set(names).size, 4);
});
