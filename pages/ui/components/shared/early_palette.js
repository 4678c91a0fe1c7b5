// Ctrl+K before the command palette has come: it opens as soon as it is there, with what was typed since. Letters that were
// meant for it do nothing else meanwhile. The page's HTML asks for this module (pages/ui/server/first_style.py).

import { asksForPalette, CAME, WENT } from "./palette_keys.js";

const LONG = 15_000; // milliseconds in which it comes

/** What was typed for the palette; null where nobody has asked for it. @type {string | null} */
let typed = null;
let asked = 0;
let there = 0; // palettes: the next page's may come before the last one's has gone

/** @param {KeyboardEvent} event */
function early(event) {
  if (there > 0) return;
  if (performance.now() - asked > LONG) typed = null;
  const { key } = event;
  if (asksForPalette(event)) [typed, asked] = [typed === null ? "" : null, performance.now()];
  else if (typed === null || event.ctrlKey || event.metaKey || event.altKey) return;
  else if (key === "Escape" || key === "Tab") typed = null;
  else if (key === "Backspace") typed = typed.slice(0, -1);
  else if (key.length === 1) typed += key;
  event.preventDefault();
  event.stopImmediatePropagation();
}

/** @param {any} event */
function came({ detail }) {
  if (performance.now() - asked <= LONG) detail.typed = typed;
  typed = null;
  there += 1;
}

if (globalThis.document) {
  addEventListener("keydown", early, { capture: true });
  document.addEventListener(CAME, came);
  document.addEventListener(WENT, () => {
    there -= 1;
  });
}
