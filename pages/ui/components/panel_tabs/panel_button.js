// A button that opens a panel of the right side, or leads to a section of a page without tabs, wherever it stands.

import { goTo } from "../pane_edge/panes.js";
import { offers } from "../shared/commands.js";
import { make, mounted } from "../shared/component.js";
import { askForPanel } from "./open_panel.js";

const ARROW = "M10 3v9M6.5 8.8L10 12.3l3.5-3.5M4 13v3h12v-3";

class PanelButton {
  noCommands = () => {};

  constructor(parent) {
    this.panel = "";
    this.button = make("button", "", parent, { type: "button" });
    const picture = document.createElementNS("http://www.w3.org/2000/svg", "svg");
    picture.setAttribute("viewBox", "0 0 20 20");
    picture.setAttribute("aria-hidden", "true");
    const path = document.createElementNS("http://www.w3.org/2000/svg", "path");
    path.setAttribute("d", ARROW);
    picture.append(path);
    this.button.append(picture);
    this.words = make("span", "", this.button);
    this.button.addEventListener("click", () => this.open());
  }

  /** @param {{data: {label: string, panel: string} | undefined}} component */
  receive({ data }) {
    if (!data) return;
    this.panel = data.panel;
    this.words.textContent = data.label;
    this.noCommands(); // an open palette takes up what is offered from now on
    this.noCommands = offers(() => this.commands());
  }

  open() {
    const section = document.querySelector(`.st-key-${this.panel}`);
    if (section && !hasTabs()) goTo(section);
    else askForPanel(this.panel, { focus: true });
  }

  /** Where there are tabs they say what opens them.
   * @returns {import("../shared/commands.js").Command[]} */
  commands() {
    const name = this.words.textContent ?? "";
    return hasTabs() ? [] : [{ group: "Action", name, run: () => this.open() }];
  }

  destroy() {
    this.noCommands();
    this.button.remove();
  }
}

function hasTabs() {
  return Boolean(document.querySelector(".st-key-tabs"));
}

export default mounted(PanelButton);
