// A page that a key has led to gives the keyboard to its source, or to its table of documents: what had the focus is gone
// with the page before. The page's HTML asks for this module (pages/ui/server/first_style.py).

import { skipToSource } from "./component.js";

const OFTEN = 100; // milliseconds between two looks
const LONG = 15_000; // milliseconds in which a page comes

let timer = 0;

/** Looks whether another page has come, as long as nothing else is done.
 * @param {string} from the path of the page on which the key was pressed
 * @param {number} until */
function look(from, until) {
  const nobody = document.activeElement === document.body;
  if (location.pathname !== from && nobody) skipToSource(true);
  const arrived = nobody && document.activeElement !== document.body;
  if (!arrived && performance.now() < until) timer = setTimeout(look, OFTEN, from, until);
}

if (globalThis.document) {
  const ended = () => clearTimeout(timer);
  addEventListener("pointerdown", ended, { capture: true });
  addEventListener(
    "keydown",
    () => {
      ended();
      timer = setTimeout(look, OFTEN, location.pathname, performance.now() + LONG);
    },
    { capture: true },
  );
}
