// The link past the controls: Enter puts the keyboard into the source, whichever view of it is open.

import { make, mounted, skipToSource } from "../shared/component.js";

class SkipLink {
  constructor(parent) {
    this.link = make("a", "", parent, { href: "#source" });
    this.link.textContent = "Skip to the source";
    this.link.addEventListener("click", (event) => {
      event.preventDefault();
      skipToSource();
    });
  }

  receive() {}

  destroy() {
    this.link.remove();
  }
}

export default mounted(SkipLink);
