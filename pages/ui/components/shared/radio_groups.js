// Tab into a row of choices goes to the chosen one, from above and from below, as with radio buttons anywhere; Streamlit's goes
// to the first or the last. The page's HTML asks for this module (pages/ui/server/first_style.py).

/** The choice that Tab leads to where it comes into a row from outside; null where it stays as it is.
 * @param {Element} to what has the focus now
 * @param {Element | null} from what had it
 * @returns {HTMLElement | null} */
export function chosenIn(to, from) {
  const row = to.closest?.('[role="radiogroup"]');
  if (!row || (from && row.contains(from))) return null;
  const chosen = /** @type {HTMLElement | null} */ (row.querySelector('[role="radio"][aria-checked="true"]'));
  return chosen === to ? null : chosen;
}

function watch() {
  let byTab = false;
  addEventListener("keydown", ({ key }) => (byTab = key === "Tab"), { capture: true });
  addEventListener("pointerdown", () => (byTab = false), { capture: true });
  addEventListener("focusin", ({ target, relatedTarget }) => {
    if (byTab && target instanceof Element) chosenIn(target, /** @type {Element | null} */ (relatedTarget))?.focus();
  });
}

if (globalThis.document) watch(); // not where Node tests it
