// A page that a key has led to gives the keyboard to its source, its table of documents or the part that skip_link names:
// what had the focus is gone with the page before. So does a page on which a button that was pressed by key is disabled or
// gone then. The page's HTML asks for this module (pages/ui/server/first_style.py).

import { skipToSource } from "./component.js";
import { overlayIsOpen } from "./open_dialog.js";
import { pressedBy } from "./pressed_button.js";
import { scriptRuns } from "./script_state.js";

const OFTEN = 100; // milliseconds between two looks
const LONG = 15_000; // milliseconds in which a page comes
const STILL = 2_000; // milliseconds in which the rest of it comes

/** What moves the focus, or what is seen, also where nothing has the focus. */
const MOVES = new Set(["Tab", "ArrowUp", "ArrowDown", "PageUp", "PageDown", "Home", "End", " "]);

let timer = 0;
let left = ""; // the path of the page that is being left
/** @type {import("./pressed_button.js").PressedButton | null} */
let pressed = null;
let rests = false; // whether nothing had the focus and no script ran at the last look

/** Whether a key that is pressed while the next page comes, and nothing has the focus, leaves it at that. */
const waitsOn = (key) => !MOVES.has(key);

/** Looks whether another page has come, or the button is gone, as long as nothing else is done. Until the look after
 * the script's end, what a press has brought may still come and take the keyboard itself, as change_line.js does; a popover
 * that is opened there takes it, too.
 * @param {string} from the path of the page on which the key was pressed
 * @param {number} until */
function look(from, until) {
  const nobody = document.activeElement === document.body;
  const rested = rests;
  rests = nobody && !scriptRuns();
  if (nobody && location.pathname !== from && !overlayIsOpen()) skipToSource(true);
  else if (rested && rests && pressed?.leavesKeyboard() && !pressed.takeBack()) skipToSource(true);
  const arrived = nobody && document.activeElement !== document.body;
  const last = arrived ? performance.now() + STILL : until; // what was given it may be drawn anew
  timer = performance.now() < last ? setTimeout(look, OFTEN, from, last) : 0;
}

if (globalThis.document) {
  const ended = () => {
    clearTimeout(timer);
    timer = 0;
    pressed = null;
    rests = false;
  };
  const begin = () => {
    ended();
    left = location.pathname;
    timer = setTimeout(look, OFTEN, left, performance.now() + LONG);
  };
  addEventListener("pointerdown", ended, { capture: true });
  addEventListener(
    "keydown",
    ({ key }) => {
      const comes = timer && (pressed || location.pathname !== left) && document.activeElement === document.body;
      if (comes && waitsOn(key)) return;
      begin();
    },
    { capture: true },
  );
  addEventListener(
    "click",
    (event) => {
      const button = pressedBy(event);
      if (!button) return;
      begin();
      pressed = button;
    },
    { capture: true },
  );
}
