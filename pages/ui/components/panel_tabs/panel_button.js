// A button that opens a panel of the right side, wherever it stands.

import { make, mounted } from "../shared/component.js";
import { askForPanel } from "./open_panel.js";

const ARROW = "M10 3v9M6.5 8.8L10 12.3l3.5-3.5M4 13v3h12v-3";

class PanelButton {
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
    this.button.addEventListener("click", () => askForPanel(this.panel, { focus: true }));
  }

  /** @param {{data: {label: string, panel: string} | undefined}} component */
  receive({ data }) {
    if (!data) return;
    this.panel = data.panel;
    this.words.textContent = data.label;
  }

  destroy() {
    this.button.remove();
  }
}

export default mounted(PanelButton);
