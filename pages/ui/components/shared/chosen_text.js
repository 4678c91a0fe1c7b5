// A click on a closed list of choices selects the text in it, as Tab does: what is typed then takes its place, and the list
// is filtered by that alone. Of a choice that says more than its title, the title is what the field shows. Undo is the page's
// there unless something is typed. The page's HTML asks for this module (pages/ui/server/first_style.py).

import { COMMITTED } from "./committed.js";

const FIELD = '.stSelectbox input[role="combobox"]';

if (globalThis.document) {
  /** @type {HTMLInputElement | null} */
  let pressed = null;
  addEventListener(
    "pointerdown",
    ({ target, pointerType, button }) => {
      const field = target instanceof Element && pointerType === "mouse" && button === 0 ? target.closest(FIELD) : null;
      pressed = field instanceof HTMLInputElement && field !== document.activeElement ? field : null;
    },
    { capture: true },
  );
  addEventListener("click", ({ target }) => {
    const marked = pressed?.selectionStart !== pressed?.selectionEnd; // by a drag over it
    if (pressed && pressed === target && !marked) pressed.select();
    pressed = null;
  });
  // What is behind the title (layout/strategy_choice.py) is longer than the field, which would scroll to its end.
  const showTitle = ({ target }) => {
    const field = target instanceof Element ? target.closest(FIELD) : null;
    if (!(field instanceof HTMLInputElement) || !field.value.includes("\t")) return;
    requestAnimationFrame(() => {
      if (field.value.includes("\t")) field.scrollLeft = 0;
    });
  };
  const taken = ({ target, key = "Enter" }) => {
    if (target instanceof Element && target.matches(FIELD) && key === "Enter") target.setAttribute(COMMITTED, "");
  };
  for (const name of ["focusin", "keydown"]) addEventListener(name, taken, { capture: true });
  addEventListener("input", ({ target }) => target instanceof Element && target.removeAttribute(COMMITTED), true);
  for (const name of ["focusin", "keydown", "keyup", "click"]) addEventListener(name, showTitle, { capture: true });
}
