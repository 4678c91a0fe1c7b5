// Commands that no component of ours answers for: the pages, the documents, and the controls that Streamlit draws, by the
// keys that we gave them.

import { goTo } from "../pane_edge/panes.js";
import { askForPanel } from "../panel_tabs/open_panel.js";
import { skipToSource } from "../shared/component.js";
import { focused } from "../shared/focused.js";
import { offeredChanges } from "../shared/offered_changes.js";
import { VIEW_KEYS } from "../shared/view_keys.js";

/** @typedef {import("../shared/commands.js").Command} Command */
/** @typedef {{name: string, also: string, panel: string, page: string, last: boolean}} Listed `panel` is the one it stands
 * in; `page` the title of that which has it, where others lead there */
/** @typedef {{documents: [string, string][], document: string, controls: [string, Listed][], buttons: [string, Listed][],
 *   filters: [string, string][], strategies: [string, Listed][]}} Data
 * each a key with its words; `document` is the key of the one that is open */

/** Other words by which a page is found. */
const PAGE_WORDS = {
  Inspect: "source chunks boundaries why",
  Corpus: "folder all documents overrides",
  Compare: "configs side by side difference",
  Tune: "find for a goal best config sweep settings optimise optimize",
  Retrieve: "questions search ask answers evaluate evaluation leaderboard",
  Strategies: "documentation explanation how they work",
};
/** Tune's two halves (pages/ui/tune/layout.py), with other words by which they are found. */
const TUNE_VIEWS = { "Sweep settings": "range grid heatmap", "Find for a goal": "best config optimise optimize" };
const OFTEN = 100; // milliseconds between two looks for what another page has
const LONG = 20_000; // milliseconds in which it comes

/** @param {Data} data
 * @param {(kind: "document" | "filter" | "strategy", key: string) => void} take one of what Python chooses
 * @returns {Command[]} */
export function pageCommands(data, take) {
  return [
    ...buttons(data.buttons),
    ...changes(),
    ...menu(),
    ...views(),
    ...data.filters.map(([key, name]) => ({
      group: /** @type {const} */ ("View"),
      name,
      run: () => take("filter", key),
    })),
    ...pages(),
    ...documents(data, (key) => take("document", key)),
    ...settings(data.controls),
    ...data.strategies.map(([key, { name, also, last }]) => ({
      group: /** @type {const} */ ("Setting"),
      ...{ name, also, last },
      run: () => {
        const box = focused().closest(".rail") && placeOf("strategy"); // as these thresholds go
        if (box) goTo(box);
        take("strategy", key);
      },
    })),
  ];
}

/** @returns {Command[]} */
function buttons(keys) {
  return keys.flatMap(([key, listed]) => {
    const { name, also, panel, page } = listed;
    const button = buttonOf(key);
    if (button) return button.disabled ? [] : [{ group: "Action", name, also, run: () => press(button, panel) }];
    if (!linkTo(page) || openPage() === page) return [];
    return [{ group: "Action", name, also, hint: `in ${page}`, run: () => lead(() => buttonOf(key), listed) }];
  });
}

/** What the panel offers first for the selected chunk or text, in the words of its buttons.
 * @returns {Command[]} */
function changes() {
  return offeredChanges().map(({ says, button, drawback }) => ({
    group: "Action",
    name: `${says}: ${button.textContent}`,
    also: "delete merge join chunks table code list cut torn left out why it ends here",
    hint: drawback ? "has a drawback" : "",
    run: () => press(button, "chunk"),
  }));
}

/** As by hand: the focus goes on from there.
 * @param {HTMLElement} button
 * @param {string} panel the one that it stands in */
function press(button, panel) {
  if (panel) askForPanel(panel, { focus: true });
  unfold(button);
  button.focus();
  button.click();
}

/** On to the page that has the button, which is pressed as soon as it is there.
 * @param {() => HTMLButtonElement | null | undefined} find
 * @param {Pick<Listed, "panel" | "page">} listed */
function lead(find, { panel, page }) {
  linkTo(page)?.click();
  const until = performance.now() + LONG;
  let there = false;
  const look = () => {
    if (there && openPage() !== page) return; // somebody went on
    there ||= openPage() === page;
    const button = there ? find() : null;
    if (button && !button.disabled) press(button, panel);
    else if (performance.now() < until) setTimeout(look, OFTEN);
  };
  look();
}

/** Streamlit's menu, which has what is chosen of the app's looks.
 * @returns {Command[]} */
function menu() {
  /** @type {HTMLButtonElement | null} */
  const button = document.querySelector(".stMainMenu button");
  const name = "Theme: light, dark or the system's";
  const also = "colours colors appearance mode main menu settings print";
  return button ? [{ group: "Action", name, also, hint: "in the menu", run: () => press(button, "") }] : [];
}

/** What a page can show or do, of which one is chosen: Inspect's views, Tune's two halves, one document or all in Compare.
 * @returns {Command[]} */
function views() {
  /** @type {NodeListOf<HTMLButtonElement>} */
  const choices = document.querySelectorAll(":is(.st-key-reading, .st-key-tune-view, .st-key-compare-scope) button");
  const here = [...choices].map((button, index) => ({
    group: /** @type {const} */ ("View"),
    name: button.textContent ?? "",
    hint: button.closest(".st-key-reading") ? VIEW_KEYS[index] : "",
    run: () => {
      button.focus(); // beside what is shown then
      button.click();
    },
  }));
  return openPage() === "Tune" || !linkTo("Tune") ? here : [...here, ...Object.entries(TUNE_VIEWS).map(inTune)];
}

/** @returns {Command} */
function inTune([name, also]) {
  const find = () => tuneViews().find((button) => button.textContent === name);
  return { group: "View", name, also, hint: "in Tune", run: () => lead(find, { panel: "", page: "Tune" }) };
}

/** @returns {HTMLButtonElement[]} */
function tuneViews() {
  return [...document.querySelectorAll(".st-key-tune-view button")].map(
    (each) => /** @type {HTMLButtonElement} */ (each),
  );
}

/** @returns {Command[]} */
function pages() {
  /** @type {NodeListOf<HTMLAnchorElement>} */
  const links = document.querySelectorAll(".st-key-nav a[href]");
  return [...links].map((link) => {
    const name = titleOf(link);
    return { group: "Page", name, also: PAGE_WORDS[name] ?? "", run: () => link.click() };
  });
}

/** @param {string} title
 * @returns {HTMLAnchorElement | undefined} */
function linkTo(title) {
  /** @type {NodeListOf<HTMLAnchorElement>} */
  const links = document.querySelectorAll(".st-key-nav a[href]");
  return [...links].find((link) => titleOf(link) === title);
}

/** The title of the page that is open. */
const openPage = () => titleOf(document.querySelector(".st-key-nav a[aria-current]"));

/** @param {Element | null} link */
const titleOf = (link) => link?.textContent?.trim() ?? "";

/** @param {Data} data
 * @param {(key: string) => void} choose
 * @returns {Command[]} */
function documents({ documents: known, document: open }, choose) {
  return known.map(([key, name]) => ({
    group: /** @type {const} */ ("Document"),
    name,
    ...(key === open ? { hint: "open now", idle: true } : {}),
    run: () => toDocument(() => choose(key)),
  }));
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
  return keys.flatMap(([key, { name, also }]) => {
    const place = placeOf(key);
    return place ? [{ group: "Setting", name, also, run: () => go(place) }] : [];
  });
}

/** Opens the line that stands for a page's further controls on a phone, where this is one of them.
 * @param {Element} place */
function unfold(place) {
  if (!place.getClientRects().length) document.querySelector("details.cs-more")?.setAttribute("open", "");
}

/** What has this key on the page.
 * @param {string} key */
const placeOf = (key) => document.querySelector(`.st-key-${key.replace(/[^\w-]/g, "-")}`);

/** @param {string} key */
const buttonOf = (key) => placeOf(key)?.querySelector("button");

/** Closes Streamlit's menu, over which the palette would lie: its Escape would close the menu alone. */
export function closeMenu() {
  const menu = document.querySelector('button[aria-haspopup="menu"][aria-expanded="true"]');
  /** @type {HTMLElement | null} */ (menu)?.click();
}
