// The tooltip of a boundary: why it is there, in full.

import { make } from "../shared/component.js";
import { counted } from "../shared/counted.js";
import { cutSentence, flagDetails, gapSentence } from "./labels.js";
import { tornAfter, tornWords } from "./torn.js";

export class Tip {
  constructor(root, scroller) {
    this.root = root;
    this.scroller = scroller;
    this.box = make("div", "tip", root, { role: "tooltip", hidden: "" });
    this.of = null;
  }

  /** Explains the boundary that a label's button stands for.
   * @param {import("./payload.js").Run} run */
  show(button, run, breadcrumb) {
    this.box.replaceChildren();
    this.marked = "";
    if (button.dataset.chunk) this.explainChunk(run, Number(button.dataset.chunk), breadcrumb);
    else this.say("", gapSentence(run, Number(button.dataset.gap)));
    this.of = button;
    this.place();
  }

  /** The same of the run that is drawn now.
   * @param {import("./payload.js").Run} run */
  renew(run, breadcrumb) {
    if (!this.of || this.of.textual) return;
    if (this.of.isConnected) this.show(this.of, run, breadcrumb);
    else this.hide();
  }

  /** Says these words, beside a sign or under the pointer. */
  showWords(words, beside) {
    if (this.marked !== words.join("\n")) {
      this.box.replaceChildren();
      for (const each of words) this.say("", each);
      this.marked = words.join("\n");
    }
    this.of = beside.getBoundingClientRect
      ? Object.assign(beside, { textual: true })
      : new PointedAt(beside.clientX, beside.clientY);
    this.place();
  }

  /** @param {import("./payload.js").Run} run */
  explainChunk(run, chunk, breadcrumb) {
    const about = run.approximate ? "about " : "";
    this.say("title", `Chunk ${counted(chunk + 1)} of ${counted(run.chunks)}`);
    this.say(
      "",
      `${about}${counted(run.tokens[chunk])} tokens, ${counted(run.bodyTokens[chunk])} of them its own text`,
    );
    this.say("", cutSentence(run, chunk));
    const torn = chunk > 0 ? tornAfter(run, chunk - 1) : -1;
    if (torn >= 0) this.say("warn", `✂ This boundary ${tornWords(run, torn)}`);
    for (const flag of flagDetails(run, chunk)) this.say("warn", `⚠ ${flag}`);
    this.say("dim", breadcrumb(chunk));
  }

  say(name, words) {
    make("p", name, this.box).textContent = words;
  }

  /** Beside its button, wherever that is now; gone when the button is out of sight. */
  place() {
    if (!this.of) return;
    const { box } = this;
    const button = this.of.getBoundingClientRect();
    const home = this.scroller.getBoundingClientRect();
    if (!this.of.isConnected || button.bottom < home.top || button.top > home.bottom) return this.hide();
    box.hidden = false;
    const frame = this.root.getBoundingClientRect();
    const wanted = this.of.textual
      ? button.left - frame.left
      : Math.min(button.right, home.right - 8) - frame.left - box.offsetWidth;
    const left = Math.max(8, Math.min(wanted, home.right - 8 - frame.left - box.offsetWidth));
    const below = button.bottom + 6;
    const top = below + box.offsetHeight < home.bottom - 8 ? below : button.top - box.offsetHeight - 6;
    box.style.left = `${left}px`;
    box.style.top = `${Math.max(4, top - frame.top)}px`;
  }

  hide() {
    this.of = null;
    this.box.hidden = true;
  }
}

/** A point in the text, in the place of a button. */
class PointedAt {
  constructor(x, y) {
    this.isConnected = this.textual = true;
    this.at = { left: x, right: x, top: y - 6, bottom: y + 10 };
  }

  getBoundingClientRect() {
    return this.at;
  }
}
