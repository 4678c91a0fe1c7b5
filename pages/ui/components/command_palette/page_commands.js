// Commands that no component of ours answers for: the pages, the documents, and the controls that Streamlit draws, by the
// keys that we gave them.

import { goTo } from "../pane_edge/panes.js";
import { skipToSource } from "../shared/component.js";

/** @typedef {import("../shared/commands.js").Command} Command */
/** @typedef {{documents: [string, string][], document: string, controls: [string, string][], buttons: [string, string][],
 *   filters: [string, string][], strategies: [string, string][]}} Data
 * each a key with its words; `document` is the key of the one that is open */

/** @param {Data} data
 * @param {(kind: "document" | "filter" | "strategy", key: string) => void} take one of what Python chooses
 * @returns {Command[]} */
export function pageCommands(data, take) {
  return [
    ...buttons(data.buttons),
    ...views(),
    ...data.filters.map(([key, name]) => ({
      group: /** @type {const} */ ("View"),
      name,
      run: () => take("filter", key),
    })),
    ...pages(),
    ...documents(data, (key) => take("document", key)),
    ...settings(data.controls),
    ...data.strategies.map(([key, name]) => ({
      group: /** @type {const} */ ("Setting"),
      name,
      run: () => take("strategy", key),
    })),
  ];
}

/** @returns {Command[]} */
function buttons(keys) {
  return placed(keys).flatMap(([place, name]) => {
    const button = place.querySelector("button");
    return button && !button.disabled ? [{ group: "Action", name, run: () => press(button) }] : [];
  });
}

/** As by hand: the focus goes on from there.
 * @param {HTMLElement} button */
function press(button) {
  unfold(button);
  button.focus();
  button.click();
}

/** What a page can show or do, of which one is chosen: Inspect's views, Tune's two halves, one document or all in Compare.
 * @returns {Command[]} */
function views() {
  /** @type {NodeListOf<HTMLButtonElement>} */
  const choices = document.querySelectorAll(":is(.st-key-reading, .st-key-tune-view, .st-key-compare-scope) button");
  return [...choices].map((button) => ({
    group: "View",
    name: button.textContent ?? "",
    run: () => button.click(),
  }));
}

/** @returns {Command[]} */
function pages() {
  /** @type {NodeListOf<HTMLAnchorElement>} */
  const links = document.querySelectorAll(".st-key-nav a[href]");
  return [...links].map((link) => ({ group: "Page", name: link.textContent ?? "", run: () => link.click() }));
}

/** @returns {Command[]} */
function documents({ documents: known, document: open }, choose) {
  return known
    .filter(([key]) => key !== open)
    .map(([key, name]) => ({ group: "Document", name, run: () => toDocument(() => choose(key)) }));
}

/** The keyboard goes on in the source, be it still that of the document before.
 * @param {() => void} choose */
function toDocument(choose) {
  skipToSource(true);
  choose();
}

/** @returns {Command[]} */
function settings(keys) {
  const go = (place) => {
    unfold(place);
    goTo(place);
  };
  return placed(keys).map(([place, name]) => ({ group: "Setting", name, run: () => go(place) }));
}

/** Opens the line that stands for a page's further controls on a phone, where this is one of them.
 * @param {Element} place */
function unfold(place) {
  if (!place.getClientRects().length) document.querySelector("details.cs-more")?.setAttribute("open", "");
}

/** The places of these keys that are on the page, with their words.
 * @returns {[Element, string][]} */
function placed(keys) {
  return keys.flatMap(([key, name]) => {
    const place = document.querySelector(`.st-key-${key.replace(/[^\w-]/g, "-")}`);
    return place ? [[place, name]] : [];
  });
}

/** Closes Streamlit's menu, over which the palette would lie: its Escape would close the menu alone. */
export function closeMenu() {
  const menu = document.querySelector('button[aria-haspopup="menu"][aria-expanded="true"]');
  /** @type {HTMLElement | null} */ (menu)?.click();
}
