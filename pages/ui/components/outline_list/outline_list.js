// The headings of a document, one a line. One stop for the keyboard: arrows move, Enter goes. Only lines in view are in
// the page, so that a book's outline costs no more than a note's.

import { offers } from "../shared/commands.js";
import { make, mounted, skipToSource } from "../shared/component.js";
import { counted } from "../shared/counted.js";

const LINE = 26;
const BEYOND = 8; // lines drawn above and below what is in view
const PAGE = 10;

class OutlineList {
  constructor(parent) {
    this.root = make("div", "outline", parent, {
      role: "listbox",
      tabindex: "0",
      "aria-label": "Headings of the document",
    });
    this.space = make("div", "space", this.root, { role: "presentation" });
    this.lines = new Map();
    this.at = -1; // where the keyboard stands
    this.gone = -1; // where somebody went
    this.count = 0;
    this.noCommands = offers(() => this.commands());
    this.root.addEventListener("scroll", () => this.draw());
    this.root.addEventListener("keydown", (event) => this.key(event));
    this.root.addEventListener("focus", () => this.at < 0 && this.stand(Math.ceil(this.root.scrollTop / LINE)));
    this.root.addEventListener("click", (event) => {
      this.go(Math.floor((event.clientY - this.space.getBoundingClientRect().top) / LINE));
    });
  }

  receive({ data, setTriggerValue }) {
    this.trigger = setTriggerValue;
    if (!data) return;
    const content = JSON.stringify(data);
    if (content === this.content) return;
    this.content = content;
    this.headings = data;
    this.count = data.starts.length;
    this.at = this.gone = -1;
    this.lines.clear();
    this.space.replaceChildren();
    this.space.style.height = `${this.count * LINE}px`;
    this.root.style.height = `${Math.min(this.count * LINE + 10, 320)}px`;
    this.root.scrollTop = 0;
    this.draw();
  }

  draw() {
    const first = Math.max(0, Math.floor(this.root.scrollTop / LINE) - BEYOND);
    const last = Math.min(this.count, Math.ceil((this.root.scrollTop + 320) / LINE) + BEYOND);
    // Lines that stay are the same elements: one that is taken away while the mouse button is down hears no click.
    for (const [index, line] of this.lines) {
      if (index >= first && index < last) continue;
      line.remove();
      this.lines.delete(index);
    }
    let before = null;
    for (let index = last - 1; index >= first; index--) {
      let line = this.lines.get(index);
      if (!line) {
        this.lines.set(index, (line = this.line(index)));
        this.space.insertBefore(line, before);
      }
      line.classList.toggle("at", index === this.at);
      line.setAttribute("aria-selected", String(index === this.gone));
      before = line;
    }
    if (this.at >= first && this.at < last) this.root.setAttribute("aria-activedescendant", `outline-${this.at}`);
    else this.root.removeAttribute("aria-activedescendant");
  }

  line(index) {
    const { titles, levels, lines } = this.headings;
    const line = make("div", "line", null, {
      role: "option",
      id: `outline-${index}`,
      title: titles[index],
      "aria-setsize": this.count,
      "aria-posinset": index + 1,
      "aria-label": `${titles[index]}, level ${levels[index]}, line ${lines[index]}`,
    });
    line.style.top = `${index * LINE}px`;
    line.style.paddingInlineStart = `${8 + (levels[index] - 1) * 14}px`;
    make("bdi", "title", line).textContent = titles[index];
    make("span", "number", line).textContent = counted(lines[index]);
    return line;
  }

  key(event) {
    const step = { ArrowDown: 1, ArrowUp: -1, PageDown: PAGE, PageUp: -PAGE, Home: -this.count, End: this.count }[
      event.key
    ];
    if (step) this.stand(Math.min(this.count - 1, Math.max(0, this.at + step)));
    else if (event.key === "Enter" || event.key === " ") this.go(this.at);
    else return;
    event.preventDefault();
    event.stopPropagation();
  }

  stand(index) {
    this.at = index;
    const top = index * LINE;
    if (top < this.root.scrollTop) this.root.scrollTop = top;
    else if (top + LINE > this.root.scrollTop + this.root.clientHeight)
      this.root.scrollTop = top + LINE - this.root.clientHeight;
    this.draw();
  }

  go(index) {
    if (index < 0 || index >= this.count) return;
    this.at = this.gone = index;
    this.draw();
    this.trigger("went", this.headings.starts[index]);
  }

  /** @returns {import("../shared/commands.js").Command[]} */
  commands() {
    const { titles, lines } = this.count ? this.headings : { titles: [], lines: [] };
    return titles.map((name, index) => ({
      group: "Heading",
      name,
      hint: `line ${counted(lines[index])}`,
      run: () => {
        skipToSource(true);
        this.go(index);
      },
    }));
  }

  destroy() {
    this.noCommands();
    this.root.remove();
  }
}

export default mounted(OutlineList);
