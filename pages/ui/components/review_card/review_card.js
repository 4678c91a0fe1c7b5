// One draft of a question at a time, its quote in place in the text. The keys work while something in the card has the
// focus, and not while a question is edited: a letter pressed elsewhere on the page means something else there.

import { recalled, remember } from "../shared/browser_session.js";
import { offers } from "../shared/commands.js";
import { make, mounted } from "../shared/component.js";
import { focused } from "../shared/focused.js";

const KEYS = { accept: "A", edit: "E", reject: "R", next: "N", undo: "U" };
const BEGUN = "drafting-begun";
const CLOSES = 400; // milliseconds in which the form that asked for drafts closes, and gives its button the focus
const BY_HAND = ["wheel", "touchmove", "pointerdown", "keydown"];
const SCROLLS = 600; // milliseconds in which such an event scrolls the page
const SEEN = 0.95; // the share of the buttons that is in view where they are
const NAMES = { accept: "Accept", edit: "Edit", reject: "Reject", next: "Next", undo: "Undo" };

class ReviewCard {
  /** @type {() => void} */
  hears;
  /** @type {IntersectionObserver} */
  seeing;

  constructor(parent) {
    this.root = make("section", "review", parent, { "aria-label": "Review of drafted questions" });
    const head = make("div", "head", this.root);
    this.words = make("p", "words", head, { role: "status" });
    this.meter = make("progress", "", head, { "aria-hidden": "true" });
    this.tally = make("p", "tally", head);
    this.body = make("div", "draft", this.root);
    this.question = make("h3", "", this.body, { "aria-live": "polite" });
    this.editor();
    this.about = make("p", "about", this.body);
    this.source = make("pre", "", this.body, {
      tabindex: "0",
      role: "region",
      "aria-label": "The quote in its document",
    });
    this.fates = make("ul", "", this.body, { "aria-label": "What each config does to the quote" });
    this.buttonRow = make("div", "buttons", this.root);
    this.buttons = Object.fromEntries(Object.keys(KEYS).map((action) => [action, this.button(action)]));
    this.hint = make("p", "hint", this.root);
    this.hint.textContent = "The keys work while this card has the focus.";
    this.root.addEventListener("keydown", (event) => this.key(event));
    this.noCommands = offers(() => this.commands());
    this.follow();
  }

  /** What comes above the card, as the verdict does, does not push out of view what has the focus in it; who scrolls away
   * stays there. */
  follow() {
    let byHand = 0;
    this.hears = () => {
      clearTimeout(byHand);
      byHand = setTimeout(() => (byHand = 0), SCROLLS);
    };
    for (const name of BY_HAND) addEventListener(name, this.hears, { capture: true, passive: true });
    const seen = (entries) => {
      const at = focused();
      const pushed = entries.at(-1).intersectionRatio < SEEN && !byHand;
      if (pushed && this.root.contains(at)) at.scrollIntoView({ block: "nearest" });
    };
    this.seeing = new IntersectionObserver(seen, { threshold: SEEN });
    this.seeing.observe(this.buttonRow);
  }

  editor() {
    this.form = make("form", "", this.body);
    this.form.hidden = true;
    const label = make("label", "", this.form, { for: "edited" });
    label.textContent = "The question in other words";
    this.field = make("textarea", "", this.form, { id: "edited", rows: "2", maxlength: "2000" });
    const row = make("div", "buttons", this.form);
    make("button", "keep", row, { type: "submit" }).textContent = "Accept as edited";
    const leave = make("button", "leave", row, { type: "button" });
    leave.textContent = "Leave as it was";
    leave.addEventListener("click", () => this.edits(false));
    this.form.addEventListener("submit", (event) => {
      event.preventDefault();
      this.keep();
    });
    this.field.addEventListener("keydown", (event) => {
      if (event.isComposing) return;
      if (event.key === "Escape") this.edits(false);
      else if (event.key === "Enter" && !event.shiftKey) this.keep();
      else return;
      event.preventDefault();
    });
  }

  button(action) {
    const button = make("button", action, this.buttonRow, { type: "button", "aria-keyshortcuts": KEYS[action] });
    button.append(NAMES[action]);
    make("kbd", "", button, { "aria-hidden": "true" }).textContent = KEYS[action];
    button.addEventListener("click", () => this.act(action));
    return button;
  }

  /** @param {any} component */
  receive({ data, setTriggerValue }) {
    this.trigger = setTriggerValue;
    if (!data) return;
    this.busy(false);
    const content = JSON.stringify(data);
    if (content === this.content) return;
    this.content = content;
    const { card } = data;
    if (card?.name !== this.card?.name) this.edits(false);
    const moved = card?.name !== this.card?.name;
    this.card = card;
    this.words.textContent = data.words;
    this.tally.textContent = data.tally;
    this.meter.max = Math.max(1, data.total);
    this.meter.value = data.reviewed;
    this.body.hidden = this.hint.hidden = !card;
    const done = !card && this.root.contains(this.root.getRootNode().activeElement);
    for (const action of ["accept", "edit", "reject", "next"]) this.buttons[action].hidden = !card;
    this.buttons.undo.hidden = !data.undo;
    this.buttons.undo.title = data.undo;
    this.buttons.undo.setAttribute("aria-label", `Undo: ${data.undo}`);
    if (done) this.buttons.undo.focus({ preventScroll: true }); // the button that had the focus has gone
    if (card) this.draw(card, moved);
    if (card && data.begun && recalled(BEGUN) !== data.begun) {
      remember(BEGUN, data.begun);
      this.takeFocus();
      this.closing = setTimeout(() => this.takeFocus(), CLOSES);
    }
  }

  /** Who asked for drafts goes on with the first of them, unless something else has the focus by now. */
  takeFocus() {
    const at = focused();
    if (at !== document.body && !at.closest(".st-key-retrieve-draft, .st-key-draft-begin")) return;
    this.root.scrollIntoView({ block: "nearest" });
    this.buttons.accept.focus({ preventScroll: true });
  }

  draw(card, moved) {
    this.question.textContent = card.question;
    this.about.textContent = card.about;
    this.fates.replaceChildren();
    for (const [letter, whole, words] of card.fates) {
      const line = make("li", whole ? "whole" : "cut", this.fates);
      make("b", "", line).textContent = `${letter} `;
      make("span", "sign", line, { "aria-hidden": "true" }).textContent = whole ? "✓ " : "✂ ";
      line.append(words);
    }
    if (!moved) return;
    const quote = document.createElement("mark");
    quote.textContent = card.quote;
    this.source.replaceChildren(card.before, quote, card.after);
    this.source.scrollTop = Math.max(0, quote.offsetTop - this.source.offsetTop - 60);
  }

  /** @param {KeyboardEvent} event */
  key(event) {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    // Streamlit's own letters (R runs the page again) are not meant while the card has the focus.
    event.stopPropagation();
    const from = event.composedPath()[0];
    if (from === this.field) return;
    const wanted = event.key.toUpperCase();
    const action =
      Object.keys(KEYS).find((each) => KEYS[each] === wanted) ??
      (event.key === " " && from === this.source ? "next" : "");
    if (!action || this.buttons[action].hidden) return;
    event.preventDefault();
    this.act(action);
  }

  act(action) {
    if (action === "edit") this.edits(true);
    else this.send(action, "");
  }

  keep() {
    if (this.field.value.trim()) this.send("keep", this.field.value);
  }

  /** Waits for Python's answer: the next press is about the next draft. */
  send(action, text) {
    if (this.waiting || !this.trigger) return;
    this.busy(true);
    this.trigger("acted", { action, draft: this.card?.name ?? "", text });
  }

  busy(waiting) {
    this.waiting = waiting;
    this.root.setAttribute("aria-busy", String(waiting));
  }

  edits(begun) {
    if (this.form.hidden === !begun) return;
    this.form.hidden = !begun;
    this.question.hidden = begun;
    this.buttonRow.hidden = begun;
    if (begun) {
      this.field.value = this.card.question;
      this.field.focus();
      this.field.select();
    } else this.buttons.accept.focus({ preventScroll: true });
  }

  /** @returns {import("../shared/commands.js").Command[]} */
  commands() {
    return Object.keys(KEYS)
      .filter((action) => !this.buttons[action].hidden)
      .map((action) => ({ group: "Action", name: `${NAMES[action]} this draft`, run: () => this.act(action) }));
  }

  destroy() {
    clearTimeout(this.closing);
    for (const name of BY_HAND) removeEventListener(name, this.hears, { capture: true });
    this.seeing.disconnect();
    this.noCommands();
    this.root.remove();
  }
}

export default mounted(ReviewCard);
