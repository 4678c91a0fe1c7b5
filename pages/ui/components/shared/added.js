// Who has added a text, a page or files goes on in the source: the place behind Add, which had the focus, is closed then.
// Where nothing was added, it stays open and keeps the focus. The page's HTML asks for this module
// (pages/ui/server/first_style.py).

import { skipToSource } from "./component.js";
import { overlayIsOpen } from "./open_dialog.js";

const BUTTONS = ".st-key-use-paste button, .st-key-use-page button";
const ADD = ".st-key-add";
const OFTEN = 100; // milliseconds between two looks
const LONG = 15_000; // milliseconds in which what is added comes
const STILL = 2_000; // milliseconds in which the rest of the page is drawn, which may take the focus once more

/** Whether a key adds what is written: Enter in an address, with Ctrl or Cmd in a text.
 * @param {{key: string, ctrlKey: boolean, metaKey: boolean, target: EventTarget | null}} event */
export function adds({ key, ctrlKey, metaKey, target }) {
  const field = /** @type {Element | null} */ (target);
  if (key !== "Enter" || !field?.closest) return false;
  return Boolean(field.closest(".st-key-page-address") || ((ctrlKey || metaKey) && field.closest(".st-key-pasted")));
}

let timer = 0;

function end() {
  clearTimeout(timer);
  timer = 0;
}

/** Whether nothing has the focus, or the button Add, which has it back from what it opened. */
function isFree() {
  const at = document.activeElement;
  return !at || at === document.body || Boolean(at.closest(ADD));
}

/** @param {number} until */
function look(until) {
  const free = !overlayIsOpen() && isFree();
  if (free) skipToSource(true);
  const last = free && !isFree() ? Math.min(until, performance.now() + STILL) : until;
  timer = performance.now() < last ? setTimeout(look, OFTEN, last) : 0;
}

function begin() {
  end();
  timer = setTimeout(look, OFTEN, performance.now() + LONG);
}

if (globalThis.document) {
  for (const name of ["pointerdown", "keydown"]) addEventListener(name, end, { capture: true });
  const on = (name, what) => addEventListener(name, (event) => what(event) && begin(), { capture: true });
  on("click", ({ target }) => target?.closest?.(BUTTONS));
  on("change", ({ target }) => target?.closest?.(".st-key-uploads, .st-key-missing-uploads"));
  on("keydown", adds);
}
