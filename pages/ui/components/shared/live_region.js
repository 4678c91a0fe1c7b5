// The one place on the page in which a screen reader hears what tell.js says: it has to be there before anything is said.
// The page's HTML asks for this module (pages/ui/server/first_style.py).

import { TOLD, tell } from "./tell.js";

const EMPTY = 60; // milliseconds: the same words are heard again only when they were gone
const STAYS = 5_000; // milliseconds after which nobody comes upon them
const UNSEEN =
  "position:fixed;left:0;top:0;width:1px;height:1px;overflow:hidden;clip-path:inset(50%);white-space:nowrap";

/** Two things that are told at almost the same time; one that is told twice is said once.
 * @param {string} first
 * @param {string} second */
export function inTurn(first, second) {
  if (!first || !second || first === second) return second || first;
  return /[.!?…]$/.test(first) ? `${first} ${second}` : `${first}. ${second}`;
}

function watch() {
  let timer = 0;
  let waiting = ""; // what is to be said in a moment: what comes before that is said behind it
  const region = document.createElement("div");
  region.setAttribute("role", "status");
  region.dataset.liveAnnouncer = "true"; // what lies under a dialog is hidden from a screen reader, and this is not
  region.style.cssText = UNSEEN;
  document.body.append(region);
  const say = (words) => {
    waiting = "";
    region.textContent = words;
    timer = words ? setTimeout(say, STAYS, "") : 0;
  };
  document.addEventListener(TOLD, (event) => {
    clearTimeout(timer);
    region.textContent = "";
    waiting = inTurn(waiting, /** @type {CustomEvent} */ (event).detail);
    timer = setTimeout(say, EMPTY, waiting);
  });
}

/** What comes with words to be told (layout/markup.py): an element that is a status itself is often not heard when it
 * comes with its words in it. */
function tellArrivals() {
  const seen = (node) => {
    if (!(node instanceof Element)) return;
    const element = node.matches("[data-tell]") ? node : node.querySelector("[data-tell]");
    if (element) tell(element.getAttribute("data-tell") ?? "");
  };
  const arrivals = new MutationObserver((changes) => {
    for (const { addedNodes } of changes) addedNodes.forEach(seen);
  });
  arrivals.observe(document.body, { childList: true, subtree: true });
}

// Not where Node tests it.
if (globalThis.document) {
  tellArrivals();
  watch();
}
