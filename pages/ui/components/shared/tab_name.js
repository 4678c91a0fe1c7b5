// Gives this tab of the browser a name, by which the server knows it again after a reload: what was chosen on other pages
// comes back then (pages/ui/state/left_pages.py). The page's HTML asks for this module.

import { recalled, remember } from "./browser_session.js";

const KEPT = "tab";
const COOKIE = "chunkscope-tab";
const AGAIN = ".reloaded";

/** What the server is told of a tab: its name and, where a page was loaded again, that.
 * @param {string} name
 * @param {string | undefined} how the page was loaded, as the browser calls it */
export const said = (name, how) => (how === "reload" ? name + AGAIN : name);

function tell() {
  const name =
    recalled(KEPT) ?? Array.from(crypto.getRandomValues(new Uint32Array(3)), (each) => each.toString(36)).join("");
  remember(KEPT, name);
  const [loaded] = /** @type {PerformanceNavigationTiming[]} */ (performance.getEntriesByType("navigation"));
  // biome-ignore lint/suspicious/noDocumentCookie: the server has to know it when the session begins
  document.cookie = `${COOKIE}=${said(name, loaded?.type)}; path=/; SameSite=Strict`;
}

if (globalThis.document) tell();
