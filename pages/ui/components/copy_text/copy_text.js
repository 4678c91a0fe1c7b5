// One click copies the text; the button says so for a moment.

import { make, mounted } from "../shared/component.js";
import { copyText } from "../source_view/clipboard.js";

class CopyText {
  constructor(parent) {
    this.button = make("button", "", parent, { type: "button" });
    this.button.addEventListener("click", () => this.copy());
    this.told = make("span", "unseen", parent, { role: "status" });
  }

  receive({ data }) {
    this.data = data;
    this.button.title = data.says;
    if (this.button.textContent !== "Copied") this.say("Copy");
  }

  say(word) {
    this.button.textContent = word;
    this.button.setAttribute("aria-label", word === "Copy" ? this.data.says : word);
    this.told.textContent = word === "Copy" ? "" : word;
  }

  async copy() {
    await copyText(this.data.text);
    this.say("Copied");
    clearTimeout(this.back);
    this.back = setTimeout(() => this.say("Copy"), 1400);
  }

  destroy() {
    clearTimeout(this.back);
    this.button.remove();
    this.told.remove();
  }
}

export default mounted(CopyText);
