// One click copies the text; the button says so for a moment.

import { copyText } from "../source_view/clipboard.js";

const buttons = new WeakMap();

export default function mount({ data, parentElement: parent }) {
  const button = buttons.get(parent) ?? parent.appendChild(document.createElement("button"));
  buttons.set(parent, button);
  button.type = "button";
  button.title = data.says;
  const say = (word) => {
    button.textContent = word;
    button.setAttribute("aria-label", word === "Copy" ? data.says : word);
  };
  if (button.textContent !== "Copied") say("Copy");
  button.onclick = async () => {
    await copyText(data.text);
    say("Copied");
    clearTimeout(button.back);
    button.back = setTimeout(() => say("Copy"), 1400);
  };
  return () => {
    clearTimeout(button.back);
    button.remove();
    buttons.delete(parent);
  };
}
