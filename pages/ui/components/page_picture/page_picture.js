// A page of a PDF with the lines of the chosen chunk outlined. It says when it can be seen, which page is asked for, and looks
// again while its picture is being drawn.

import { make, mounted } from "../shared/component.js";

const AGAIN = 500; // milliseconds between two looks for a picture: the same answer as before is not sent again

class PagePicture {
  seen = false;
  timer = 0;
  page = 1;
  pages = 1;
  about = "";

  constructor(parent) {
    this.root = make("section", "page", parent, { "aria-label": "Page of the document" });
    const row = make("div", "turn", this.root);
    this.before = this.button("‹", "Page before", row, -1);
    this.words = make("span", "words", row, { role: "status" });
    this.after = this.button("›", "Next page", row, 1);
    this.note = make("p", "note", this.root);
    this.paper = make("div", "paper", this.root);
    this.picture = make("img", "", this.paper, { alt: "" });
    this.picture.hidden = true;
    this.lines = make("div", "lines", this.paper, { "aria-hidden": "true" });
    this.watch = new IntersectionObserver((entries) => this.look(entries.some(({ isIntersecting }) => isIntersecting)));
    this.watch.observe(this.root);
  }

  button(sign, words, parent, by) {
    const button = make("button", "", parent, { type: "button", "aria-label": words, title: words });
    button.textContent = sign;
    button.addEventListener("click", () => this.turn(by));
    return button;
  }

  look(seen) {
    if (seen === this.seen) return;
    this.seen = seen;
    this.tell?.("seen", seen);
  }

  turn(by) {
    const number = this.page + by;
    if (number < 1 || number > this.pages) return;
    this.page = number; // a second click before the answer turns one further
    this.say();
    this.tell?.("page", { about: this.about, number });
  }

  say() {
    this.words.textContent = `Page ${this.page} of ${this.pages}`;
    this.before.setAttribute("aria-disabled", String(this.page <= 1));
    this.after.setAttribute("aria-disabled", String(this.page >= this.pages));
  }

  /** @param {any} component */
  receive({ data, setStateValue, setTriggerValue }) {
    if (!data) return;
    this.tell = setStateValue;
    clearInterval(this.timer);
    if (data.stays) return;
    Object.assign(this, { page: data.page, pages: data.pages, about: data.about });
    this.say();
    this.note.textContent = data.problem || data.note;
    this.note.className = data.problem ? "note problem" : "note";
    this.draw(data);
    if (data.waits) this.timer = setInterval(() => setTriggerValue("look", Date.now()), AGAIN);
  }

  draw({ png, width, height, page, pages, boxes, waits }) {
    this.root.setAttribute("aria-busy", String(waits));
    if (waits) return; // the page before stays until this one is here
    this.picture.hidden = !png;
    const source = png ? `data:image/png;base64,${png}` : "";
    if (png && this.picture.src !== source) this.picture.src = source;
    if (width) this.paper.style.aspectRatio = `${width} / ${height}`;
    const outlined = boxes.length ? `, the chunk outlined in ${boxes.length} places` : "";
    this.picture.alt = `Page ${page} of ${pages}${outlined}`;
    this.lines.replaceChildren();
    for (const [left, top, right, bottom] of boxes) {
      const line = make("span", "", this.lines);
      Object.assign(line.style, {
        left: `${left / 10}%`,
        top: `${top / 10}%`,
        width: `${(right - left) / 10}%`,
        height: `${(bottom - top) / 10}%`,
      });
    }
  }

  destroy() {
    clearInterval(this.timer);
    this.watch.disconnect();
    this.root.remove();
  }
}

export default mounted(PagePicture);
