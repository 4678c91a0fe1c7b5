// The tabs of the right side. They only say which panel is open; the panels stand on the page, below them. On a phone the
// chunk is a tab of the sheet, and not among them.

import { askForSheet, hasSheet, hearsWhetherSheet, lowerSheet } from "../phone_sheet/sheet.js";
import { offers } from "../shared/commands.js";
import { make, mounted } from "../shared/component.js";
import { PHONE } from "../shared/phone.js";
import { tied } from "../shared/tab_panels.js";
import { askForPanel, keepPanel, openPanel, showPanel, WANTED } from "./open_panel.js";

/** @typedef {{panel: string, label: string, count: string, tone: string, also: string}} Tab */

class PanelTabs {
  /** @type {Tab[]} */
  tabs = [];
  open = "";

  constructor(parent) {
    this.root = make("div", "tabs", parent, { role: "tablist", "aria-label": "About this document" });
    this.root.addEventListener("keydown", (event) => this.keyDown(event));
    this.wanted = (event) => this.bring(event.detail);
    document.addEventListener(WANTED, this.wanted);
    this.panels = tied(() => this.ties());
    this.noSheet = hearsWhetherSheet(() => this.settle());
    this.noCommands = offers(() =>
      this.tabs.map(({ panel, label, also }) => ({
        group: "View",
        ...{ name: `${label} panel`, also },
        run: () => askForPanel(panel, { focus: true }),
      })),
    );
  }

  /** @param {{data: {tabs: Tab[]} | undefined}} component */
  receive({ data }) {
    if (!data) return;
    this.tabs = data.tabs;
    this.settle();
  }

  /** Opens what was open, as far as it is here. */
  settle() {
    if (!this.tabs.length) return;
    this.open = openPanel(this.here().map(({ panel }) => panel));
    showPanel(this.open);
    this.draw();
  }

  here() {
    return this.tabs.filter(({ panel }) => !inSheet(panel));
  }

  /** A tab keeps its button, so that the focus stays on it when a count changes. */
  draw() {
    while (this.root.children.length > this.tabs.length) this.root.lastChild?.remove();
    this.tabs.forEach(({ panel, label, count, tone }, index) => {
      const button = this.root.children[index] ?? this.button(index);
      const chosen = panel === this.open;
      button.hidden = inSheet(panel);
      button.setAttribute("aria-selected", String(chosen));
      button.tabIndex = chosen ? 0 : -1;
      const [words, number] = button.children;
      words.textContent = label;
      number.textContent = count;
      number.hidden = !count;
      number.className = `found ${tone}`;
    });
    this.panels.again();
  }

  ties() {
    const ties = this.tabs.map(({ panel, label }, index) => ({
      tab: this.root.children[index],
      panel: `.st-key-${panel}`,
      name: label,
    }));
    return ties.filter((_, index) => !inSheet(this.tabs[index].panel));
  }

  button(index) {
    const button = make("button", "", this.root, { type: "button", role: "tab" });
    make("span", "", button);
    make("span", "found", button);
    button.addEventListener("click", () => {
      this.choose(this.tabs[index].panel);
      lowerSheet();
    });
    return button;
  }

  choose(panel) {
    this.open = panel;
    keepPanel(panel);
    this.draw();
  }

  /** Somebody asked for a panel from elsewhere on the page. */
  bring({ panel, focus }) {
    if (!this.tabs.some((tab) => tab.panel === panel)) return;
    if (inSheet(panel)) {
      if (focus) askForSheet("chunk", { focus });
      return;
    }
    this.choose(panel);
    if (!focus) return;
    lowerSheet();
    bringIntoView(this.root);
    this.focus();
  }

  focus() {
    this.root.children[this.tabs.findIndex(({ panel }) => panel === this.open)].focus({ preventScroll: true });
  }

  keyDown(event) {
    const panels = this.here().map(({ panel }) => panel);
    const last = panels.length - 1;
    const here = panels.indexOf(this.open);
    const to = { ArrowRight: here < last ? here + 1 : 0, ArrowLeft: here > 0 ? here - 1 : last, Home: 0, End: last }[
      event.key
    ];
    if (to === undefined || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    this.choose(panels[to]);
    this.focus();
  }

  destroy() {
    this.noCommands();
    this.noSheet();
    this.panels.end();
    document.removeEventListener(WANTED, this.wanted);
    this.root.remove();
  }
}

/** @param {string} panel */
function inSheet(panel) {
  return panel === "chunk" && hasSheet();
}

/** Brings the tabs with their panel into view. On a phone, where they stand below the source and a sheet lies over the
 * window's lower end, they begin at its top.
 * @param {Element} tabs */
function bringIntoView(tabs) {
  const block = matchMedia(PHONE).matches ? "start" : "nearest";
  (document.querySelector(".st-key-right") ?? tabs).scrollIntoView({ block });
}

export default mounted(PanelTabs);
