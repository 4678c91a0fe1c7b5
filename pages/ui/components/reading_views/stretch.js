// A view of a stretch of the document, with the cuts between and inside its blocks. What lies before and after the
// stretch is as high as it probably will be; when it comes near, Python sends the next stretch.

import { showSelected } from "../phone_sheet/sheet.js";
import { inHue } from "../shared/chunk_hues.js";
import { make } from "../shared/component.js";
import { counted } from "../shared/counted.js";
import { tornSentence, tornWords } from "../source_view/torn.js";
import { inOrder, ReadingView } from "./common.js";
import { NearTears } from "./near_tears.js";

const TEETH = 9; // pixels over a label in the text that the torn edge takes
const NEAR = 700; // pixels from the stretch's edge at which the next one is asked for

/** @abstract What a block looks like, `blockElement`, is each view's own. */
export class StretchView extends ReadingView {
  /** What Python sent last. @type {any} */
  data;
  /** The cuts of the stretch, by their place. @type {Map<number, any>} */
  cuts = new Map();
  /** Where the stretch that was asked for is to be shown, -1 where nothing is to be scrolled. */
  landing = -1;
  /** Pixels of height for a character, on average. */
  each = 1;
  /** How high the page was when its rails were drawn: what comes near the view may turn out higher than was thought. */
  railed = -1;
  /** A torn boundary to go to when its stretch is here, and whether with the keyboard.
   * @type {{at: number, focus: boolean} | null} */
  sought = null;

  constructor(parent, name, label) {
    super(parent, name, label);
    this.tears = new NearTears(this);
    this.before = make("div", "spacer", this.scroller, { "aria-hidden": "true" });
    this.page = make("div", "read", this.scroller);
    this.after = make("div", "spacer", this.scroller, { "aria-hidden": "true" });
    this.blocks = new Map();
    this.bodies = new Map();
    this.overs = new Map();
    this.heights = new ResizeObserver(() => {
      if (this.data && this.page.offsetHeight !== this.railed) this.paintRails();
    });
    this.heights.observe(this.page);
    this.page.addEventListener("click", (event) => this.click(event));
    this.scroller.addEventListener("keydown", (event) => this.keyDown(event));
  }

  take(data) {
    const fresh = this.name !== data.name;
    const anchor = fresh ? null : this.anchor();
    const chose = this.data && this.data.selected !== data.selected && !this.chosenHere;
    this.chosenHere = false;
    this.name = data.name;
    this.data = data;
    this.cuts = new Map(data.cuts.map((cut) => [cut.at, cut]));
    this.tears.take(data.torn);
    if (fresh || chose) [this.tears.current, this.sought] = [-1, null];
    const blank = data.blocks.every((block) => block.kind === "blank");
    this.say(!data.length ? "The document is empty." : blank ? "There is only white space here." : "");
    if (fresh) this.blocks.clear();
    const drawn = [...this.blocks.values()];
    this.bodies = new Map(drawn.map((element) => [element.bodyName, element]));
    this.overs = new Map(drawn.flatMap((element) => element.over).map((element) => [element.shown, element]));
    const blocks = data.blocks.map((block) => this.blockElement(block));
    this.blocks = new Map(blocks.map((element) => [element.name, element]));
    this.bodies.clear();
    this.overs.clear();
    inOrder(this.page, blocks);
    this.space();
    if (fresh || chose) this.landing = -1;
    const waits = this.moves.ahead && this.asked >= 0 && this.asked !== data.around; // a drag brings the stretch before it
    if (fresh || (chose && data.at >= 0)) this.show(data.at);
    else if (this.landing >= 0 && !waits) this.show(this.landing);
    else if (anchor) this.scroller.scrollTop += this.place(anchor) - anchor.y;
    if (!waits) this.asked = this.landing = -1;
    this.paintRails();
    this.draw();
    if (this.sought && this.holds(this.sought.at)) this.goToTear(this.sought.at, this.sought.focus);
  }

  /** An element for a block, kept while nothing of it changes: its `name` is all that it shows, its `bodyName` all below what
   * stands over it.
   * @param {any} _block
   * @returns {HTMLElement & {name?: string, bodyName?: string}} */
  blockElement(_block) {
    throw new Error("each view draws its own blocks");
  }

  /** An element whose body is the same as one's that is there, with other elements over it: most text stays in a drag.
   * @param {string} bodyName
   * @param {() => any} make
   * @param {HTMLElement[]} over */
  withOver(bodyName, make, over) {
    const element = this.bodies.get(bodyName) ?? make();
    this.bodies.delete(bodyName);
    element.bodyName = bodyName;
    const before = element.over ?? [];
    element.over = over;
    if (before.length === over.length && over.every((each, at) => each === before[at])) return element;
    for (const each of before) if (!over.includes(each)) each.remove();
    element.prepend(...over);
    return element;
  }

  /** What stands over a body: the element that was there, where it shows the same.
   * @param {unknown[]} shows
   * @param {() => any} make */
  keptOver(shows, make) {
    const shown = JSON.stringify(shows);
    const element = this.overs.get(shown) ?? make();
    this.overs.delete(shown);
    element.shown = shown;
    return element;
  }

  /** A label over a block. What it says when it is asked, of how many chunks its own is, changes with every move. */
  divider(cut) {
    const said = this.saidAt(cut, cut.chunk < 0 ? [] : [`${counted(cut.tokens)} tok`], cut.words);
    const row = this.keptOver([cut.at, said.seen, said.why], () => {
      const made = make("div", "", null, { "data-at": cut.at });
      made.append(labelOf(cut, said));
      return made;
    });
    const looks = `divide ${look(cut)} ${tornLook(cut)}`;
    if (row.looks !== looks) row.className = row.looks = looks;
    tell(row.firstChild, said);
    return row;
  }

  /** A label in the text. */
  label(cut) {
    return labelOf(cut, this.saidAt(cut, []));
  }

  /** What begins at a cut, and why it is there: what it tears, else the rule. The reason comes first, as it is the end of
   * what is above; that of a gap, which it is in, after its name.
   * @param {string[]} words
   * @param {string} [rule] */
  saidAt(cut, words, rule) {
    const torn = this.tears.indexAt(cut.torn);
    const gap = cut.chunk < 0;
    const seen = [gap ? "left out" : `#${counted(cut.chunk + 1)}`, ...words].join(" · ");
    const why = torn < 0 ? rule : `✂ ${tornWords(this.tears.run, torn)}`;
    const inOrder = gap ? [seen, why] : [why, seen];
    return {
      seen,
      why,
      spoken: `${inOrder.filter(Boolean).join(", ")}. ${cut.sentence}`,
      title: `${cut.sentence}${tornSentence(this.tears.run, torn)}`,
    };
  }

  /** The room before and after: as many pixels for a character as the stretch at hand takes. */
  space() {
    const { blocks, length } = this.data;
    if (!blocks.length) return;
    const [from, to] = [blocks[0].start, blocks.at(-1).end];
    const each = this.page.offsetHeight / Math.max(1, to - from);
    this.each = Math.min(2, Math.max(0.05, each));
    this.before.style.height = `${Math.round(from * this.each)}px`;
    this.after.style.height = `${Math.round((length - to) * this.each)}px`;
  }

  resized() {
    super.resized();
    if (!this.data) return;
    const anchor = this.anchor();
    this.space();
    if (anchor) this.scroller.scrollTop += this.place(anchor) - anchor.y;
    this.paintRails();
  }

  /** The block at the top of the view, and where it stands. */
  anchor() {
    const home = this.scroller.getBoundingClientRect().top;
    for (const element of this.page.children) {
      const box = element.getBoundingClientRect();
      if (box.bottom > home) return { start: Number(element.dataset.start), y: box.top - home, element };
    }
    return null;
  }

  place({ start, y }) {
    const element = [...this.page.children].find((one) => Number(one.dataset.start) === start);
    return element ? element.getBoundingClientRect().top - this.scroller.getBoundingClientRect().top : y;
  }

  show(offset) {
    const element =
      [...this.page.children].findLast((one) => Number(one.dataset.start) <= offset) ?? this.page.firstChild;
    if (!element) return;
    this.scrollTo(element.querySelector(`[data-at="${offset}"]`) ?? element);
  }

  scrollTo(element) {
    const { scroller } = this;
    scroller.scrollTop +=
      element.getBoundingClientRect().top - scroller.getBoundingClientRect().top - scroller.clientHeight * 0.15;
  }

  /** The chunks' rails at the left, from cut to cut, as they are in the source. */
  paintRails() {
    const { data, page } = this;
    for (const mark of page.querySelectorAll("[data-at]")) {
      const cut = this.cuts.get(Number(mark.dataset.at));
      // Before anything is measured: the chosen one is higher.
      mark.classList.toggle("sel", Boolean(cut) && cut.chunk >= 0 && cut.chunk === data.selected);
    }
    const home = page.getBoundingClientRect();
    const top = page.offsetTop;
    this.railed = page.offsetHeight;
    const marks = [...page.querySelectorAll("[data-at]")].map((mark) => {
      const cut = this.cuts.get(Number(mark.dataset.at));
      const torn = Boolean(cut) && cut.torn >= 0 && !mark.closest(".rips"); // with one edge, across all of the width
      return { cut, torn, y: edgeOf(mark, torn) - home.top };
    });
    const first = data.cuts[0];
    const edges = first && marks[0]?.cut !== first ? [{ cut: first, y: 0 }, ...marks] : marks;
    this.rails?.remove();
    const rails = (this.rails = make("div", "rails", null, { "aria-hidden": "true" }));
    edges.forEach(({ cut, y }, index) => {
      const next = edges[index + 1]?.y ?? home.height;
      if (!cut || next - y < 1) return;
      const rail = make("i", `rail ${look(cut)}${cut.chunk === data.selected && cut.chunk >= 0 ? " sel" : ""}`, rails);
      rail.style.cssText = `top:${y}px;height:${next - y - 1}px`;
    });
    for (const { torn, y } of marks)
      if (torn) make("i", "tear", rails).style.cssText = `top:${y}px;width:${this.scroller.clientWidth}px`;
    rails.style.top = `${top}px`;
    this.before.after(rails);
  }

  destroy() {
    this.heights.disconnect();
    super.destroy();
  }

  draw() {
    const { data, scroller, page } = this;
    if (!data?.blocks.length) return;
    const [from, to] = [data.blocks[0].start, data.blocks.at(-1).end];
    const top = scroller.scrollTop - page.offsetTop;
    const bottom = top + scroller.clientHeight;
    const here = () => this.anchor()?.start;
    const current = this.cutAt(top + 4);
    this.count.textContent =
      current && current.chunk >= 0 ? `chunk ${counted(current.chunk + 1)} of ${counted(data.chunks)}` : "";
    if (this.sought) return; // that stretch comes first
    if (top > page.offsetHeight && scroller.scrollTop + scroller.clientHeight >= scroller.scrollHeight - 1)
      this.ask(data.length - 1, true); // the very end, however high what is before it turns out to be
    else if (bottom < 0 || top > page.offsetHeight)
      this.ask(top < 0 ? scroller.scrollTop / this.each : to + (top - page.offsetHeight) / this.each, true);
    else if (bottom + NEAR > page.offsetHeight && to < data.length) this.ask(here() ?? to);
    else if (top < NEAR && from > 0) this.ask(here() ?? from);
  }

  // ---- torn boundaries, by their offsets

  holds(offset) {
    const { blocks } = this.data;
    return blocks.length > 0 && blocks[0].start <= offset && offset <= blocks.at(-1).end;
  }

  /** The label of a cut. @returns {HTMLElement | null} */
  markOf(cut) {
    return cut ? this.page.querySelector(`[data-at="${cut.at}"]`) : null;
  }

  tornCut(offset) {
    return this.data.cuts.find((cut) => cut.torn === offset);
  }

  /** Where the way to the next torn boundary begins: at the label with the keyboard, at what was last gone to or chosen,
   * while it is in view, or at the top of the view. */
  tornFrom(step) {
    const { data, tears } = this;
    if (!data?.blocks.length) return 0;
    const home = this.scroller.getBoundingClientRect();
    const seen = (cut) => {
      const top = this.markOf(cut)?.getBoundingClientRect().top ?? -1;
      return top >= home.top - 1 && top < home.bottom;
    };
    const focused = this.root.getRootNode().activeElement?.closest?.("[data-at]");
    const cut = focused && this.cuts.get(Number(focused.dataset.at));
    if (cut) return cut.torn >= 0 ? cut.torn : cut.at;
    if (this.sought) return this.sought.at;
    if (tears.current >= 0 && seen(this.tornCut(tears.current))) return tears.current;
    const chosen = data.cuts.find((each) => each.chunk === data.selected);
    if (chosen && data.selected >= 0 && seen(chosen)) return chosen.torn >= 0 ? chosen.torn : chosen.at;
    const above = this.cutAt(this.scroller.scrollTop - this.page.offsetTop);
    return (above?.at ?? 0) + (step < 0 ? 1 : 0);
  }

  goToTear(offset, focus) {
    this.sought = null;
    const mark = this.markOf(this.tornCut(offset));
    if (mark) {
      this.scrollTo(mark);
      if (focus) mark.querySelector("button")?.focus({ preventScroll: true });
      return focus;
    }
    if (this.holds(offset))
      this.show(offset); // in a block that is not shown to its end
    else {
      this.sought = { at: offset, focus };
      this.ask(offset, true);
    }
    return false;
  }

  cutAt(y) {
    let found = this.data.cuts[0];
    for (const mark of this.page.querySelectorAll("[data-at]")) {
      if (mark.getBoundingClientRect().top - this.page.getBoundingClientRect().top > y) break;
      found = this.cuts.get(Number(mark.dataset.at)) ?? found;
    }
    return found;
  }

  /** Asks for the stretch around an offset; `landing` where that is in view but not there yet. */
  ask(around, landing = false) {
    const wanted = Math.max(0, Math.min(this.data.length - 1, Math.round(around)));
    if (wanted === this.asked || wanted === this.data.around) return;
    clearTimeout(this.asking);
    this.asking = setTimeout(() => {
      this.asked = wanted;
      this.landing = landing ? wanted : -1;
      this.keep("around", { to: wanted, begun: this.data.begun });
    }, 80);
  }

  click(event) {
    const button = event.target.closest("[data-select]");
    if (!button) return;
    this.chosenHere = true;
    this.trigger("selected", Number(button.dataset.select));
    showSelected();
  }

  keyDown(event) {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const step = { j: 1, k: -1, t: 1, T: -1 }[event.key];
    if (!step) return;
    event.preventDefault();
    event.stopPropagation();
    if (event.key === "t" || event.key === "T") return this.tears.step(step, true);
    const buttons = [...this.page.querySelectorAll("[data-select]")];
    const focused = buttons.indexOf(this.root.getRootNode().activeElement);
    const home = this.scroller.getBoundingClientRect().top;
    const below = buttons.findIndex((button) => button.getBoundingClientRect().top >= home);
    const next = focused >= 0 ? focused + step : step > 0 ? below : below - 1;
    const button = buttons[Math.min(buttons.length - 1, Math.max(0, next))];
    button?.scrollIntoView({ block: "nearest" });
    button?.focus({ preventScroll: true });
  }
}

/** Where a cut is from top to bottom: over its label, or through it where that is in the text and nothing is torn. */
function edgeOf(mark, torn) {
  const row = mark.closest(".divide, tr.cutrow > :first-child");
  const { top, bottom } = (torn && row ? row : mark).getBoundingClientRect();
  if (mark.matches(".divide") || (torn && row)) return top;
  return torn ? top - TEETH : (top + bottom) / 2;
}

function labelOf(cut, said) {
  const button = make("button", "", null, { type: "button", "data-select": cut.at });
  const before = said.why && cut.chunk >= 0;
  if (before) make("span", cut.chunk > 0 ? "why ends" : "why", button).textContent = said.why;
  make("span", "", button).textContent = said.seen;
  if (said.why && !before) make("span", "why", button).textContent = said.why;
  tell(button, said);
  return button;
}

/** What a label says to those who ask. */
function tell(button, { spoken, title }) {
  if (button.title === title && button.getAttribute("aria-label") === spoken) return;
  button.title = title;
  button.setAttribute("aria-label", spoken);
}

/** The look of a cut that tears something. */
export function tornLook(cut) {
  return cut.torn < 0 ? "" : "ripped";
}

export function look(cut) {
  return cut.chunk < 0 ? "gone" : inHue(cut.hue);
}
