import assert from "node:assert/strict";
import { test } from "node:test";

import { wordsFor } from "../../pages/ui/components/connection_notice/words.js";

const said = (host) =>
  wordsFor(host)
    .map(({ text }) => text)
    .join("");

test("on its own machine the line says how the app is started again", () => {
  for (const host of ["localhost", "127.0.0.1", "[::1]", "app.localhost"]) assert.match(said(host), /chunkscope app/);
});

test("elsewhere it says that the page goes on when the server is back", () => {
  for (const host of ["docs.example.org", "127.example.org", "10.0.0.7", "notlocalhost"])
    assert.doesNotMatch(said(host), /chunkscope app/);
  assert.match(said("docs.example.org"), /when it is back/);
});
