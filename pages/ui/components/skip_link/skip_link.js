// The link past the pages and the controls: Enter puts the keyboard into the source, whichever view of it is open, into a
// table, or to where a part of the page begins; a page that was opened by keyboard gives it to the same place. The first Tab
// on a page that has just been opened leads to the link: Streamlit's menu, which stands before it, comes when one goes back
// or round.

import { firstField } from "../pane_edge/panes.js";
import { offers } from "../shared/commands.js";
import { make, mounted, skipLinkCame, skipToSource, takesSkips } from "../shared/component.js";

class SkipLink {
  constructor(parent) {
    this.key = "";
    this.field = false;
    this.link = make("a", "", parent, { href: "#source" });
    this.link.addEventListener("click", (event) => {
      event.preventDefault();
      skipToSource();
    });
    this.wanted = skipLinkCame();
    this.begun = new AbortController();
    const { signal } = this.begun;
    document.addEventListener("keydown", (event) => this.firstTab(event), { capture: true, signal });
    document.addEventListener("pointerdown", () => this.begun.abort(), { capture: true, signal });
    this.noSkips = takesSkips(() => this.part());
    this.noCommands = offers(() => [
      { group: "Action", name: (this.link.textContent ?? "").replace("Skip", "Go"), run: () => skipToSource() },
    ]);
  }

  /** @param {{data: {label: string, key: string, field: boolean} | undefined}} component */
  receive({ data }) {
    if (!data) return;
    this.link.textContent = data.label;
    this.key = data.key;
    this.field = data.field;
    if (this.wanted) this.link.focus();
    this.wanted = false;
  }

  /** @param {KeyboardEvent} event */
  firstTab(event) {
    if (event.key !== "Tab" || event.altKey || event.ctrlKey || event.metaKey) return;
    this.begun.abort();
    if (event.shiftKey || document.activeElement !== document.body) return; // the keyboard is somewhere already
    event.preventDefault();
    this.link.focus();
  }

  /** What takes the keyboard, where no component of ours does. */
  part() {
    /** @type {HTMLElement | null} */
    const part = this.key ? document.querySelector(`.st-key-${this.key}`) : null;
    if (!part) return null;
    if (this.field) return firstField(part);
    part.tabIndex = -1;
    return part;
  }

  destroy() {
    this.begun.abort();
    this.noSkips();
    this.noCommands();
    this.link.remove();
  }
}

export default mounted(SkipLink);
