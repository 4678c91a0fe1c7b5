// The head of the sheet at the bottom of a phone: dragged up or down, or by its button and the arrow keys, the sheet has
// three sizes; two tabs show the thresholds or the selected chunk. On every screen it says to a screen reader which chunk
// was selected.

import { make, mounted } from "../shared/component.js";
import { focused } from "../shared/focused.js";
import { tied } from "../shared/tab_panels.js";
import { tell } from "../shared/tell.js";
import { newsOf } from "./selected.js";
import {
  dragged,
  firstSize,
  hasSheet,
  hearsOfSheet,
  hearsWhetherSheet,
  keptSize,
  larger,
  moveSheet,
  SIZES,
  showSheet,
  tellGrowth,
  tellsSheetTop,
} from "./sheet.js";
import { keepsTabOrder } from "./tab_order.js";

const IS = { handle: "closed to its handle", one: "half open", all: "fully open" };
const TURNS = { handle: "close it to its handle", one: "open it halfway", all: "open it fully" };
const SAYS_IT = '[data-chunk][aria-current="true"]:focus-visible'; // a label in the source that a key has led to
const LEAST = 6; // pixels: less is a tap

class PhoneSheet {
  /** @type {import("./sheet.js").Size} */
  size = firstSize(keptSize(), innerHeight);
  /** @type {import("./sheet.js").Tab} */
  tab = "settings";
  /** What was selected when Python ran last. @type {import("./selected.js").Selected | undefined} */
  selected;
  /** Whether the pointer has moved since it was pressed. */
  moved = false;

  constructor(parent) {
    this.root = make("div", "sheet", parent);
    this.grip = make("button", "grip", this.root, { type: "button" });
    make("i", "", this.grip, { "aria-hidden": "true" });
    const list = make("div", "tabs", this.root, { role: "tablist", "aria-label": "What the sheet shows" });
    this.tabs = { settings: this.tabButton(list, "settings"), chunk: this.tabButton(list, "chunk") };
    this.tabs.settings.textContent = "Settings";
    this.ends = make("p", "ends", this.root);
    this.grip.addEventListener("click", () => this.resize(SIZES[(SIZES.indexOf(this.size) + 1) % SIZES.length]));
    this.grip.addEventListener("keydown", (event) => this.keyDown(event));
    list.addEventListener("keydown", (event) => this.arrow(event));
    this.root.addEventListener("pointerdown", (event) => this.hold(event));
    // A drag is not a press of the button under it.
    this.root.addEventListener("click", (event) => this.moved && event.stopPropagation(), true);
    this.noAsking = hearsOfSheet(
      (tab, grows, focus) => {
        this.open(tab, grows);
        if (focus) this.tabs[tab].focus();
      },
      (size) => this.resize(size),
    );
    this.panels = tied(() => this.ties());
    this.noTop = tellsSheetTop(() => this.top());
    this.noSheet = hearsWhetherSheet(() => this.panels.again());
    this.noOrder = keepsTabOrder();
    this.draw();
    tellGrowth(innerHeight);
  }

  ties() {
    const { settings, chunk } = this.tabs;
    const thresholds = {
      tab: settings,
      panel: '.st-key-rail [class*="st-key-rail-"]',
      name: hasSheet() ? "Settings" : "",
    };
    return hasSheet() ? [thresholds, { tab: chunk, panel: ".st-key-chunk", name: "Chunk" }] : [thresholds];
  }

  tabButton(list, tab) {
    const button = make("button", "", list, { type: "button", role: "tab" });
    button.addEventListener("click", () => this.open(tab));
    return button;
  }

  /** @param {{data: {chunk: string, ends: string} & import("./selected.js").Selected | undefined}} component */
  receive({ data }) {
    this.panels.again();
    if (!data) return;
    this.tabs.chunk.textContent = data.chunk;
    this.ends.textContent = data.ends;
    const news = newsOf(this.selected, data);
    this.selected = data;
    if (news && !focused()?.matches(SAYS_IT)) tell(news);
  }

  draw() {
    showSheet(this.size, this.tab);
    for (const [tab, button] of Object.entries(this.tabs)) {
      button.setAttribute("aria-selected", String(tab === this.tab));
      button.tabIndex = tab === this.tab ? 0 : -1;
    }
    this.ends.hidden = this.size !== "handle" || this.tab !== "chunk";
    const next = SIZES[(SIZES.indexOf(this.size) + 1) % SIZES.length];
    this.grip.setAttribute("aria-label", `Sheet ${IS[this.size]}; press to ${TURNS[next]}`);
    this.grip.setAttribute("aria-expanded", String(this.size !== "handle"));
  }

  /** @param {import("./sheet.js").Size} size */
  resize(size) {
    const before = this.top();
    this.size = size;
    this.draw();
    if (this.top() < before) tellGrowth(before);
  }

  /** Where the sheet begins: at the window's bottom where there is none. */
  top() {
    return hasSheet() ? this.root.getBoundingClientRect().top : innerHeight;
  }

  /** @param {import("./sheet.js").Tab} tab */
  open(tab, grows = true) {
    this.tab = tab;
    this.resize(this.size === "handle" && grows ? "one" : this.size);
  }

  /** @param {KeyboardEvent} event */
  keyDown(event) {
    const steps = { ArrowUp: 1, ArrowDown: -1, Home: -SIZES.length, End: SIZES.length }[event.key];
    if (!steps) return;
    event.preventDefault();
    this.resize(larger(this.size, steps));
  }

  /** @param {KeyboardEvent} event */
  arrow(event) {
    if (event.key !== "ArrowLeft" && event.key !== "ArrowRight") return;
    event.preventDefault();
    this.open(this.tab === "chunk" ? "settings" : "chunk");
    this.tabs[this.tab].focus();
  }

  /** @param {PointerEvent} pressed */
  hold(pressed) {
    this.moved = false;
    const held = new AbortController();
    const up = (event) => pressed.clientY - event.clientY;
    const drag = (event) => {
      this.moved ||= Math.abs(up(event)) >= LEAST;
      if (this.moved) moveSheet(Math.max(0, -up(event))); // below it there is nothing
    };
    const release = (event) => {
      held.abort();
      moveSheet(0);
      if (this.moved) this.resize(dragged(this.size, up(event)));
    };
    // On the document: a mouse leaves the head at once.
    document.addEventListener("pointermove", drag, { signal: held.signal });
    for (const name of ["pointerup", "pointercancel"])
      document.addEventListener(name, release, { signal: held.signal });
  }

  destroy() {
    this.noAsking();
    this.noSheet();
    this.noTop();
    this.noOrder();
    this.panels.end();
    this.root.remove();
  }
}

export default mounted(PhoneSheet);
