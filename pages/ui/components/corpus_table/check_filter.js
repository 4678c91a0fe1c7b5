// The choice of a health check: only documents that do not pass it are shown.

import { make } from "../shared/component.js";
import { counted } from "../shared/counted.js";
import { countChecks } from "./table_rows.js";

/** @param {HTMLElement} parent
 * @param {(check: string) => void} onChoose called with the name of a check, "" for all documents */
export function newCheckFilter(parent, onChoose) {
  const select = /** @type {HTMLSelectElement} */ (make("select", "check", parent, { "aria-label": "Health check" }));
  select.addEventListener("change", () => onChoose(select.value));
  return select;
}

/** Lists the checks, each with how many documents do not pass it.
 * @param {HTMLSelectElement} select
 * @param {import("./table_rows.js").Row[]} rows
 * @param {Record<string, string>} titles of the checks, by name
 * @param {string} chosen */
export function fillCheckFilter(select, rows, titles, chosen) {
  const cut = rows.filter((row) => row.known && !row.problem);
  const checked = cut.filter((row) => row.checked === "yes").length;
  const progress = `Checking ${counted(checked)} of ${counted(cut.length)}`;
  const counts = countChecks(rows);
  if (chosen && !counts.some(({ name }) => name === chosen)) counts.push({ name: chosen, failed: 0, warned: 0 });
  const options = [["", checked < cut.length ? progress : "Any health check"]];
  for (const { name, failed, warned } of counts)
    options.push([name, `${titles[name] ?? name}: ${verdictWords(failed, warned)}`]);
  options.forEach(([value, words], index) => {
    const option = select.options[index] ?? select.appendChild(new Option("", value)); // else its words are its value
    if (option.value !== value) option.value = value;
    if (option.textContent !== words) option.textContent = words;
  });
  while (select.options.length > options.length) select.remove(options.length);
  if (select.value !== chosen) select.value = chosen;
}

/** @param {number} failed
 * @param {number} warned */
function verdictWords(failed, warned) {
  const warnings = warned === 1 ? "warning" : "warnings";
  const some = [failed ? `${counted(failed)} failed` : "", warned ? `${counted(warned)} ${warnings}` : ""];
  return some.filter(Boolean).join(", ") || "none";
}
