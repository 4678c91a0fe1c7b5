// The link past the controls: Enter puts the keyboard into the source, whichever view of it is open, or into a table.

import { offers } from "../shared/commands.js";
import { make, mounted, skipToSource } from "../shared/component.js";

class SkipLink {
  constructor(parent) {
    this.link = make("a", "", parent, { href: "#source" });
    this.link.addEventListener("click", (event) => {
      event.preventDefault();
      skipToSource();
    });
    this.noCommands = offers(() => [
      { group: "Action", name: (this.link.textContent ?? "").replace("Skip", "Go"), run: () => skipToSource() },
    ]);
  }

  /** @param {{data: {label: string} | undefined}} component */
  receive({ data }) {
    if (data) this.link.textContent = data.label;
  }

  destroy() {
    this.noCommands();
    this.link.remove();
  }
}

export default mounted(SkipLink);
