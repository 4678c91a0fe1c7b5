// A dialog of Streamlit's gives the keyboard to its first field, and once it is closed to what had it before: Streamlit
// leaves it on the dialog's frame, and then with nobody. The page's HTML asks for this module (pages/ui/server/first_style.py).

import { skipToSource } from "./component.js";
import { focused } from "./focused.js";
import { DIALOG, dialogIsOpen } from "./open_dialog.js";

const FIELD = "input:not([type=hidden]), textarea";
const OFTEN = 50; // milliseconds between two looks
const LONG = 5_000; // milliseconds in which a field comes, or the page after a dialog is drawn

/** What had the keyboard last outside dialogs. @type {HTMLElement | null} */
let before = null;
/** The field that was given the keyboard. @type {HTMLElement | null} */
let placed = null;
let timer = 0;

const nobody = () => document.activeElement === document.body || document.activeElement === null;

/** Waits for a dialog's fields, of which the first may be the last to come, then for the dialog's end.
 * @param {number} until when no field comes any more */
function follow(until) {
  const dialog = document.querySelector(DIALOG);
  const field = /** @type {HTMLElement | null | undefined} */ (dialog?.querySelector(FIELD));
  if (!dialog) return giveBack(performance.now() + LONG);
  const untouched = nobody() || document.activeElement === dialog || document.activeElement === placed;
  if (field && field !== placed && untouched && performance.now() < until) {
    field.focus();
    placed = field;
  }
  timer = setTimeout(follow, OFTEN, until);
}

/** Gives the keyboard back when the dialog has left it with nobody, unless somebody takes it elsewhere.
 * @param {number} until */
function giveBack(until) {
  timer = 0;
  placed = null;
  if (dialogIsOpen()) return follow(until);
  if (!nobody()) return;
  const beside = before?.getRootNode();
  const source = beside instanceof ShadowRoot ? beside.querySelector('[role="region"][tabindex="0"]') : null;
  for (const each of [/** @type {HTMLElement | null} */ (source), before]) each?.focus({ preventScroll: true });
  if (nobody()) skipToSource(true);
  if (nobody() && performance.now() < until) timer = setTimeout(giveBack, OFTEN, until);
}

function watch() {
  const note = () => {
    const at = focused();
    if (at && at !== document.body && !at.closest(DIALOG)) before = at;
  };
  for (const name of ["keydown", "pointerdown", "focusin"]) addEventListener(name, note, { capture: true });
  addEventListener("focusin", ({ target }) => {
    if (!(target instanceof Element) || !target.closest(DIALOG) || timer) return;
    follow(performance.now() + LONG);
  });
}

if (globalThis.document) watch(); // not where Node tests it
