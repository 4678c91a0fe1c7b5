// One line while the server cannot be reached, in place of Streamlit's dialog over the page: what is on the page stays and
// can be read and copied. Streamlit asks for the server again and again, and says in an attribute whether it has it.

import { make, mounted } from "../shared/component.js";
import { ABSENT, wordsFor } from "./words.js";

const STATE = "data-test-connection-state";
const PATIENCE = 1500; // milliseconds without a server before anything is said

class ConnectionNotice {
  constructor(parent) {
    this.root = make("div", "notice", parent, { role: "status", popover: "manual" });
    this.app = document.querySelector(`[${STATE}]`);
    this.states = new MutationObserver(() => this.look());
    this.dialogs = new MutationObserver(() => closeStreamlitsOwn());
    if (this.app) this.states.observe(this.app, { attributeFilter: [STATE] });
  }

  receive() {
    this.look();
  }

  look() {
    const away = ABSENT.includes(this.app?.getAttribute(STATE) ?? "");
    if (away === (this.waiting !== undefined)) return;
    if (!away) return this.end();
    this.dialogs.observe(document.body, { childList: true, subtree: true });
    this.waiting = setTimeout(() => this.show(), PATIENCE);
  }

  show() {
    document.documentElement.classList.add("cs-away");
    this.root.showPopover();
    this.root.replaceChildren();
    for (const { text, code } of wordsFor(location.hostname))
      make(code ? "code" : "span", "", this.root).textContent = text;
  }

  end() {
    clearTimeout(this.waiting);
    this.waiting = undefined;
    this.dialogs.disconnect();
    document.documentElement.classList.remove("cs-away");
    if (this.root.matches(":popover-open")) this.root.hidePopover();
  }

  destroy() {
    this.end();
    this.states.disconnect();
    this.root.remove();
  }
}

/** Streamlit opens its dialog only once until the server is back: closed, it stays so. */
function closeStreamlitsOwn() {
  for (const dialog of document.querySelectorAll('[role="dialog"]')) {
    if (dialog.textContent?.startsWith("Connection error")) dialog.querySelector("button")?.click();
  }
}

export default mounted(ConnectionNotice);
