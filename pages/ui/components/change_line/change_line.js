// One line that says what a change did, with a button that undoes it. What was pressed for the change is gone by then: the
// keyboard goes on here, unless somebody has gone elsewhere with it.

import { isSeen, make, mounted, skipToSource } from "../shared/component.js";
import { focused } from "../shared/focused.js";
import { tell } from "../shared/tell.js";

const OFFERS = ":is(.st-key-chunk, .st-key-move-offers)"; // the panel, and what is found for a boundary that was moved
const LEFT = `body, ${OFFERS} *`; // where the keyboard is after a press there

const ACTS = ["pointerdown", "keydown", "click"];

class ChangeLine {
  /** @type {(name: string, value: unknown) => void} */
  trigger = () => {};

  /** Whether the last that was done is a press on an offer: where its answer takes long, the source has the keyboard by then
   * (arrivals_by_key.js). */
  pressed = false;

  constructor(parent) {
    this.root = make("div", "change", parent, { tabindex: "-1" });
    this.line = make("p", "", this.root, { role: "status" });
    this.button = make("button", "", this.root, { type: "button", hidden: "" });
    this.button.textContent = "Undo";
    this.button.addEventListener("click", () => {
      this.root.focus({ preventScroll: true }); // the button goes
      this.trigger("undone", true);
    });
    this.hears = ({ type, target }) => {
      this.pressed = type === "click" && target.closest?.(OFFERS) !== null;
    };
    for (const name of ACTS) addEventListener(name, this.hears, { capture: true });
  }

  /** @param {any} component */
  receive({ data, setTriggerValue }) {
    if (!data) return;
    this.trigger = setTriggerValue;
    this.button.hidden = !data.undoable;
    if (data.words === this.line.textContent) return;
    this.line.textContent = data.words;
    if (data.words && !isSeen(this.root)) tell(data.words); // another panel is open
    if (!data.words && this.root.contains(focused())) skipToSource(true); // it has no height any more
    if (data.words && (this.pressed || focused().matches(LEFT))) (data.undoable ? this.button : this.root).focus();
  }

  destroy() {
    for (const name of ACTS) removeEventListener(name, this.hears, { capture: true });
    this.root.remove();
  }
}

export default mounted(ChangeLine);
