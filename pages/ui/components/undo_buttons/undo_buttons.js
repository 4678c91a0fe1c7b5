// Undo and redo: two buttons, and Ctrl+Z, Ctrl+Y and Ctrl+Shift+Z (or Cmd+Z and Cmd+Shift+Z) wherever no text field has the
// focus, which has an undo of its own. The field of a threshold whose value has been taken has none any more.

import { offers } from "../shared/commands.js";
import { COMMITTED } from "../shared/committed.js";
import { mounted } from "../shared/component.js";
import { tell } from "../shared/tell.js";
import { KeptHistory } from "./kept_history.js";

const KINDS = { undo: ["↶", "Undo"], redo: ["↷", "Redo"] };
const DONE = { undo: "Undone", redo: "Redone" };
const KEYS = {
  undo: { apple: "⌘Z", others: "Ctrl+Z" },
  redo: { apple: "⌘⇧Z", others: "Ctrl+Y or Ctrl+Shift+Z" },
};
const TYPED = ["checkbox", "radio", "range", "button", "submit", "reset", "file", "color"];

class UndoButtons {
  constructor(parent) {
    this.root = document.createElement("div");
    this.root.className = "steps";
    this.root.setAttribute("role", "group");
    this.root.setAttribute("aria-label", "Steps back and forward through the settings");
    parent.append(this.root);
    this.kept = new KeptHistory((former) => this.trigger("recalled", former));
    this.apple = /Mac|iP(hone|ad|od)/.test(navigator.platform);
    this.buttons = Object.fromEntries(Object.keys(KINDS).map((kind) => [kind, this.button(kind)]));
    this.onKey = (event) => this.key(event);
    document.addEventListener("keydown", this.onKey);
    this.noCommands = offers(() => this.commands());
  }

  button(kind) {
    const button = document.createElement("button");
    button.type = "button";
    const sign = document.createElement("span");
    const word = document.createElement("span");
    sign.className = "sign";
    word.className = "word";
    sign.setAttribute("aria-hidden", "true");
    [sign.textContent, word.textContent] = KINDS[kind];
    button.append(sign, word);
    button.addEventListener("click", () => this.step(kind));
    this.root.append(button);
    return button;
  }

  receive({ data, setTriggerValue }) {
    this.trigger = setTriggerValue;
    if (!data) return;
    this.words = data;
    for (const [kind, button] of Object.entries(this.buttons)) {
      const keys = KEYS[kind][this.apple ? "apple" : "others"];
      const word = KINDS[kind][1];
      // Not `disabled`: the focus would be lost with the last step.
      button.setAttribute("aria-disabled", String(!data[kind]));
      button.title = data[kind] ? `${word}: ${data[kind]} (${keys})` : `Nothing to ${kind}`;
    }
    this.kept.receive(data.kept);
  }

  key(event) {
    const kind = stepOf(event, this.apple);
    if (!kind || event.defaultPrevented || inTextField(event)) return;
    event.preventDefault();
    this.step(kind);
  }

  step(kind) {
    if (this.buttons[kind].getAttribute("aria-disabled") === "true") return;
    tell(`${DONE[kind]}: ${this.words[kind]}`);
    this.trigger("step", kind);
  }

  /** @returns {import("../shared/commands.js").Command[]} */
  commands() {
    return Object.entries(this.buttons).map(([kind, button]) => {
      const idle = button.getAttribute("aria-disabled") !== "false";
      const name = idle ? `${KINDS[kind][1]}: nothing to ${kind}` : button.title;
      return { group: "Action", name, idle, run: () => this.step(kind) };
    });
  }

  destroy() {
    this.noCommands();
    document.removeEventListener("keydown", this.onKey);
    this.root.remove();
  }
}

/** What keys ask for: "undo", "redo", or "" for nothing of it. Cmd+Y is a browser's own.
 * @param {{key: string, ctrlKey: boolean, metaKey: boolean, shiftKey: boolean, altKey: boolean}} event
 * @param {boolean} apple */
export function stepOf({ key, ctrlKey, metaKey, shiftKey, altKey }, apple) {
  if (!(apple ? metaKey : ctrlKey) || altKey) return "";
  if (key.toLowerCase() === "z") return shiftKey ? "redo" : "undo";
  return key.toLowerCase() === "y" && !shiftKey && !apple ? "redo" : "";
}

function inTextField(event) {
  const element = event.composedPath()[0];
  if (!(element instanceof HTMLElement)) return false;
  if (element.hasAttribute(COMMITTED)) return false;
  if (element instanceof HTMLInputElement) return !TYPED.includes(element.type);
  return element instanceof HTMLTextAreaElement || element instanceof HTMLSelectElement || element.isContentEditable;
}

export default mounted(UndoButtons);
