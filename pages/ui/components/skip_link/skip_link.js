// The link past the pages and the controls: Enter puts the keyboard into the source, whichever view of it is open, into a
// table, or to where a part of the page begins.

import { offers } from "../shared/commands.js";
import { make, mounted, skipToSource } from "../shared/component.js";

class SkipLink {
  constructor(parent) {
    this.key = "";
    this.link = make("a", "", parent, { href: "#source" });
    this.link.addEventListener("click", (event) => {
      event.preventDefault();
      this.follow();
    });
    this.noCommands = offers(() => [
      { group: "Action", name: (this.link.textContent ?? "").replace("Skip", "Go"), run: () => this.follow() },
    ]);
  }

  /** @param {{data: {label: string, key: string} | undefined}} component */
  receive({ data }) {
    if (!data) return;
    this.link.textContent = data.label;
    this.key = data.key;
  }

  follow() {
    if (!this.key) return skipToSource();
    const part = /** @type {HTMLElement | null} */ (document.querySelector(`.st-key-${this.key}`));
    if (!part) return;
    part.tabIndex = -1;
    part.focus();
  }

  destroy() {
    this.noCommands();
    this.link.remove();
  }
}

export default mounted(SkipLink);
