// A popover of Streamlit's that was opened by keyboard takes the focus to its first field, and Tab goes round in it until
// Escape closes it: Streamlit draws it at the page's end and leaves the focus on its button. One that Python closes gives the
// focus back to its button, and one that was closed stays so. The page's HTML asks for this module (pages/ui/server/first_style.py).

import { focused } from "./focused.js";

const CLOSED = 'button[aria-haspopup="dialog"][aria-expanded="false"]';
const BUTTON = 'button[aria-haspopup="dialog"][aria-expanded="true"]';
const BODY = '[role="dialog"][data-st-overlay-root]:not([aria-modal])';
const COMING = ".stSkeleton";
const QUIET = 120; // milliseconds in which nothing more has come
const LONG_QUIET = 1_500; // the same, after which no more comes
const OFTEN = 100; // milliseconds between two looks whether a popover is gone
const AT_ONCE = 20; // milliseconds in which Escape closes it
const LATE = 2_000; // milliseconds in which the answer to its opening comes
const LONG = 15_000; // milliseconds in which Python closes it
const FIELDS = 'a[href], button, input, select, summary, textarea, [tabindex="0"]';

/** What Tab stops at in an element, in its order, also in the components in it.
 * @param {ParentNode} root
 * @returns {HTMLElement[]} */
export function stops(root) {
  const found = [];
  for (const each of /** @type {NodeListOf<HTMLElement>} */ (root.querySelectorAll("*"))) {
    if (each.matches(FIELDS) && each.tabIndex >= 0 && !each.matches(":disabled") && seen(each)) found.push(each);
    if (each.shadowRoot) found.push(...stops(each.shadowRoot));
  }
  return found;
}

/** The stop to begin at: what explains a field comes before it, and is no field.
 * @template {{getAttribute: (name: string) => string | null}} T
 * @param {T[]} found
 * @returns {T | null} */
export function firstOf(found) {
  return found.find((each) => !each.getAttribute("aria-label")?.startsWith("Help for ")) ?? null;
}

/** Where Tab leads from a stop, round and round.
 * @template T
 * @param {T[]} found
 * @param {T} from
 * @param {boolean} back
 * @returns {T | undefined} nothing where the browser leads on by itself */
export function nextStop(found, from, back) {
  return from === found.at(back ? 0 : -1) ? found.at(back ? -1 : 0) : undefined;
}

function seen(element) {
  return element.getClientRects().length > 0 && getComputedStyle(element).visibility === "visible";
}

/** Takes the focus into the popover when all of it has come, unless somebody goes elsewhere before. A button that is drawn
 * anew meanwhile leaves the focus with nobody.
 * @param {Element} button */
function enter(button) {
  let timer = 0;
  let heard = 0;
  let placed = /** @type {HTMLElement | null} */ (null);
  const end = () => {
    clearTimeout(timer);
    watching.disconnect();
    removeEventListener("keydown", end, { capture: true });
    removeEventListener("pointerdown", end, { capture: true });
  };
  const look = () => {
    const body = /** @type {HTMLElement | null} */ (document.querySelector(BODY));
    const at = focused();
    if (at !== (placed ?? button) && at !== document.body) return end();
    if (!body || !openButton() || body.querySelector(COMING)) return;
    const first = firstOf(stops(body));
    const rested = performance.now() - heard >= LONG_QUIET;
    if (first || rested) {
      if (!body.hasAttribute("tabindex")) body.tabIndex = -1;
      const place = first ?? body; // what has no field says something
      if (place !== placed) place.focus({ preventScroll: true });
      placed = place;
    }
    if (rested) end();
    else wait(first ? LONG_QUIET : QUIET); // on a busy machine a field may come that stands before it
  };
  const wait = (time) => {
    timer = setTimeout(look, time);
  };
  const later = () => {
    clearTimeout(timer);
    heard = performance.now();
    wait(QUIET);
  };
  const watching = new MutationObserver(later);
  watching.observe(document.body, { childList: true, subtree: true });
  addEventListener("keydown", end, { capture: true });
  addEventListener("pointerdown", end, { capture: true });
  later();
}

let looking = 0;

/** Gives the focus back to a popover's button when what was pressed in it has closed it, and nothing else takes the focus:
 * on Escape Streamlit gives it to the first of its two buttons, which a phone does not show.
 * What is pressed may also be gone, with the popover open: the focus is its first field's then.
 * @param {HTMLElement | null} button
 * @param {number} until */
function giveBack(button, until) {
  const open = /** @type {HTMLElement | null} */ (document.querySelector(BODY));
  const place = open ? (firstOf(stops(open)) ?? open) : button;
  if (document.activeElement === document.body) place?.focus({ preventScroll: true });
  const goes = performance.now() < until && (open || document.activeElement === document.body);
  looking = goes ? setTimeout(giveBack, OFTEN, button, until) : 0;
}

let closing = 0;

/** Keeps a popover closed that Escape has closed: Streamlit opens it again where the answer to its opening comes after that.
 * @param {HTMLElement} button
 * @param {number} until */
function keepClosed(button, until) {
  if (document.querySelector(BODY)) button.click();
  closing = performance.now() < until ? setTimeout(keepClosed, OFTEN, button, until) : 0;
}

/** Escape may also close a list in the popover, which then stays open.
 * @param {HTMLElement} button */
function closedByEscape(button) {
  const watching = new MutationObserver(() => {
    if (document.querySelector(BODY)) return;
    watching.disconnect();
    closing = setTimeout(keepClosed, OFTEN, button, performance.now() + LATE);
  });
  watching.observe(document.body, { childList: true, subtree: true });
  setTimeout(() => watching.disconnect(), AT_ONCE);
}

function openButton() {
  return /** @type {HTMLElement[]} */ ([...document.querySelectorAll(BUTTON)]).find(seen) ?? null;
}

function watch() {
  addEventListener(
    "click",
    (event) => {
      const byKeyboard = event.detail === 0; // also what the palette presses
      if (!byKeyboard || !(event.target instanceof Element)) return;
      const button = event.target.closest(CLOSED);
      if (button) enter(button);
    },
    { capture: true },
  );
  addEventListener(
    "keydown",
    ({ key }) => {
      const button = key === "Escape" && document.querySelector(BODY) ? openButton() : null;
      if (button) closedByEscape(button);
      else if (key !== "Escape") clearTimeout(closing); // whoever presses something else may open it
    },
    { capture: true },
  );
  addEventListener("pointerdown", () => clearTimeout(closing), { capture: true });
  for (const name of ["keydown", "pointerdown"]) {
    addEventListener(
      name,
      (event) => {
        clearTimeout(looking);
        const presses = event instanceof KeyboardEvent && ["Enter", " ", "Escape"].includes(event.key);
        if (!presses || !document.querySelector(BODY)?.contains(document.activeElement)) return;
        looking = setTimeout(giveBack, OFTEN, openButton(), performance.now() + LONG);
      },
      { capture: true },
    );
  }
  addEventListener(
    "keydown",
    (event) => {
      const body = event.key === "Tab" && document.querySelector(BODY);
      if (!body || event.altKey || event.ctrlKey || event.metaKey) return;
      const from = focused();
      const inside = body.contains(document.activeElement);
      const onButton = !event.shiftKey && from.matches(BUTTON);
      if (!inside && !onButton) return;
      const found = stops(body);
      if (inside && !found.length) openButton()?.focus(); // and on from there
      const next = onButton ? firstOf(found) : nextStop(found, from, event.shiftKey);
      if (!next) return;
      event.preventDefault();
      next.focus();
    },
    { capture: true },
  );
}

if (globalThis.document) watch(); // not where Node tests it
