// What Streamlit's elements are to who hears a page, where Streamlit does not say it: the links to the pages are a landmark,
// and the open one is the current one; a chart is one image with the sentence that its figure brings; its uploader is a
// section that says it has no role and has a name all the same; the parts of a page are named regions; what Retrieve finds
// is a list, and what came of a question or of a cell of Tune is told; a toast is named by its words; what scrolls a table
// is no stop of its own beside the table, whose arrows scroll it too. The page's HTML asks for this module
// (pages/ui/server/first_style.py).

import { keyedRole } from "./chart_keys.js";

const REGION = { role: "region", "aria-label": "Menu or help" };
const NO_REGION = { role: null, "aria-label": null };

/** Each kind of element, and what it is to have; null takes an attribute away.
 * @type {Record<string, (element: any, all: NodeListOf<Element>) => Record<string, string | null>>} */
const GIVEN = {
  'section[role="presentation"][aria-label]': () => ({ role: "group" }),
  ".st-key-pages": () => ({ role: "navigation", "aria-label": "Pages" }),
  ".st-key-strategy-links": () => ({ role: "navigation", "aria-label": "Strategies" }),
  ".st-key-pages a": (link, all) => ({ "aria-current": link === openOf([...all], location.pathname) ? "page" : null }),
  ".st-key-strategy-links a": (link) => ({ "aria-current": link.querySelector("strong") ? "page" : null }),
  "#stFloatingOverlayPortal": (portal) => (portal.childElementCount ? REGION : NO_REGION),
  ".stToast": (toast) => ({ "aria-label": toast.firstElementChild?.textContent ?? "", "aria-labelledby": null }),
  ".stMainMenuPopover": () => ({ role: "region", "aria-label": "Streamlit's menu" }),
  '[data-trigger="ComboBox"][data-rac]': (list) => ({ role: "region", "aria-label": choicesOf(list) }),
  ':is(.stSelectbox, .stMultiSelect) button[aria-haspopup="listbox"]': (button) => openerOf(button),
  ":is(.st-key-retrieve-told, .st-key-tune-told)": () => ({ role: "status" }),
  ":is(.st-key-left, .st-key-corpus-left, .st-key-tune-left)": () => ({ role: "region", "aria-label": "Settings" }),
  ".st-key-right": () => ({ role: "region", "aria-label": "Panels" }),
  ".st-key-tune-results": () => ({ role: "region", "aria-label": "Results" }),
  '[class*="st-key-retrieve-list-"]': () => ({ role: "list" }),
  '[class*="st-key-retrieve-card-"]': () => ({ role: "listitem" }),
  '[aria-label*="`"]': (field) => ({ "aria-label": spoken(field.getAttribute("aria-label")) }),
  ".stDataFrame .dvn-scroller": () => ({ tabindex: "-1" }),
  ".js-plotly-plot": (chart) => keyedRole(chart, chart.layout?.meta ?? null),
  ":is(.js-plotly-plot > *, #js-plotly-tester)": () => ({ "aria-hidden": "true" }),
};

/** Of the links to the pages the one to the open page. The home page's leads to "", at whatever path the app is served.
 * @template {{getAttribute: (name: string) => string | null}} T
 * @param {T[]} links
 * @param {string} path
 * @returns {T | undefined} */
export function openOf(links, path) {
  const name = path.replace(/\/$/, "").split("/").at(-1);
  const to = (link, wanted) => link.getAttribute("href") === wanted;
  return links.find((link) => to(link, name)) ?? links.find((link) => to(link, ""));
}

/** The name of an open list of choices, which stands outside of the page's landmarks.
 * @returns {string} */
function choicesOf(list) {
  return `Choices: ${list.querySelector('[role="listbox"]')?.getAttribute("aria-label") ?? ""}`;
}

/** A label of Markdown without the marks of its code, which nobody wants to hear.
 * @param {string} label */
function spoken(label) {
  return label.replaceAll("`", "");
}

/** The arrow of a list of choices says whose it is.
 * @returns {Record<string, string>} */
function openerOf(button) {
  const of = button.closest('[role="group"]')?.querySelector("input")?.getAttribute("aria-label");
  return of ? { "aria-label": `Open ${of}` } : {};
}

/** Gives every element below another its names and roles.
 * @param {ParentNode} root */
export function giveNamesAndRoles(root) {
  for (const [selector, given] of Object.entries(GIVEN)) {
    const all = root.querySelectorAll(selector);
    for (const element of all)
      for (const [attribute, value] of Object.entries(given(element, all))) give(element, attribute, value);
  }
}

function give(element, attribute, value) {
  if (element.getAttribute(attribute) === value) return;
  if (value === null) element.removeAttribute(attribute);
  else element.setAttribute(attribute, value);
}

/** Does so whenever something comes onto the page, once for each frame. */
function watch() {
  let waits = false;
  const look = () => {
    waits = false;
    giveNamesAndRoles(document);
  };
  new MutationObserver(() => {
    if (waits) return;
    waits = true;
    requestAnimationFrame(look);
  }).observe(document.body, { childList: true, subtree: true });
}

if (globalThis.document) watch(); // not where Node tests it
