// What the reading views share: a frame that follows the theme, and one instance for each place on the page.

import { lowerSheet } from "../phone_sheet/sheet.js";
import { isSeen, make, takesSkips } from "../shared/component.js";
import { hearsPageKeys } from "../shared/page_keys.js";
import { VIEW_KEYS, viewByKey } from "../shared/view_keys.js";
import { copyText } from "../source_view/clipboard.js";
import { coloursOf, themeOf } from "../source_view/dom.js";
import { Echoes } from "../source_view/echoes.js";
import { Moves } from "./moves.js";

const PASSES = 120; // milliseconds in which the next key comes, if one does

/** @abstract What a view shows and draws, `take` and `draw`, is its own. */
export class ReadingView {
  /** What Python is told once. @type {(name: string, value: unknown) => void} */
  trigger;
  /** What Python is told, and keeps. @type {(name: string, value: unknown) => void} */
  keep;
  /** @type {string | undefined} */
  theme;
  /** @type {ReturnType<typeof coloursOf>} */
  colours;
  /** What was asked of Python, after a moment. @type {number | undefined} */
  asking;
  /** @type {number | undefined} */
  flashing;
  /** The chunk that keys have come to waits for the next key. @type {number | undefined} */
  stepping;
  /** What was sent last, which may still wait for its frame. @type {any} */
  newest;
  /** The frame that it waits for; 0 for none. */
  taking = 0;

  constructor(parent, name, label) {
    this.root = make("div", `cs rd ${name}`, parent);
    this.bar = make("header", "bar", this.root);
    this.title = make("span", "crumb", this.bar);
    this.count = make("span", "count", this.bar);
    this.scroller = make("div", "scroll", this.root, { tabindex: "0", role: "region", "aria-label": label });
    this.note = make("p", "note", this.root, { role: "status", hidden: "" });
    this.scroller.addEventListener("scroll", () => this.soon(), { passive: true });
    this.width = 0;
    this.sizes = new ResizeObserver(() => {
      if (this.scroller.clientWidth !== this.width) this.resized();
      this.soon();
    });
    this.sizes.observe(this.scroller);
    this.noSkips = takesSkips(() => this.scroller);
    this.noKeys = hearsPageKeys(
      ["j", "k", "t", "T", ...VIEW_KEYS],
      (event) => isSeen(this.root) && (viewByKey(event) || this.keyDown(event)),
    );
    this.root.addEventListener("keydown", viewByKey); // also where the page's keys are switched off
    this.moves = new Moves(this, name);
    this.echoes = new Echoes();
    this.frame = 0;
    lowerSheet(); // who turns to another view wants to see it
  }

  receive({ data, setTriggerValue, setStateValue }) {
    [this.trigger, this.keep] = [setTriggerValue, setStateValue];
    const theme = themeOf(this.root);
    if (theme !== this.theme) [this.theme, this.colours] = [theme, coloursOf(this.root)];
    if (data.height) this.root.style.setProperty("--cs-height", data.height);
    if (this.title.textContent !== data.title) this.title.textContent = this.title.title = data.title;
    this.moves.receive(data);
  }

  /** Takes what Python sent, or what a drag brought. */
  queue(sent) {
    this.newest = sent;
    if (!this.root.dataset.painted) return this.takeNewest();
    // With the next frame, and not within the one in which Streamlit draws the rest of the page.
    this.taking ||= requestAnimationFrame(() => this.takeNewest());
  }

  takeNewest() {
    this.taking = 0;
    this.take(this.newest);
    this.root.dataset.painted = String(Number(this.root.dataset.painted ?? 0) + 1);
  }

  /** @param {any} _data what was sent */
  take(_data) {}

  draw() {}

  /** @param {KeyboardEvent} _event */
  keyDown(_event) {}

  /** Chooses a chunk, by its number and where it begins. Python hears of it when no further key comes at once: it need not
   * hear of those that are passed over.
   * @param {number} chunk
   * @param {number} offset */
  stepTo(chunk, offset) {
    this.echoes.tell(chunk);
    clearTimeout(this.stepping);
    this.stepping = setTimeout(() => this.trigger("stepped", offset), PASSES);
  }

  /** The chunk that is selected: the one that keys have come to, where Python still tells of one before it.
   * @param {number} told
   * @param {boolean} fresh whether it is of another document */
  selectedNow(told, fresh) {
    this.echoes.isNew(told, fresh);
    return this.echoes.last;
  }

  soon() {
    if (!this.frame) {
      this.frame = requestAnimationFrame(() => {
        this.frame = 0;
        this.draw();
      });
    }
  }

  resized() {
    this.width = this.scroller.clientWidth;
  }

  say(words) {
    this.note.textContent = words;
    this.note.hidden = !words;
  }

  /** Says something for a moment. */
  flash(words) {
    this.say(words);
    this.note.classList.add("flash");
    clearTimeout(this.flashing);
    this.flashing = setTimeout(() => {
      this.note.classList.remove("flash");
      this.say("");
    }, 1400);
  }

  destroy() {
    this.noSkips();
    this.noKeys();
    this.moves.end();
    this.sizes.disconnect();
    cancelAnimationFrame(this.frame);
    cancelAnimationFrame(this.taking);
    clearTimeout(this.flashing);
    clearTimeout(this.asking);
    clearTimeout(this.stepping);
    this.root.remove();
  }
}

/** Elements in this order, each kept where it is when it is there already, so that the focus stays. */
export function inOrder(parent, elements) {
  const wanted = new Set(elements);
  for (const child of [...parent.children]) if (!wanted.has(child)) child.remove();
  elements.forEach((element, index) => {
    if (parent.children[index] !== element) parent.insertBefore(element, parent.children[index] ?? null);
  });
}

/** To the clipboard, once the text has come: the promise is given at once, while the click still counts as one. */
export async function copyWhenHere(text) {
  try {
    const blob = text.then((words) => new Blob([words], { type: "text/plain" }));
    await navigator.clipboard.write([new ClipboardItem({ "text/plain": blob })]);
  } catch {
    await copyText(await text);
  }
}
