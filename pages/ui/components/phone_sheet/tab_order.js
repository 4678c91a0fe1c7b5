// On a phone Inspect is one column in another order than its elements: the settings stand below all else, and the sheet lies
// under the source. From the last field of a part Tab goes to the part that is seen below it, Shift and Tab the other way.

import { focused } from "../shared/focused.js";
import { overlayIsOpen } from "../shared/open_dialog.js";
import { hasSheet } from "./sheet.js";

const PARTS = ["chosen", "strip", "below-strip", "curve", "source", "right", "settings"].map((key) => `.st-key-${key}`);
const SHEET = ".st-key-rail";
const STOPS =
  "a[href], button:not(:disabled), input:not(:disabled, [type=hidden]), select:not(:disabled), textarea:not(:disabled), " +
  "summary, iframe, [tabindex]";

/** Where a key leads that leaves a part at its end: a stop of the next part that has any; null where Tab leaves none, or
 * there is none before it; "out" behind the last.
 * @template T
 * @param {T[][]} parts the stops of each, from the top of the page to its end
 * @param {T} from
 * @param {boolean} back
 * @returns {T | "out" | null} */
export function stopAcross(parts, from, back) {
  const full = parts.filter((stops) => stops.length);
  const at = full.findIndex((stops) => stops.at(back ? 0 : -1) === from);
  if (at < 0 || (back && at === 0)) return null;
  return back ? /** @type {T} */ (full[at - 1].at(-1)) : (full[at + 1]?.[0] ?? "out");
}

/** Leads Tab from part to part; returns what ends that. */
export function keepsTabOrder() {
  document.addEventListener("keydown", step);
  return () => document.removeEventListener("keydown", step);
}

/** @param {KeyboardEvent} event */
function step(event) {
  const plain = event.key === "Tab" && !event.ctrlKey && !event.metaKey && !event.altKey;
  if (!plain || event.defaultPrevented || !hasSheet() || overlayIsOpen()) return;
  const parts = inOrder().map(stopsIn);
  const to = stopAcross(parts, focused(), event.shiftKey);
  if (to === "out") {
    // From the last stop of the page's elements the browser goes on itself, out of the page.
    const last = [...document.querySelectorAll(".st-key-right")].flatMap(stopsIn).at(-1);
    return last?.focus({ preventScroll: true });
  }
  if (!to) return;
  event.preventDefault();
  to.focus();
}

/** The parts as they are seen, from the top; the sheet behind the source, under which it lies. */
function inOrder() {
  const parts = [...document.querySelectorAll(PARTS.join())].sort((one, other) => topOf(one) - topOf(other));
  const sheet = document.querySelector(SHEET);
  if (sheet) parts.splice(parts.findIndex((part) => part.matches(".st-key-source")) + 1, 0, sheet);
  return parts;
}

/** @param {Element} part */
const topOf = (part) => part.getBoundingClientRect().top;

/** Where Tab stops in a part, in the order of its elements, also in components.
 * @param {Element | ShadowRoot} part
 * @returns {HTMLElement[]} */
function stopsIn(part) {
  return [...part.querySelectorAll("*")].flatMap((each) => {
    const element = /** @type {HTMLElement} */ (each);
    const stops =
      element.tabIndex >= 0 && element.matches(STOPS) && element.checkVisibility({ visibilityProperty: true });
    return [...(stops ? [element] : []), ...(element.shadowRoot ? stopsIn(element.shadowRoot) : [])];
  });
}
