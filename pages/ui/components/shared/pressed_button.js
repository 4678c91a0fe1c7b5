// A button that was pressed by keyboard, or a section of the tree. What it does may disable it or take it away, which leaves the keyboard with nobody.
// Those of dialogs and popovers are theirs (dialogs.js, popovers.js).

import { focused } from "./focused.js";

const PRESSED = 'button, [role="treeitem"]';
const OTHERS = '[role="dialog"]';

/** @typedef {{leavesKeyboard: () => boolean, takeBack: () => boolean}} PressedButton */

/** The button that a click presses without a mouse: by Enter, by the space bar or from the palette.
 * @param {MouseEvent} click
 * @returns {PressedButton | null} */
export function pressedBy(click) {
  const button = focused();
  const byMouse = click.detail > 0;
  if (byMouse || !click.composedPath().includes(button) || !button.matches(PRESSED) || button.closest(OTHERS))
    return null;
  const place = keyOf(button);
  const number = place ? buttonsOf(place).indexOf(button) : -1;
  /** The same button, or what Streamlit has drawn in its place. */
  const again = () => (button.isConnected ? button : place && buttonsOf(place)[number]);
  return {
    leavesKeyboard: () => !document.querySelector(OTHERS),
    takeBack() {
      const now = again();
      if (!now || now.matches(":disabled")) return false;
      now.focus({ preventScroll: true });
      return true;
    },
  };
}

/** The key that Python gave to the element that a button stands in.
 * @param {HTMLElement} button */
function keyOf(button) {
  const place = button.closest('[class*="st-key-"]');
  return [...(place?.classList ?? [])].find((each) => each.startsWith("st-key-")) ?? "";
}

/** @param {string} place
 * @returns {HTMLElement[]} */
function buttonsOf(place) {
  return [.../** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll(`.${CSS.escape(place)} button`))];
}
