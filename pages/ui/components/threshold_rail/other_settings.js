// A phone's sheet has the thresholds alone; what else can be set stands on the page, far below it: a button leads there.

import { firstField } from "../pane_edge/panes.js";
import { lowerSheet } from "../phone_sheet/sheet.js";
import { make } from "../shared/component.js";

/** @param {Element} parent */
export function wayToOtherSettings(parent) {
  const button = make("button", "others", parent, { type: "button" });
  button.textContent = "All settings";
  button.addEventListener("click", go);
}

function go() {
  const place = document.querySelector(".st-key-settings");
  if (!place) return;
  lowerSheet();
  place.scrollIntoView({ block: "start" });
  firstField(place)?.focus({ preventScroll: true });
}
