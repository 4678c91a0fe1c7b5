// One line that offers something. While there is nothing to offer yet, it asks for it from time to time: first when the
// page has been at rest for a while, and never while a threshold is dragged. What was taken is said in its place, with
// Undo, which then has the keyboard if this line had it.

import { askForPanel } from "../panel_tabs/open_panel.js";
import { offers } from "../shared/commands.js";
import { make, mounted, skipToSource } from "../shared/component.js";
import { focused } from "../shared/focused.js";

const FIRST = 1500;
const AGAIN = 700;
const MOVED = "chunkscope:moved";
const OFFERS = "data-offers"; // on the page's root while something can be taken: a phone then shows it over the source

class OfferLine {
  panel = "";
  timer = 0;
  looks = false;
  undoable = false;

  constructor(parent) {
    this.root = make("div", "offer", parent, { tabindex: "-1" });
    this.line = make("p", "", this.root, { role: "status" });
    this.words = make("span", "", this.line);
    this.costs = make("b", "", this.line);
    this.rest = make("span", "", this.line);
    this.lead = lead();
    this.line.append(this.lead);
    this.line.addEventListener("click", (event) => {
      if (event.target !== this.lead) return;
      event.preventDefault();
      askForPanel(this.panel, { focus: true });
    });
    this.more = make("button", "more", this.root, { type: "button" });
    this.more.addEventListener("click", () => this.unfold(!this.isWhole()));
    this.resized = new ResizeObserver(() => this.offerMore());
    this.resized.observe(this.line);
    this.show = this.button("", "show", "Another sample; this one stays in the list");
    this.take = this.button("Try it", "take", "Undo restores the current settings");
    this.undo = this.button("Undo", "undo", "Brings back the settings from before");
    this.dismiss = this.button("Dismiss", "dismiss", "");
    this.moved = () => this.looks && this.wait(FIRST);
    document.addEventListener(MOVED, this.moved);
    this.noCommands = offers(() => offerCommands(this.show, this.take, this.words.textContent ?? ""));
  }

  button(words, answer, title) {
    const button = make("button", answer, this.root, { type: "button", title });
    button.textContent = words;
    button.addEventListener("click", () => {
      if (answer === "dismiss") skipToSource(true);
      else this.root.focus({ preventScroll: true }); // the button goes
      this.trigger?.("answer", answer);
    });
    return button;
  }

  /** @param {any} component */
  receive({ data, setTriggerValue }) {
    if (!data) return;
    this.trigger = setTriggerValue;
    const said = data.words + data.costs + data.rest;
    if (this.words.textContent + this.costs.textContent + this.rest.textContent !== said) this.say(data);
    this.offerMore();
    this.line.title = said + data.leads;
    this.panel = data.panel;
    this.lead.textContent = data.leads;
    this.lead.hidden = !data.leads;
    this.show.textContent = data.shown;
    this.show.hidden = !data.shown;
    this.take.hidden = !data.takes;
    this.take.classList.toggle("costly", data.costs !== "");
    this.undo.hidden = !data.undoable;
    if (data.undoable && !this.undoable && (focused() === this.root || focused() === document.body)) this.undo.focus();
    this.undoable = data.undoable;
    document.documentElement.toggleAttribute(OFFERS, data.takes || data.undoable);
    this.dismiss.hidden = !data.words;
    this.looks = data.looks;
    if (data.looks) this.wait(data.looked ? AGAIN : FIRST);
    else clearTimeout(this.timer);
  }

  /** The words and what leads on from them are new together: the one is not moved by the length of the others. */
  say({ words, costs, rest }) {
    this.unfold(false);
    this.words.textContent = words;
    this.costs.textContent = costs;
    this.rest.textContent = rest;
    if (this.lead.matches(":focus")) return;
    const next = lead();
    this.lead.replaceWith(next);
    this.lead = next;
  }

  isWhole() {
    return this.root.classList.contains("whole");
  }

  /** All lines of what is said, where a phone shows two, or two again. */
  unfold(whole) {
    this.root.classList.toggle("whole", whole);
    this.more.textContent = whole ? "Less" : "More";
    this.more.setAttribute("aria-expanded", String(whole));
  }

  offerMore() {
    this.more.hidden = !this.isWhole() && this.line.scrollHeight <= this.line.clientHeight + 1;
  }

  wait(time) {
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.trigger?.("answer", "look"), time);
  }

  destroy() {
    clearTimeout(this.timer);
    this.resized.disconnect();
    this.noCommands();
    document.documentElement.removeAttribute(OFFERS);
    document.removeEventListener(MOVED, this.moved);
    this.root.remove();
  }
}

/** What the line has buttons for now, for the command palette; Undo is listed by the buttons beside the thresholds.
 * @param {Pick<HTMLButtonElement, "hidden" | "textContent" | "focus" | "click">} show
 * @param {Pick<HTMLButtonElement, "hidden" | "textContent" | "focus" | "click">} take
 * @param {string} words what the line says
 * @returns {import("../shared/commands.js").Command[]} */
export function offerCommands(show, take, words) {
  /** @param {typeof show} button
   * @param {string} name
   * @returns {import("../shared/commands.js").Command[]} */
  const command = (button, name) => {
    const run = () => {
      button.focus();
      button.click();
    };
    return button.hidden ? [] : [{ group: "Action", name, also: "recommendation offer sample", run }];
  };
  return [...command(show, show.textContent ?? ""), ...command(take, `${take.textContent}: ${words.trim()}`)];
}

/** To a panel of this page. */
const lead = () => make("a", "lead", null, { href: "#" });

export default mounted(OfferLine);
