// The command palette: Ctrl+K (Cmd+K on a Mac) or its button; what is typed narrows the list, arrows choose, Enter does it.

import { anotherDocument } from "../shared/another_document.js";
import { offered, offers, whenOffered } from "../shared/commands.js";
import { make, mounted, skipToSource } from "../shared/component.js";
import { counted } from "../shared/counted.js";
import { focused } from "../shared/focused.js";
import { dialogIsOpen } from "../shared/open_dialog.js";
import { APPLE, asksForPalette, paletteCame, paletteWent } from "../shared/palette_keys.js";
import { rested } from "../shared/rested.js";
import { found, matching } from "./matching.js";
import { closeMenu, pageCommands } from "./page_commands.js";

const MOST = 60; // lines in the list: whoever wants others types more
const GROUPS = ["Action", "View", "Page", "Setting", "Document", "Heading"];
const LENS = "M8.8 14.6a5.8 5.8 0 1 1 0-11.6 5.8 5.8 0 0 1 0 11.6zM13.2 13.2L17.4 17.4";
const CROSS = "M5 5l10 10M15 5L5 15";
const OFTEN = 50; // milliseconds between two looks
const LONG = 5_000; // milliseconds in which the page is drawn after the palette
const KEYS = APPLE ? "⌘K" : "Ctrl K";

class CommandPalette {
  /** @type {import("../shared/commands.js").Command[]} */
  found = [];
  at = 0;
  /** Whether a command closed the palette. */
  chosen = false;

  constructor(parent) {
    this.root = make("div", "palette", parent);
    this.button = make("button", "open", this.root, {
      ...{ type: "button", title: `Commands (${KEYS})`, "aria-label": `Commands, ${KEYS}`, "aria-haspopup": "dialog" },
    });
    this.button.append(drawn(LENS));
    make("span", "", this.button).textContent = KEYS;
    this.dialog = make("dialog", "", this.root, { "aria-label": "Commands", tabindex: "-1" }); // a click in it keeps the keys here
    const search = make("div", "search", this.dialog);
    this.input = make("input", "", search, {
      ...{ type: "text", role: "combobox", "aria-label": "Search commands", placeholder: "Go to or do …" },
      ...{ "aria-controls": "commands", "aria-expanded": "true", "aria-autocomplete": "list", autocomplete: "off" },
      ...{ spellcheck: "false", autocapitalize: "off" },
    });
    const close = make("button", "close", search, { type: "button", title: "Close", "aria-label": "Close" });
    close.append(drawn(CROSS));
    this.list = make("div", "list", this.dialog, { role: "listbox", id: "commands", "aria-label": "Commands" });
    this.status = make("p", "status", this.dialog, { "aria-hidden": "true" });
    const heard = make("p", "heard", this.dialog, { role: "status" }); // when the keys rest, and not of each letter
    this.saying = rested((words) => {
      if (heard.textContent !== words) heard.textContent = words;
    });
    this.button.addEventListener("click", () => this.open());
    close.addEventListener("click", () => this.dialog.close());
    this.input.addEventListener("input", () => this.narrow());
    this.dialog.addEventListener("keydown", (event) => this.keyDown(event));
    this.dialog.addEventListener("click", (event) => event.target === this.dialog && this.dialog.close());
    this.dialog.addEventListener("close", () => this.giveBack(performance.now() + LONG));
    this.list.addEventListener("pointermove", (event) => this.pointAt(this.lineOf(event)));
    this.list.addEventListener("click", (event) => this.run(this.lineOf(event)));
    this.onKey = (event) => this.shortcut(event);
    document.addEventListener("keydown", this.onKey);
    // A page that was just opened offers its commands when its parts have come: the open palette then takes them in.
    this.noLater = whenOffered(() => requestAnimationFrame(() => this.dialog.open && this.narrow(this.found[this.at])));
    const take = (kind, key) => this.trigger(kind, key);
    this.noCommands = offers(() => (this.data ? pageCommands(this.data, take) : []));
    const typed = paletteCame();
    if (typed !== null) requestAnimationFrame(() => this.root.isConnected && this.open(typed));
  }

  /** @param {{data: import("./page_commands.js").Data | undefined, setTriggerValue: any}} component */
  receive({ data, setTriggerValue }) {
    this.trigger = setTriggerValue;
    if (!data) return;
    if (this.data && data.document !== this.data.document) anotherDocument();
    this.data = data;
  }

  /** @param {KeyboardEvent} event */
  shortcut(event) {
    if (!asksForPalette(event)) return;
    event.preventDefault();
    if (this.dialog.open) this.dialog.close();
    else if (!dialogIsOpen()) this.open();
  }

  /** @param {string} [typed] what was typed before it could be opened */
  open(typed = "") {
    closeMenu();
    this.input.value = typed;
    this.chosen = false;
    this.dialog.showModal(); // it keeps the focus in it, and gives it back
    this.narrow();
  }

  /** @param {import("../shared/commands.js").Command} [chosen] stays chosen if it is still there */
  narrow(chosen) {
    this.found = matching(
      this.input.value,
      commands(this.input.value).filter(({ idle }) => !idle || this.input.value.trim()),
    );
    const shown = this.found.slice(0, MOST);
    this.list.replaceChildren(...shown.map((command, index) => this.line(command, index)));
    const more = this.found.length > MOST ? `, the first ${MOST} are listed` : "";
    const count = this.found.length === 1 ? "1 command" : `${counted(this.found.length)} commands`;
    // What has only the letters that were typed, here and there, is most likely not what was meant: Enter does none of it.
    const named = shown.length > 0 && found(this.input.value, shown[0]);
    const meant = named && !shown[0].idle;
    const only = named ? "" : ", with these letters only: choose one with the arrows";
    this.status.textContent = this.found.length ? `${count}${more}${only}` : "No command matches";
    this.saying.later(this.status.textContent);
    this.list.scrollTop = 0;
    const still = chosen ? shown.findIndex(({ group, name }) => group === chosen.group && name === chosen.name) : -1;
    this.stand(still < 0 && meant ? 0 : still);
  }

  /** @param {import("../shared/commands.js").Command} command
   * @param {number} index */
  line({ group, name, hint, idle }, index) {
    const line = make("div", "line", null, {
      ...{ role: "option", id: `command-${index}`, "aria-selected": "false" },
      ...(idle ? { "aria-disabled": "true" } : {}),
    });
    make("bdi", "name", line).textContent = name;
    make("span", "hint", line).textContent = hint ? `${group} · ${hint}` : group;
    return line;
  }

  /** @param {Event} event */
  lineOf(event) {
    const line = event.target instanceof Element ? event.target.closest(".line") : null;
    return line ? [...this.list.children].indexOf(line) : -1;
  }

  /** @param {number} index none is chosen below 0
   * @param {boolean} [scroll] */
  stand(index, scroll = true) {
    this.list.children[this.at]?.setAttribute("aria-selected", "false");
    this.at = index;
    const line = this.list.children[index];
    if (!line) return this.input.removeAttribute("aria-activedescendant");
    line.setAttribute("aria-selected", "true");
    this.input.setAttribute("aria-activedescendant", line.id);
    if (scroll) line.scrollIntoView({ block: "nearest" });
  }

  pointAt(index) {
    if (index >= 0) this.stand(index, false);
  }

  /** @param {KeyboardEvent} event */
  keyDown(event) {
    event.stopPropagation(); // no key of what lies below
    const count = this.list.childElementCount;
    const step = { ArrowDown: 1, ArrowUp: -1, PageDown: 8, PageUp: -8 }[event.key];
    if (event.isComposing) return;
    if (event.target instanceof HTMLButtonElement) return this.shortcut(event);
    if (step && count) {
      const to = Math.max(this.at, step < 0 ? 0 : -1) + step;
      this.stand(Math.abs(step) === 1 ? (to + count) % count : Math.min(count - 1, Math.max(0, to)));
    } else if (event.key === "Enter") this.run(this.at);
    else return this.shortcut(event);
    event.preventDefault();
  }

  run(index) {
    const command = this.found[index];
    if (!command || command.idle) return;
    this.chosen = true;
    this.dialog.close();
    command.run();
  }

  /** Gives the keyboard to the source where what had it is gone: a run drew it anew. What a command does may want it.
   * @param {number} until when the source may come that is drawn anew too */
  giveBack(until) {
    const lost = () => focused().tagName === "BODY" || this.dialog.contains(focused()); // closed, it keeps it for a moment
    if (this.chosen || this.dialog.open || !lost()) return;
    skipToSource(true);
    if (lost() && performance.now() < until) setTimeout(() => this.giveBack(until), OFTEN);
  }

  destroy() {
    paletteWent();
    this.saying.never();
    document.removeEventListener("keydown", this.onKey);
    this.noCommands();
    this.noLater();
    this.root.remove();
  }
}

/** What the page offers, each once, in the order of the groups.
 * @param {string} typed */
function commands(typed) {
  const seen = new Set();
  return offered(typed)
    .filter(({ group, name }) => group === "Heading" || (!seen.has(group + name) && seen.add(group + name)))
    .sort((one, other) => GROUPS.indexOf(one.group) - GROUPS.indexOf(other.group));
}

/** A picture of one line.
 * @param {string} line */
function drawn(line) {
  const picture = document.createElementNS("http://www.w3.org/2000/svg", "svg");
  picture.setAttribute("viewBox", "0 0 20 20");
  picture.setAttribute("aria-hidden", "true");
  const path = document.createElementNS("http://www.w3.org/2000/svg", "path");
  path.setAttribute("d", line);
  picture.append(path);
  return picture;
}

export default mounted(CommandPalette);
