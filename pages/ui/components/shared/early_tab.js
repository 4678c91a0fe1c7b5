// The first Tab before the link past the controls has come (skip_link.js): the link has the keyboard as soon as it is there,
// and not Streamlit's menu, which comes before it. The page's HTML asks for this module (pages/ui/server/first_style.py).

import { SKIP_LINK_CAME } from "./component.js";

let early = true; // whether no link has come yet, and nothing was done
let waits = false; // whether somebody waits for the link

/** @param {KeyboardEvent} event */
function pressed(event) {
  const { key, shiftKey, altKey, ctrlKey, metaKey } = event;
  waits = early && key === "Tab" && !(shiftKey || altKey || ctrlKey || metaKey);
  waits &&= document.activeElement === document.body;
  if (waits) event.preventDefault();
  early = false; // a second Tab goes where the browser leads
}

function left() {
  waits = early = false;
}

/** What is drawn first may be drawn anew, which takes the keyboard from it.
 * @param {any} event */
function came({ detail }) {
  detail.wanted = waits && document.activeElement === document.body;
  early = false;
}

if (globalThis.document) {
  addEventListener("keydown", pressed, { capture: true });
  addEventListener("pointerdown", left, { capture: true });
  document.addEventListener(SKIP_LINK_CAME, came);
}
