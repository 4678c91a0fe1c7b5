// Where there is room for one threshold only (a phone's sheet), which one: its name is a box to choose another by.

import { make } from "../shared/component.js";

/** @typedef {{element: HTMLElement, name: HTMLElement}} Row */

export class OneThreshold {
  setting = "";

  /** @param {Map<string, Row>} rows by setting */
  constructor(rows) {
    this.rows = rows;
  }

  /** Gives every row a box with the names of all.
   * @param {{setting: string, title: string}[]} thresholds */
  build(thresholds) {
    for (const [own, { name }] of thresholds.length > 1 ? this.rows : []) {
      const box = make("select", "which", name, { "aria-label": "Threshold shown" });
      for (const { setting, title } of thresholds) make("option", "", box, { value: setting }).textContent = title;
      box.value = own;
      box.addEventListener("change", () => {
        const wanted = box.value;
        box.value = own;
        this.show(wanted);
        this.rows.get(wanted)?.name.querySelector("select")?.focus();
      });
    }
    this.show(this.rows.has(this.setting) ? this.setting : (thresholds[0]?.setting ?? ""));
  }

  /** @param {string} shown */
  show(shown) {
    this.setting = shown;
    for (const [setting, { element }] of this.rows) element.classList.toggle("shown", setting === shown);
  }
}
