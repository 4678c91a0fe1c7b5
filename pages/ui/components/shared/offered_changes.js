// The changes that Inspect offers for what is selected (pages/ui/inspect/what_if.py, keep_offers.py): a key goes to the first,
// and the command palette takes it.

const PLACES = ".st-key-what-if, .st-key-keep-offers";
const SEARCHING = '[class*="st-key-searching-"] p'; // what is offered is then of the boundary before
/** What they are for, in the order of the panel, with the first part of their keys. */
const KINDS = /** @type {const} */ ({
  whole: "Keep this block whole",
  "left-out": "Keep this text",
  gone: "Remove this boundary",
});

/** @typedef {{says: string, button: HTMLButtonElement, drawback: boolean}} Offered what it is for, its button, and whether
 * something speaks against it */

/** The first change of each kind; those that cannot be taken just now are left out.
 * @returns {Offered[]} */
export function offeredChanges() {
  const place = document.querySelector(PLACES);
  if (!place || place.querySelector(SEARCHING)) return [];
  return Object.entries(KINDS).flatMap(([kind, says]) => {
    /** @type {HTMLButtonElement | null} */
    const button = place.querySelector(`[class*="st-key-take-${kind}-"] button`);
    if (!button || button.disabled) return [];
    const offer = button.closest(`[class*="st-key-${kind}-"]`);
    return [{ says, button, drawback: Boolean(offer?.querySelector(".cs-drawback")) }];
  });
}
