// One click copies the text; the button says so for a moment.

import { make, mounted } from "../shared/component.js";
import { tell } from "../shared/tell.js";
import { copyText } from "../source_view/clipboard.js";

class CopyText {
  constructor(parent) {
    this.button = make("button", "", parent, { type: "button" });
    this.button.addEventListener("click", () => this.copy());
  }

  receive({ data }) {
    this.data = data;
    this.button.title = data.says;
    if (this.button.textContent !== "Copied") this.say("Copy");
  }

  say(word) {
    this.button.textContent = word;
    this.button.setAttribute("aria-label", word === "Copy" ? this.data.says : word);
  }

  async copy() {
    await copyText(this.data.text);
    this.say("Copied");
    tell("Copied");
    clearTimeout(this.back);
    this.back = setTimeout(() => this.say("Copy"), 1400);
  }

  destroy() {
    clearTimeout(this.back);
    this.button.remove();
  }
}

export default mounted(CopyText);
