// A phone's sheet has the thresholds alone; what else can be set stands on the page, far below it: a button leads there, and
// one that stands above those settings back to the source. Half open, the sheet says meanwhile what they come to.

import { firstField } from "../pane_edge/panes.js";
import { halveSheet } from "../phone_sheet/sheet.js";
import { make, skipToSource } from "../shared/component.js";

/** @param {Element} parent
 * @param {AbortSignal} ended */
export function wayToOtherSettings(parent, ended) {
  const button = make("button", "others", parent, { type: "button" });
  button.textContent = "All settings";
  button.addEventListener("click", go);
  document.addEventListener("click", back, { signal: ended });
}

function go() {
  const place = document.querySelector(".st-key-settings");
  if (!place) return;
  halveSheet();
  place.scrollIntoView({ block: "start" });
  firstField(place)?.focus({ preventScroll: true });
}

/** @param {MouseEvent} event */
function back({ target }) {
  if (!(target instanceof Element) || !target.closest(".cs-back")) return;
  skipToSource();
  document.querySelector(".st-key-source")?.scrollIntoView({ block: "start" });
}
