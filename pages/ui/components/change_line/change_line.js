// One line that says what a change did, with a button that undoes it. What was pressed for the change is gone by then: the
// keyboard goes on here, unless somebody has gone elsewhere with it.

import { make, mounted } from "../shared/component.js";
import { focused } from "../shared/focused.js";

const LEFT = "body, .st-key-chunk *"; // where the keyboard is after a press in the panel

class ChangeLine {
  /** @type {(name: string, value: unknown) => void} */
  trigger = () => {};

  constructor(parent) {
    this.root = make("div", "change", parent, { tabindex: "-1" });
    this.line = make("p", "", this.root, { role: "status" });
    this.button = make("button", "", this.root, { type: "button", hidden: "" });
    this.button.textContent = "Undo";
    this.button.addEventListener("click", () => {
      this.root.focus({ preventScroll: true }); // the button goes
      this.trigger("undone", true);
    });
  }

  /** @param {any} component */
  receive({ data, setTriggerValue }) {
    if (!data) return;
    this.trigger = setTriggerValue;
    this.button.hidden = !data.undoable;
    if (data.words === this.line.textContent) return;
    this.line.textContent = data.words;
    if (data.words && focused().matches(LEFT)) (data.undoable ? this.button : this.root).focus();
  }

  destroy() {
    this.root.remove();
  }
}

export default mounted(ChangeLine);
