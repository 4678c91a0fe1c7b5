import assert from "node:assert/strict";
import { test } from "node:test";
import { openOf } from "../../pages/ui/components/shared/names_and_roles.js";

const [home, compare] = ["", "compare"].map((href) => ({ getAttribute: () => href }));

test("the open page's link is the one that its path ends in, and the home page's for every other path", () => {
  assert.equal(openOf([home, compare], "/compare"), compare);
  assert.equal(openOf([home, compare], "/behind/a/proxy/compare/"), compare);
  assert.equal(openOf([home, compare], "/"), home);
  assert.equal(openOf([home, compare], "/behind/a/proxy/"), home);
});
