// Cells of tokens as elements, and in words. A cell is characters that cannot be divided between tokens.

import { make } from "../shared/component.js";
import { counted } from "../shared/counted.js";

// What a cell is, as bits; reading_views/token_rows.py says what they mean.
export const NONE = 1;
export const UNKNOWN = 2;
export const DIFFERS = 4;
export const CONTINUED = 8;
export const ODD = 16;
export const SPECIAL = 32;
export const HELD_OUT = 64;

export const CELL = 4; // numbers for a cell
export const NUMBER = 2; // the place among them of the number of its first token in the chunk

const SIGNS = { " ": "·", "\t": "→", "\n": "↵", "\r": "␍", "\u00a0": "⍽", "\u3000": "□" };
const BLANKS = /(\s)/u;

/** The cells of a row: its text, cut by four numbers for each cell.
 * @param {string} text
 * @param {number[]} numbers length in UTF-16 units, tokens, number of the first, bits
 * @returns {{text: string, tokens: number, number: number, bits: number}[]} */
export function cellsOf(text, numbers) {
  const cells = [];
  let at = 0;
  for (let place = 0; place < numbers.length; place += CELL) {
    const [length, tokens, number, bits] = numbers.slice(place, place + CELL);
    cells.push({ text: text.slice(at, at + length), tokens, number, bits });
    at += length;
  }
  return cells;
}

/** What a cell is, for those who point at it. */
export function cellWords({ text, tokens, number, bits }) {
  const shown = JSON.stringify(text);
  if (bits & HELD_OUT) return `${shown} is in no chunk here`;
  if (bits & NONE) return `The tokenizer has no token for ${shown}`;
  const first = counted(number + 1);
  const which =
    number < 0 ? "" : tokens > 1 ? ` ${first} to ${counted(number + tokens)} of the chunk` : ` ${first} of the chunk`;
  const words =
    tokens > 1
      ? `${shown}: tokens${which}; ${counted(tokens)} tokens that end inside a character`
      : tokens
        ? `${shown}: token${which}`
        : `${shown}: the rest of a token that begins before it`;
  const more = [
    bits & UNKNOWN ? "read as an unknown token" : "",
    bits & SPECIAL ? "written like a special token, and read as ordinary text" : "",
    bits & DIFFERS ? "the other tokenizer has no border before it" : "",
  ].filter(Boolean);
  return [words, ...more].join("; ");
}

/** @param {{text: string, tokens: number, number: number, bits: number}} cell
 * @param {boolean} visible whether white space is drawn */
export function cellElement(cell, visible) {
  const { bits, tokens, text } = cell;
  const blank = !text.trim();
  if (bits & (NONE | HELD_OUT) && blank && !visible) return document.createTextNode(text);
  const names = bits & HELD_OUT ? ["out"] : bits & NONE ? [blank ? "" : "no"] : ["t"];
  if (bits & ODD) names.push("odd");
  if (bits & UNKNOWN) names.push("unk");
  if (bits & SPECIAL) names.push("spec");
  if (bits & DIFFERS) names.push("dif");
  const element = make("span", names.join(" "), null);
  if (tokens > 1) {
    element.classList.add("multi");
    element.dataset.n = String(tokens);
    element.style.setProperty("--n", String(tokens));
  }
  if (visible) element.append(...withSigns(text));
  else element.textContent = text;
  return element;
}

/** White space with signs drawn over it; the text stays as it is, for those who copy it. */
function withSigns(text) {
  return text.split(BLANKS).map((part) => {
    if (!BLANKS.test(part)) return document.createTextNode(part);
    const sign = make("i", "ws", null, { "data-sign": SIGNS[part] ?? "␣" });
    sign.textContent = part;
    return sign;
  });
}
