// The keys of what is read on the page, also where they are pressed outside of it: nothing has the focus, or something that
// takes no text and has no use for a letter, such as a button. Who speaks to the page may want them off: a spoken word is
// typed as letters.

import { recalled, remember } from "./browser_session.js";
import { overlayIsOpen } from "./open_dialog.js";

const KEPT = "page-keys";
const ROLES = [
  ...["application", "combobox", "searchbox", "spinbutton", "textbox", "slider"],
  ...["listbox", "option", "menu", "menubar", "menuitem", "tab", "grid", "gridcell", "tree", "treeitem", "dialog"],
];
const USES_KEYS = ["input", "textarea", "select", "dialog", ...ROLES.map((role) => `[role="${role}"]`)].join(", ");

/** Whether what has the focus leaves letters to the page.
 * @param {EventTarget[]} path from what has the focus outwards */
export function leavesKeys(path) {
  return !path.some((each) => {
    const element = /** @type {HTMLElement} */ (each);
    return Boolean(element.isContentEditable || element.matches?.(USES_KEYS));
  });
}

/** Whether keys work outside of what is read. */
export const workOnPage = () => recalled(KEPT) !== "off";

/** @param {boolean} work */
export const letWorkOnPage = (work) => remember(KEPT, work ? "on" : "off");

/** Hears a key that nothing else on the page takes; returns what ends that.
 * @param {string[]} keys
 * @param {(event: KeyboardEvent) => void} act */
export function hearsPageKeys(keys, act) {
  const hear = (event) => {
    if (event.defaultPrevented || event.isComposing || !keys.includes(event.key) || !workOnPage()) return;
    if (leavesKeys(event.composedPath()) && !overlayIsOpen()) act(event);
  };
  document.addEventListener("keydown", hear);
  return () => document.removeEventListener("keydown", hear);
}
