// A page that a key has led to gives the keyboard to its source, its table of documents or the part that skip_link names:
// what had the focus is gone with the page before. The page's HTML asks for this module (pages/ui/server/first_style.py).

import { skipToSource } from "./component.js";

const OFTEN = 100; // milliseconds between two looks
const LONG = 15_000; // milliseconds in which a page comes
const STILL = 2_000; // milliseconds in which the rest of it comes

/** What moves the focus, or what is seen, also where nothing has the focus. */
const MOVES = new Set(["Tab", "ArrowUp", "ArrowDown", "PageUp", "PageDown", "Home", "End", " "]);

let timer = 0;
let left = ""; // the path of the page that is being left

/** Whether a key that is pressed while the next page comes, and nothing has the focus, leaves it at that. */
const waitsOn = (key) => !MOVES.has(key);

/** Looks whether another page has come, as long as nothing else is done.
 * @param {string} from the path of the page on which the key was pressed
 * @param {number} until */
function look(from, until) {
  const nobody = document.activeElement === document.body;
  if (location.pathname !== from && nobody) skipToSource(true);
  const arrived = nobody && document.activeElement !== document.body;
  const last = arrived ? performance.now() + STILL : until; // what was given it may be drawn anew
  timer = performance.now() < last ? setTimeout(look, OFTEN, from, last) : 0;
}

if (globalThis.document) {
  const ended = () => {
    clearTimeout(timer);
    timer = 0;
  };
  addEventListener("pointerdown", ended, { capture: true });
  addEventListener(
    "keydown",
    ({ key }) => {
      const comes = timer && location.pathname !== left && document.activeElement === document.body;
      if (comes && waitsOn(key)) return;
      ended();
      left = location.pathname;
      timer = setTimeout(look, OFTEN, left, performance.now() + LONG);
    },
    { capture: true },
  );
}
