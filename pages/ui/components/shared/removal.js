// The first change that Inspect offers against the boundary at the end of the selected chunk (pages/ui/inspect/what_if.py): a
// key goes to it, and the command palette takes it.

const SEARCHING = '[class*="st-key-searching-"] p'; // what is offered is then of the boundary before
const FIRST = '[class*="st-key-take-gone-"] button';

/** Its button; null where nothing is offered, or cannot be taken just now.
 * @returns {HTMLButtonElement | null} */
export function firstRemoval() {
  const place = document.querySelector(".st-key-what-if");
  /** @type {HTMLButtonElement | null | undefined} */
  const button = place?.querySelector(SEARCHING) ? null : place?.querySelector(FIRST);
  return button && !button.disabled ? button : null;
}

/** Whether something speaks against it.
 * @param {HTMLButtonElement} button */
export function hasDrawback(button) {
  return Boolean(button.closest('[class*="st-key-gone-"]')?.querySelector(".cs-drawback"));
}
