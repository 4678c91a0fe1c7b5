// How wide the panes at the sides of the page are, and which are hidden: kept for the browser session, and said on the
// page's root, where CSS reads it.

import { recalled, remember } from "../shared/browser_session.js";

/** Said on the document when a pane is to be hidden or shown; its detail is the pane's name. */
export const TOGGLED = "chunkscope:pane";

/** @param {string} name */
export function togglePane(name) {
  document.dispatchEvent(new CustomEvent(TOGGLED, { detail: name }));
}

/** @param {string} name
 * @returns {{width: number, hidden: boolean}} width 0 where nobody has chosen one */
export function paneKept(name) {
  return { width: Number(recalled(`${name}-width`)) || 0, hidden: recalled(`${name}-hidden`) === "yes" };
}

/** @param {string} name
 * @param {{width: number, hidden: boolean}} pane */
export function showPane(name, { width, hidden }) {
  const root = document.documentElement;
  root.style.setProperty(`--cs-${name}`, `${width}px`);
  root.classList.toggle(`cs-no-${name}`, hidden);
}

/** @param {string} name
 * @param {{width: number, hidden: boolean}} pane */
export function keepPane(name, { width, hidden }) {
  remember(`${name}-width`, String(width));
  remember(`${name}-hidden`, hidden ? "yes" : "no");
}

/** @param {string} name */
export function isPaneHidden(name) {
  return document.documentElement.classList.contains(`cs-no-${name}`);
}

/** Shows the settings where they are hidden and an element of the page is in them.
 * @param {Element} element */
export function reveal(element) {
  if (isPaneHidden("settings") && element.closest(".st-key-left")) togglePane("settings");
}

/** What explains a field comes before it, and is none; nor is the way back from the settings, which stands above them. */
const FIELDS = "input:not([type=hidden]), textarea, button:not([aria-label^='Help for'], .cs-back), [tabindex='0']";

/** Puts the keyboard into the first field of a place, and shows the pane that it is in.
 * @param {Element} place */
export function goTo(place) {
  const root = place.getRootNode();
  const outside = root instanceof ShadowRoot ? root.host : place;
  reveal(outside);
  requestAnimationFrame(() => {
    place.scrollIntoView({ block: "nearest" });
    firstField(place)?.focus();
  });
}

/** The first field of a place that is drawn: Streamlit has some buttons twice, for wide and for narrow.
 * @param {Element} place
 * @returns {HTMLElement | undefined} */
export function firstField(place) {
  const fields = place.matches(FIELDS) ? [place] : [...place.querySelectorAll(FIELDS)];
  return /** @type {HTMLElement | undefined} */ (fields.find((each) => each.getClientRects().length));
}
