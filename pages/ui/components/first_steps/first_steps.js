// The three steps of a first visit, until somebody dismisses them: a cookie keeps that for the next visits.

import { make, mounted } from "../shared/component.js";

const A_YEAR = 365 * 24 * 3600;

const MEANING = "A chunk is a piece of text that a search finds and a language model reads.";

/** Each step in few words, and the rest of it for where there is room.
 * @param {string} threshold */
function steps(threshold) {
  return [
    ["Add Markdown", ": drop or paste it"],
    threshold ? [`Drag ${threshold}`, " and watch the cuts move"] : ["Choose a strategy", " with thresholds to drag"],
    ["Select a chunk", " to see why it ends there"],
  ];
}

/** The first step is done where it is said: as by hand on the button Add, once this click is over, which would close what
 * it opens. */
function pressAdd() {
  /** @type {HTMLElement | null} */
  const button = document.querySelector(".st-key-document-row .st-key-add button");
  button?.focus();
  button?.click();
}

class FirstSteps {
  constructor(parent) {
    this.root = make("section", "steps", parent, { "aria-label": "First steps" });
    this.tagline = make("p", "", this.root);
    this.list = make("ol", "", this.root);
    this.items = [1, 2, 3].map(() => make("li", "", this.list));
    make("p", "meaning", this.root).textContent = MEANING;
    const words = "Dismiss the first steps";
    this.add = make("button", "add", this.items[0], { type: "button" });
    this.add.addEventListener("click", () => setTimeout(pressAdd));
    this.button = make("button", "away", this.root, { type: "button", "aria-label": words, title: words });
    this.button.textContent = "×";
    this.button.addEventListener("click", () => this.dismiss());
  }

  /** @param {any} component */
  receive({ data, setTriggerValue }) {
    if (!data) return;
    this.cookie = data.cookie;
    this.trigger = setTriggerValue;
    this.tagline.textContent = data.tagline;
    for (const [index, [words, more]] of steps(data.threshold).entries()) {
      const step = index ? this.items[index] : this.add;
      step.textContent = words;
      make("span", "", step).textContent = more;
    }
  }

  dismiss() {
    // biome-ignore lint/suspicious/noDocumentCookie: the server has to know it before it draws the next page
    document.cookie = `${this.cookie}; path=/; max-age=${A_YEAR}; SameSite=Strict`;
    this.trigger?.("dismissed", true);
  }

  destroy() {
    this.root.remove();
  }
}

export default mounted(FirstSteps);
