import assert from "node:assert/strict";
import test from "node:test";
import {
  CONTINUED,
  cellsOf,
  cellWords,
  DIFFERS,
  HELD_OUT,
  NONE,
  SPECIAL,
  UNKNOWN,
} from "../../pages/ui/components/reading_views/token_cells.js";

test("a row is cut by the lengths of its cells", () => {
  assert.deepEqual(cellsOf("a 🫖\n", [1, 1, 0, 0, 3, 3, 1, 16, 1, 0, -1, NONE]), [
    { text: "a", tokens: 1, number: 0, bits: 0 },
    { text: " 🫖", tokens: 3, number: 1, bits: 16 },
    { text: "\n", tokens: 0, number: -1, bits: NONE },
  ]);
});

test("each cell says what it is", () => {
  const words = (cell) => cellWords({ text: "lid", tokens: 1, number: 41, bits: 0, ...cell });

  assert.equal(words({}), '"lid": token 42 of the chunk');
  assert.equal(words({ number: -1 }), '"lid": token');
  assert.equal(
    words({ text: "語", tokens: 2 }),
    '"語": tokens 42 to 43 of the chunk; 2 tokens that end inside a character',
  );
  assert.equal(words({ tokens: 0, bits: CONTINUED }), '"lid": the rest of a token that begins before it');
  assert.equal(words({ bits: NONE }), 'The tokenizer has no token for "lid"');
  assert.equal(words({ bits: HELD_OUT }), '"lid" is in no chunk here');
  assert.match(words({ bits: UNKNOWN }), /read as an unknown token$/);
  assert.match(words({ bits: SPECIAL }), /read as ordinary text$/);
  assert.match(words({ bits: DIFFERS }), /the other tokenizer has no border before it$/);
});
