// A click on a closed list of choices selects the text in it, as Tab does: what is typed then takes its place, and the list
// is filtered by that alone. The page's HTML asks for this module (pages/ui/server/first_style.py).

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
}
