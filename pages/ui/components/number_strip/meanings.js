// What the numbers of a strip mean, behind a button in its corner: a title says it to who rests a pointer on it, and to
// nobody else.

import { make } from "../shared/component.js";

const WORDS = "What these numbers mean";
const EDGE = 8; // pixels to the window's edges

/** A metric's help, which goes on from its name, as a sentence.
 * @param {string} help */
export function sentence(help) {
  return `${help.slice(0, 1).toUpperCase()}${help.slice(1)}${/[.!?]$/.test(help) ? "" : "."}`;
}

export class Meanings {
  /** What it says now. @type {string} */
  said = "";

  /** @param {HTMLElement} parent */
  constructor(parent) {
    this.button = /** @type {HTMLButtonElement} */ (
      make("button", "cs-ask", parent, { type: "button", "aria-label": WORDS, title: WORDS, hidden: "" })
    );
    this.button.textContent = "?";
    this.panel = make("div", "cs-meanings", parent, {
      popover: "auto",
      role: "group",
      "aria-label": WORDS,
      tabindex: "0",
    });
    this.button.popoverTargetElement = this.panel;
    this.panel.addEventListener("toggle", (event) => {
      if (/** @type {ToggleEvent} */ (event).newState === "open") this.place();
    });
  }

  /** @param {[string, string][]} meanings names, and what they mean */
  show(meanings) {
    const said = JSON.stringify(meanings);
    if (said === this.said) return;
    this.said = said;
    this.button.hidden = !meanings.length;
    const list = make("dl", "", null);
    for (const [name, words] of meanings) {
      make("dt", "", list).textContent = name;
      make("dd", "", list).textContent = sentence(words);
    }
    this.panel.replaceChildren(list);
  }

  place() {
    const { bottom, right } = this.button.getBoundingClientRect();
    const { offsetWidth: wide, offsetHeight: high } = this.panel;
    this.panel.style.left = `${Math.max(EDGE, Math.min(right, innerWidth - EDGE) - wide)}px`;
    this.panel.style.top = `${Math.max(EDGE, Math.min(bottom + 4, innerHeight - high - EDGE))}px`;
  }
}
