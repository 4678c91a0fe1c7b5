// Which panel of the right side is open: kept for the browser session, and said on the page's root, where CSS reads it.

import { recalled, remember } from "../shared/browser_session.js";

const NAME = "panel";
/** Said on the document when somebody asks for a panel; its detail is {panel, focus}. */
export const WANTED = "chunkscope:panel";

/** The open panel among these, the first where none was opened yet.
 * @param {string[]} panels */
export function openPanel(panels) {
  const known = recalled(NAME);
  return known && panels.includes(known) ? known : panels[0];
}

/** @param {string} panel */
export function showPanel(panel) {
  document.documentElement.dataset.panel = panel;
}

/** @param {string} panel */
export function keepPanel(panel) {
  remember(NAME, panel);
  showPanel(panel);
}

/** Kept as well as said: who asks before the tabs have come finds the panel open when they come.
 * @param {string} panel
 * @param {{focus?: boolean}} [how] whether its tab is to have the focus */
export function askForPanel(panel, { focus = false } = {}) {
  remember(NAME, panel);
  document.dispatchEvent(new CustomEvent(WANTED, { detail: { panel, focus } }));
}
