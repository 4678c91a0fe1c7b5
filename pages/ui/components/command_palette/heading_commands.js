// The open document's headings as commands, on a page that shows none of them: each leads to Inspect. Nothing is drawn.

import { offers } from "../shared/commands.js";
import { mounted } from "../shared/component.js";
import { counted } from "../shared/counted.js";

class HeadingCommands {
  /** @type {{titles: string[], lines: number[], starts: number[]}} */
  headings = { titles: [], lines: [], starts: [] };

  constructor() {
    this.noCommands = offers(() => this.commands());
  }

  receive({ data, setTriggerValue }) {
    this.trigger = setTriggerValue;
    if (data) this.headings = data;
  }

  /** @returns {import("../shared/commands.js").Command[]} */
  commands() {
    const { titles, lines, starts } = this.headings;
    return titles.map((name, index) => ({
      group: "Heading",
      name,
      hint: `line ${counted(lines[index])}, in Inspect`,
      run: () => this.trigger("went", starts[index]),
    }));
  }

  destroy() {
    this.noCommands();
  }
}

export default mounted(HeadingCommands);
