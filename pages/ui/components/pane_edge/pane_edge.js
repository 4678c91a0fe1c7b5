// The edge of a pane: dragged, or moved by the arrows, it makes the pane wider; its button hides the pane.

import { WANTED } from "../panel_tabs/open_panel.js";
import { offers } from "../shared/commands.js";
import { make, mounted } from "../shared/component.js";
import { keepPane, paneKept, showPane, TOGGLED } from "./panes.js";

const STEP = 16;

/** @typedef {{name: string, side: "left" | "right", key: string, usual: number, least: number, most: number}} Pane */

class PaneEdge {
  /** @type {Pane} */
  pane = { name: "", side: "left", key: "", usual: 0, least: 0, most: 0 };
  width = 0;
  hidden = false;
  /** Where the pointer took hold, and the width then. @type {{x: number, width: number} | null} */
  held = null;

  constructor(parent) {
    this.root = make("div", "edge", parent);
    this.bar = make("div", "bar", this.root, { role: "separator", tabindex: "0", "aria-orientation": "vertical" });
    this.button = make("button", "", this.root, { type: "button" });
    this.sign = make("span", "", this.button, { "aria-hidden": "true" });
    this.button.addEventListener("click", () => this.toggle());
    this.bar.addEventListener("pointerdown", (event) => this.hold(event));
    this.bar.addEventListener("pointermove", (event) => this.move(event));
    for (const name of ["pointerup", "pointercancel"]) this.bar.addEventListener(name, () => this.release());
    this.bar.addEventListener("dblclick", () => this.resize(this.pane.usual));
    this.bar.addEventListener("keydown", (event) => this.keyDown(event));
    /** @type {Record<string, (event: any) => void>} */
    this.listeners = {
      [TOGGLED]: ({ detail }) => detail === this.pane.name && this.isThere() && this.toggle(),
      [WANTED]: ({ detail }) =>
        detail.focus && this.hidden && this.pane.name === "panels" && this.isThere() && this.toggle(),
    };
    // Before the tabs hear of it: what is hidden cannot have the focus.
    for (const [name, listener] of Object.entries(this.listeners)) document.addEventListener(name, listener, true);
    this.noCommands = offers(() => (this.isThere() ? [this.command()] : []));
  }

  /** Whether the pane has a place at the side of the page, which it has not in a narrow or low window. */
  isThere() {
    return this.root.checkVisibility();
  }

  /** @returns {import("../shared/commands.js").Command} */
  command() {
    const { name, key } = this.pane;
    return { group: "View", name: `${this.hidden ? "Show" : "Hide"} the ${name}`, hint: key, run: () => this.toggle() };
  }

  /** @param {{data: Pane | undefined}} component */
  receive({ data }) {
    if (!data || data.name === this.pane.name) return;
    this.pane = data;
    const kept = paneKept(data.name);
    this.hidden = kept.hidden;
    this.width = this.within(kept.width || data.usual);
    this.draw();
  }

  draw() {
    const { name, side, key } = this.pane;
    showPane(name, this);
    this.root.classList.toggle("hidden", this.hidden);
    this.sign.textContent = (side === "left") === this.hidden ? "›" : "‹";
    const words = `${this.hidden ? "Show" : "Hide"} the ${name} (${key} in the source)`;
    this.button.setAttribute("aria-label", words);
    this.button.title = words;
    this.button.setAttribute("aria-expanded", String(!this.hidden));
    this.button.tabIndex = this.hidden ? 0 : -1; // the edge hides its pane itself
    this.bar.setAttribute("aria-description", `Enter hides the ${name}`);
    this.bar.setAttribute("aria-label", `Width of the ${name}`);
    this.bar.setAttribute("aria-valuenow", String(this.width));
    this.bar.setAttribute("aria-valuemin", String(this.pane.least));
    this.bar.setAttribute("aria-valuemax", String(this.pane.most));
    this.bar.setAttribute("aria-valuetext", `${this.width} pixels`);
  }

  within(width) {
    return Math.round(Math.min(this.pane.most, Math.max(this.pane.least, width)));
  }

  resize(width) {
    this.width = this.within(width);
    this.draw();
    keepPane(this.pane.name, this);
  }

  toggle() {
    this.hidden = !this.hidden;
    this.draw();
    keepPane(this.pane.name, this);
  }

  hold(event) {
    if (event.button) return;
    event.preventDefault();
    this.bar.setPointerCapture(event.pointerId);
    this.held = { x: event.clientX, width: this.width };
    this.root.classList.add("held");
  }

  move({ clientX }) {
    if (!this.held) return;
    const moved = (clientX - this.held.x) * (this.pane.side === "left" ? 1 : -1);
    this.width = this.within(this.held.width + moved);
    this.draw();
  }

  release() {
    if (!this.held) return;
    this.held = null;
    this.root.classList.remove("held");
    keepPane(this.pane.name, this);
  }

  keyDown(event) {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const wider = this.pane.side === "left" ? STEP : -STEP;
    const act = {
      ArrowRight: () => this.resize(this.width + wider),
      ArrowLeft: () => this.resize(this.width - wider),
      Home: () => this.resize(this.pane.least),
      End: () => this.resize(this.pane.most),
      Enter: () => {
        this.toggle();
        this.button.focus();
      },
    }[event.key];
    if (!act) return;
    event.preventDefault();
    act();
  }

  destroy() {
    this.noCommands();
    for (const [name, listener] of Object.entries(this.listeners)) document.removeEventListener(name, listener, true);
    this.root.remove();
  }
}

export default mounted(PaneEdge);
