// Rows of choices behave as radio buttons anywhere: Tab goes to the chosen one, from above and from below, where Streamlit's
// goes to the first or the last; and an arrow key chooses what it comes to, where Streamlit's only goes there. The page's HTML
// asks for this module (pages/ui/server/first_style.py).

const REST = 250; // milliseconds: what arrows pass over is not chosen, which may be a page of work
const ARROWS = new Set(["ArrowLeft", "ArrowRight", "ArrowUp", "ArrowDown"]);
const ROW = '[role="radiogroup"]';

/** The choice that Tab leads to where it comes into a row from outside; null where it stays as it is.
 * @param {Element} to what has the focus now
 * @param {Element | null} from what had it
 * @returns {HTMLElement | null} */
export function chosenIn(to, from) {
  const row = to.closest?.(ROW);
  if (!row || (from && row.contains(from))) return null;
  const chosen = /** @type {HTMLElement | null} */ (row.querySelector('[role="radio"][aria-checked="true"]'));
  return chosen === to ? null : chosen;
}

/** Whether a key has gone from one choice of a row to another that is not chosen.
 * @param {string} key
 * @param {Element} to what has the focus now
 * @param {Element | null} from what had it */
export function goesToChoice(key, to, from) {
  const within = ARROWS.has(key) && from && to.closest?.(ROW)?.contains(from);
  return Boolean(within) && isOpen(to);
}

/** @param {Element} choice */
const isOpen = (choice) => choice.matches('[role="radio"][aria-checked="false"]');

function watch() {
  let last = "";
  let timer = 0;
  addEventListener("keydown", ({ key }) => (last = key), { capture: true });
  addEventListener(
    "pointerdown",
    () => {
      last = "";
      clearTimeout(timer);
    },
    { capture: true },
  );
  addEventListener("focusin", ({ target, relatedTarget }) => {
    if (!(target instanceof HTMLElement)) return;
    const from = /** @type {Element | null} */ (relatedTarget);
    if (last === "Tab") chosenIn(target, from)?.focus();
    if (!ARROWS.has(last)) return;
    clearTimeout(timer);
    if (goesToChoice(last, target, from)) timer = setTimeout(() => isOpen(target) && target.click(), REST);
  });
}

if (globalThis.document) watch(); // not where Node tests it
