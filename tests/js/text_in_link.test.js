import assert from "node:assert/strict";
import test from "node:test";
import { linkWith, textIn } from "../../pages/ui/components/copy_link/text_in_link.js";

test("a text is put into a link in place of its fragment, and taken out again", () => {
  const link = linkWith("http://127.0.0.1:8501/?document=ab#top", "1.eJw");
  assert.equal(link, "http://127.0.0.1:8501/?document=ab#text=1.eJw");
  assert.equal(textIn(new URL(link).hash), "1.eJw");
  assert.equal(linkWith(link, ""), "http://127.0.0.1:8501/?document=ab");
});

test("another fragment holds no text, and a long one is cut", () => {
  assert.equal(textIn("#kettle"), "");
  assert.equal(textIn(""), "");
  assert.equal(textIn(`#text=${"a".repeat(1e6)}`).length, 60_000);
});
