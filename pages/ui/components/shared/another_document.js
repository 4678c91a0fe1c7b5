// While Python works out another document, what is still of the one before looks like that from the first moment, and says
// so to a screen reader. Streamlit greys it only after a second and a half, beside a source that is new already.

import { onceRun, scriptRuns } from "./script_state.js";

const PARTS = ".st-key-rail, .st-key-strip, .st-key-right, .st-key-settings";
const LONGEST = 60_000; // milliseconds after which nothing more is waited for

/** Begins that, until the page's script has run to its end (layout/streamlit_dom.css). */
export function anotherDocument() {
  if (!scriptRuns()) return;
  const parts = [...document.querySelectorAll(PARTS)];
  const root = document.documentElement;
  const end = () => {
    clearTimeout(timer);
    ended();
    delete root.dataset.anotherDocument;
    for (const part of parts) part.removeAttribute("aria-busy");
  };
  const ended = onceRun(end);
  const timer = setTimeout(end, LONGEST);
  root.dataset.anotherDocument = "";
  for (const part of parts) part.setAttribute("aria-busy", "true");
}
