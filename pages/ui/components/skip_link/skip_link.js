// The link past the controls: Enter puts the keyboard into the source, whichever view of it is open, or into a table.

import { make, mounted, skipToSource } from "../shared/component.js";

class SkipLink {
  constructor(parent) {
    this.link = make("a", "", parent, { href: "#source" });
    this.link.addEventListener("click", (event) => {
      event.preventDefault();
      skipToSource();
    });
  }

  /** @param {{data: {label: string} | undefined}} component */
  receive({ data }) {
    if (data) this.link.textContent = data.label;
  }

  destroy() {
    this.link.remove();
  }
}

export default mounted(SkipLink);
