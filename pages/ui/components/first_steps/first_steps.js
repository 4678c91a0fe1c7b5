// The three steps of a first visit, each ticked when it is done, until somebody dismisses them: a cookie keeps that for the
// next visits, also when all three are done, for then they have said what they can: one line leads on.

import { recalled, remember } from "../shared/browser_session.js";
import { make, mounted } from "../shared/component.js";

const A_YEAR = 365 * 24 * 3600;

const MEANING = "A chunk is a piece of text that a search finds and a language model reads.";

const DONE = "steps";
const HEARD = ["click", "keydown"];
const MOVED = "chunkscope:moved"; // a threshold, however it was dragged, and to where it can be
const NEXT = "Next: let Retrieve measure which config finds your answers";
const SELECTS = ["Enter", " ", "j", "k"];

/** The step that an event of the page has done, from 0; -1 where it has done none.
 * @param {Event} event */
function doneBy(event) {
  const place = event.target instanceof Element ? event.target : null;
  if (event.type === MOVED) return 1;
  const selects = event.type === "click" || SELECTS.includes(/** @type {KeyboardEvent} */ (event).key);
  const inSource = place?.closest(".st-key-source") && !place.closest(".st-key-reading-choices");
  const byButton = place?.closest(".st-key-chunk-heading button"); // the next chunk, or the one before
  return selects && (inSource || byButton) ? 2 : -1;
}

/** Each step in few words, and the rest of it for where there is room.
 * @param {string} threshold
 * @param {boolean} moves whether it moves cuts in most documents */
function steps(threshold, moves) {
  const seen = moves ? " and watch the cuts move" : " and watch what changes";
  return [
    ["Add Markdown", ": drop or paste it"],
    threshold ? [`Drag ${threshold}`, seen] : ["Choose a strategy", " with thresholds to drag"],
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

function goToRetrieve() {
  /** @type {HTMLElement | null} */
  const link = document.querySelector('.st-key-nav a[href*="retrieve"]');
  link?.click();
}

class FirstSteps {
  constructor(parent) {
    this.root = make("section", "steps", parent, { "aria-label": "First steps" });
    this.tagline = make("p", "", this.root);
    this.meaning = make("p", "meaning", this.root);
    this.meaning.textContent = MEANING;
    this.next = make("span", "next", this.root);
    this.list = make("ol", "", this.root);
    this.items = [1, 2, 3].map(() => make("li", "", this.list));
    const words = "Dismiss the first steps";
    this.steps = this.items.map((item, index) =>
      index ? make("div", "", item) : make("button", "add", item, { type: "button" }),
    );
    this.steps[0].addEventListener("click", () => setTimeout(pressAdd));
    this.button = make("button", "away", this.root, { type: "button", "aria-label": words, title: words });
    this.button.textContent = "×";
    this.button.addEventListener("click", () => this.dismiss());
    this.done = new Set((recalled(DONE) ?? "").split(",").filter(Boolean).map(Number));
    this.heard = (event) => this.tick(doneBy(event));
    for (const name of [...HEARD, MOVED]) document.addEventListener(name, this.heard, { capture: true });
  }

  /** @param {any} component */
  receive({ data, setTriggerValue }) {
    if (!data) return;
    this.cookie = data.cookie;
    this.trigger = setTriggerValue;
    this.tagline.textContent = data.tagline;
    for (const [index, [words, more]] of steps(data.threshold, data.moves).entries()) {
      this.steps[index].textContent = words;
      make("span", "", this.steps[index]).textContent = more;
    }
    for (const index of [data.own ? 0 : -1, ...this.done]) this.tick(index);
  }

  /** @param {number} index */
  tick(index) {
    const item = this.items[index];
    if (!item || item.classList.contains("done")) return;
    item.classList.add("done");
    make("span", "unseen", item).textContent = " (done)";
    this.done.add(index);
    remember(DONE, [...this.done].join());
    if (this.done.size < this.items.length) return;
    this.keepAway();
    this.root.classList.add("all-done"); // its place stays as it is: the last step may be a drag, in which nothing moves
    this.next.textContent = "All three steps done. ";
    const next = make("button", "add", this.next, { type: "button" });
    next.textContent = NEXT;
    next.addEventListener("click", goToRetrieve);
  }

  keepAway() {
    // biome-ignore lint/suspicious/noDocumentCookie: the server has to know it before it draws the next page
    document.cookie = `${this.cookie}; path=/; max-age=${A_YEAR}; SameSite=Strict`;
  }

  dismiss() {
    this.keepAway();
    this.trigger?.("dismissed", true);
  }

  destroy() {
    for (const name of [...HEARD, MOVED]) document.removeEventListener(name, this.heard, { capture: true });
    this.root.remove();
  }
}

export default mounted(FirstSteps);
