// The chunks as cards in a grid of equal rows: only those near the view are in the DOM, and only a window of them is
// here at all. What lies beyond it is asked for when it comes near.

import { inHue } from "../shared/chunk_hues.js";
import { make, mounted } from "../shared/component.js";
import { counted } from "../shared/counted.js";
import { copyWhenHere, inOrder, ReadingView } from "./common.js";
import { NearTears } from "./near_tears.js";

const LEAST_WIDTH = 290;
const ROW = 214;
const GAP = 10;
const AHEAD = 2; // rows

class CardsView extends ReadingView {
  /** What Python sent last. @type {any} */
  data;
  /** The card that gets the keyboard when it is here; -1 for none. */
  awaited = -1;
  columns = 1;
  cardWidth = 0;

  constructor(parent) {
    super(parent, "cards", "Chunks as cards");
    this.tears = new NearTears(this);
    this.list = make("ol", "grid", this.scroller, { role: "list", "aria-label": "Chunks" });
    this.cards = new Map();
    this.elements = new Map();
    this.active = 0;
    this.list.addEventListener("click", (event) => this.click(event));
    this.scroller.addEventListener("keydown", (event) => this.keyDown(event));
    this.list.addEventListener("focusin", (event) => {
      const card = event.target.closest(".card");
      if (card) this.active = Number(card.dataset.place);
    });
  }

  take(data) {
    const name = `${data.name} ${data.only}`;
    const fresh = this.name !== name;
    this.name = name;
    this.data = data;
    this.cards = new Map(data.cards.map((card, index) => [data.first + index, card]));
    const all = `${counted(data.of)} ${data.of === 1 ? "chunk" : "chunks"}`;
    this.count.textContent = !data.of ? "" : data.only ? `${counted(data.count)} of ${all} ${data.only}` : all;
    this.say(data.count ? "" : data.of ? `No chunk is ${data.only}.` : "This document has no chunks.");
    if (data.copied?.times === this.copying?.times) this.copying?.here(data.copied.text);
    this.tears.take(data.torn);
    if (fresh) this.resized();
    else this.sizeList();
    if (fresh) {
      this.tears.current = this.awaited = -1;
      this.active = Math.max(0, data.selected);
      this.scroller.scrollTop = Math.max(0, this.rowOf(this.active) * (ROW + GAP) - ROW / 2);
    }
    this.active = Math.min(this.active, Math.max(0, data.count - 1));
    for (const element of this.elements.values()) element.card = null;
    this.draw();
  }

  resized() {
    super.resized();
    const room = this.scroller.clientWidth - 2 * GAP;
    this.columns = Math.max(1, Math.floor((room + GAP) / (LEAST_WIDTH + GAP)));
    this.cardWidth = (room - GAP * (this.columns - 1)) / this.columns;
    this.sizeList();
  }

  sizeList() {
    const height = `${Math.ceil((this.data?.count ?? 0) / this.columns) * (ROW + GAP) + GAP}px`;
    if (this.list.style.height !== height) this.list.style.height = height;
  }

  rowOf(number) {
    return Math.floor(number / this.columns);
  }

  draw() {
    const { data, columns, scroller } = this;
    if (!data) return;
    const firstRow = Math.max(0, Math.floor(scroller.scrollTop / (ROW + GAP)) - AHEAD);
    const lastRow = Math.floor((scroller.scrollTop + scroller.clientHeight) / (ROW + GAP)) + AHEAD;
    const first = firstRow * columns;
    const last = Math.min(data.count, (lastRow + 1) * columns);
    const elements = [];
    let missing = false;
    const held = this.root.getRootNode().activeElement?.closest?.(".card");
    for (let place = first; place < last; place++) {
      const element = this.elements.get(place) ?? this.empty(place);
      const card = this.cards.get(place);
      if (card && element.card !== card) this.paint(element, card);
      missing ||= !card;
      this.put(element, place);
      element.classList.toggle("sel", place === data.selected);
      for (const button of element.querySelectorAll("button")) button.tabIndex = place === this.active ? 0 : -1;
      elements.push(element);
    }
    this.elements = new Map(elements.map((element) => [Number(element.dataset.place), element]));
    inOrder(this.list, elements);
    if (held && !held.isConnected) this.scroller.focus({ preventScroll: true });
    if (this.awaited >= 0) this.focusAwaited();
    if (missing) this.ask(Math.max(0, first - 2 * columns), last - first + 4 * columns);
  }

  focusAwaited() {
    const { scroller } = this;
    const button = this.elements.get(this.awaited)?.querySelector(".go");
    const waits = this.root.getRootNode().activeElement === scroller;
    if (waits) button?.focus({ preventScroll: true });
    if (button || !waits) this.awaited = -1; // or somebody went on
  }

  /** Asks for a window of cards, once the scrolling has come to rest for a moment. */
  ask(first, count) {
    const wanted = `${this.name} ${first} ${count}`;
    if (wanted === this.wanted) return; // it is on its way, or this is all there is
    clearTimeout(this.asking);
    this.asking = setTimeout(() => {
      this.wanted = wanted;
      this.keep("window", { first, count });
    }, 60);
  }

  empty(place) {
    const element = make("li", "card waits", null, { "data-place": place });
    element.textContent = this.data.only ? "…" : `#${counted(place + 1)}`;
    return element;
  }

  put(element, place) {
    const [left, top] = [GAP + (place % this.columns) * (this.cardWidth + GAP), GAP + this.rowOf(place) * (ROW + GAP)];
    const box = `left:${left}px;top:${top}px;width:${this.cardWidth}px;height:${ROW}px`;
    if (element.box !== box) element.style.cssText = element.box = box;
  }

  /** Draws a card anew where something of it changed. */
  paint(element, card) {
    element.card = card;
    element.setAttribute("aria-setsize", this.data.count);
    const cuts = this.tears.words(Number(element.dataset.place));
    const shown = JSON.stringify([card, cuts, this.data.scale, this.data.approximate]);
    if (element.shown === shown) return;
    element.shown = shown;
    element.replaceChildren();
    element.className = `card ${inHue(card.hue)}`;
    element.setAttribute("aria-posinset", Number(element.dataset.place) + 1);
    const head = make("div", "head", element);
    const about = this.data.approximate ? "about " : "";
    const name = `#${counted(card.number + 1)}`;
    make("button", "go", head, {
      type: "button",
      "aria-label": `${name}, ${about}${counted(card.tokens)} tokens.${cuts ? ` Its end ${cuts}.` : ""} Show it in the source`,
      title: `Lines ${counted(card.lines[0])} to ${counted(card.lines[1])}: show them in the source`,
    }).textContent = name;
    const crumb = make("span", "under", head);
    crumb.textContent = crumb.title = card.crumb.join(" › ");
    const copy = make("button", "copy", head, {
      type: "button",
      "aria-label": `Copy chunk ${card.number + 1} as it is embedded`,
      title: "Copy the text as it is embedded",
    });
    copy.textContent = "Copy";
    this.paintBar(element, card, about);
    make("pre", "begin", element, { dir: "auto" }).textContent = card.beginning;
    const why = make("p", cuts ? "why cuts" : "why", element, { title: card.detail });
    why.textContent = cuts ? `✂ Ends: ${cuts}` : `Ends: ${card.rule}`;
    element.classList.toggle("ripped", Boolean(cuts));
    if (cuts) make("i", "tear", element, { "aria-hidden": "true" });
    for (const flag of card.flags) make("p", "why warn", element, { title: flag }).textContent = `⚠ ${flag}`;
  }

  paintBar(element, card, about) {
    const { full, minimum, maximum } = this.data.scale;
    const row = make("div", "fill", element);
    const track = make("div", "track", row, { "aria-hidden": "true" });
    make("i", card.verdict.startsWith("over") ? "held over" : "held", track).style.width =
      `${(100 * card.limited_tokens) / full}%`;
    for (const [limit, name] of [
      [minimum, "min"],
      [maximum, "max"],
    ]) {
      if (limit !== null && limit <= full)
        make("i", `limit ${name}`, track, {
          title: `${name} ${counted(limit)}`,
        }).style.left = `${(100 * limit) / full}%`;
    }
    const words = make("span", "tok", row);
    words.textContent = `${about ? "≈" : ""}${counted(card.tokens)} tok`;
    if (card.limited_tokens !== card.tokens)
      words.title = `${counted(card.limited_tokens)} of them count for the limits`;
    if (card.verdict) make("span", "verdict", row).textContent = card.verdict;
  }

  click(event) {
    const element = event.target.closest(".card");
    const card = element?.card;
    if (!card) return;
    if (event.target.closest(".copy")) return this.copy(card);
    if (!getSelection()?.isCollapsed && !event.target.closest("button")) return; // text of the card was selected
    this.trigger("selected", card.start);
  }

  copy(card) {
    // Kept, not told once: a run of the script may be overtaken by the next one.
    const times = Date.now();
    const text = new Promise((here) => (this.copying = { times, here }));
    copyWhenHere(text).then(() => this.flash(`Copied chunk ${counted(card.number + 1)}`));
    this.keep("copy", { number: card.number, times });
  }

  keyDown(event) {
    if (event.ctrlKey || event.metaKey || event.altKey || !this.data?.count) return;
    const step = { ArrowRight: 1, j: 1, ArrowLeft: -1, k: -1, ArrowDown: this.columns, ArrowUp: -this.columns }[
      event.key
    ];
    const inside = this.root.getRootNode().activeElement?.closest?.(".card");
    const act = {
      Home: () => this.goTo(0),
      End: () => this.goTo(this.data.count - 1),
      t: () => this.tears.step(1, true),
      T: () => this.tears.step(-1, true),
      c: () => this.cards.has(this.active) && this.copy(this.cards.get(this.active)),
    }[event.key];
    if (!step && !act) return;
    event.preventDefault();
    event.stopPropagation();
    if (act) act();
    else this.goTo(inside ? this.active + step : this.firstInView());
  }

  firstInView() {
    return Math.ceil(this.scroller.scrollTop / (ROW + GAP)) * this.columns;
  }

  /** Where the way to the next torn boundary begins: at the card with the keyboard, at what was last gone to or chosen, or
   * at the first in view. */
  tornFrom(step) {
    const inside = this.root.getRootNode().activeElement?.closest?.(".card");
    if (inside) return this.active;
    const { current } = this.tears;
    if (current >= 0 && this.elements.has(current)) return current;
    return (this.data.selected >= 0 ? this.data.selected : this.firstInView()) - (step > 0 ? 1 : 0);
  }

  goToTear(place, focus) {
    this.goTo(place, focus);
    return focus;
  }

  goTo(number, focus = true) {
    const to = Math.min(this.data.count - 1, Math.max(0, number));
    const top = this.rowOf(to) * (ROW + GAP);
    const { scroller } = this;
    this.active = to;
    if (top < scroller.scrollTop) scroller.scrollTop = top;
    if (top + ROW + 2 * GAP > scroller.scrollTop + scroller.clientHeight)
      scroller.scrollTop = top + ROW + 2 * GAP - scroller.clientHeight;
    this.draw();
    if (!focus) return;
    const button = this.elements.get(to)?.querySelector(".go");
    (button ?? scroller).focus({ preventScroll: true });
    this.awaited = button ? -1 : to;
  }
}

export default mounted(CardsView);
