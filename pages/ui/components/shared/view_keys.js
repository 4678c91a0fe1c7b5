// The keys 1 to 6 choose Inspect's views, by the row of buttons over what is read.

import { leavesKeys } from "./page_keys.js";

export const VIEW_KEYS = ["1", "2", "3", "4", "5", "6"];

/** Chooses the view whose key was pressed; says whether there is one. The keyboard goes on beside what is shown then.
 * @param {KeyboardEvent} event */
export function viewByKey(event) {
  if (event.ctrlKey || event.altKey || event.metaKey || !leavesKeys(event.composedPath())) return false;
  const views = document.querySelectorAll(".st-key-reading button");
  const button = /** @type {HTMLElement | undefined} */ (views[VIEW_KEYS.indexOf(event.key)]);
  if (!button) return false;
  event.preventDefault();
  // Streamlit's row gives the keyboard to the button that had it last, once, where it comes from outside.
  for (let times = 0; times < 2 && document.activeElement !== button; times++) button.focus({ preventScroll: true });
  button.click();
  return true;
}
