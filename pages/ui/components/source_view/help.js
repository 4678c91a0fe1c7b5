// The help sheet: what the keys do and what the marks mean; where it is touched the marks are first, and the keys folded away.

import { make } from "../shared/component.js";
import { letWorkOnPage, workOnPage } from "../shared/page_keys.js";
import { PHONE } from "../shared/phone.js";
import { VIEW_KEYS } from "../shared/view_keys.js";
import { KEYS, ON_PAGE } from "./keys.js";

const MARKS = [
  ["band", "A chunk: its colour and rail pattern repeat, its number does not"],
  ["ends", "Left of a chunk's number: why the chunk above ends"],
  [
    "lap",
    "Overlap: text of this chunk that the next one repeats, with a thin edge and stripes in the colour of the next one",
  ],
  ["skip", "Left out: in no chunk, with its reason at its right"],
  ["blank", "White space that is not embedded"],
  ["cut", "A cut inside a line"],
  [
    "tear",
    "A torn boundary: it cuts a table, code or a list in two; on the overview a zigzag, or, of many, bars: the longer the more",
  ],
  ["back", "Small to big: what a hit gives back; that of the selected chunk is heavier, with its outline in the text"],
  ["tick", "A boundary of the baseline only; on the overview, each of the baseline's"],
  ["answer", "A: an answer to a question, whole in one chunk"],
  ["answer draft", "?: an answer to a drafted question that nobody has reviewed"],
  ["whole", "W: to be kept whole, and it is"],
  ["split", "Marked, and a chunk boundary cuts it"],
];

export function helpSheet(bar) {
  const details = make("details", "legend", bar, { "aria-label": "Marks and keys" });
  make("summary", "", details, {
    "aria-label": "What the marks mean and what the keys do",
    title: "Help (?)",
  }).textContent = "?";
  const sheet = make("div", "sheet", details, { tabindex: "0", role: "group", "aria-label": "Help" });
  if (matchMedia(`(pointer: coarse), ${PHONE}`).matches) {
    addMarks(sheet);
    const folded = /** @type {HTMLDetailsElement} */ (make("details", "", sheet));
    const summary = make("summary", "", folded);
    summary.textContent = "Keys, with a keyboard";
    folded.addEventListener("toggle", () => {
      if (!folded.open) return;
      sheet.scrollTo(0, folded.offsetTop);
      summary.scrollIntoView({ block: "nearest" });
    });
    addKeys(folded);
  } else {
    make("h2", "", sheet).textContent = "Keys";
    addKeys(sheet);
    addMarks(sheet);
  }
  return details;
}

function addKeys(sheet) {
  make("p", "", sheet).textContent = "They work while the source has the focus: click it, or go to it with Tab.";
  sheet.append(onPage());
  const keys = make("dl", "keys", sheet);
  for (const [names, words] of KEYS) {
    const term = make("dt", "", keys);
    for (const name of names) make("kbd", "", term).textContent = name;
    make("dd", "", keys).textContent = words;
  }
}

function addMarks(sheet) {
  make("h2", "", sheet).textContent = "Marks";
  const marks = make("dl", "", sheet);
  for (const [mark, words] of MARKS) {
    make("i", `key ${mark}`, make("dt", "", marks), { "aria-hidden": "true" });
    make("dd", "", marks).textContent = words;
  }
}

/** Whether those that read work outside of the source, too, and the way to have them off. */
function onPage() {
  const label = make("label", "");
  const box = /** @type {HTMLInputElement} */ (make("input", "", label, { type: "checkbox" }));
  box.checked = workOnPage();
  box.addEventListener("change", () => letWorkOnPage(box.checked));
  const letters = ON_PAGE.filter((key) => !VIEW_KEYS.includes(key)).join(" ");
  const keys = `${letters} and 1 to ${VIEW_KEYS.length}`;
  label.append(`Some of these keys also work outside the source, except in fields and lists: ${keys}`);
  return label;
}
