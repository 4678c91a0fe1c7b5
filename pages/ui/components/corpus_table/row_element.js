// One row of the corpus table in the page: its cells, its strip, its numbers.

import { make } from "../shared/component.js";
import { counted } from "../shared/counted.js";
import { paintStrip } from "./strip.js";

export const LINE = 46; // pixels
export const TALL_LINE = 82;
export const NARROW = 600; // of the table, as in corpus_table.css: up to there a row is tall

/** @type {[string, string, string][]} name, title, what it is */
export const COLUMNS = [
  ["document", "Document", ""],
  ["strip", "Boundaries", ""],
  ["chunks", "Chunks", "chunks"],
  ["median", "Median", "median tokens of a chunk"],
  ["within", "Within", "share of chunks within the limits"],
  ["torn", "Blocks cut", "blocks cut in two: tables, code and lists with a boundary inside"],
  ["over", "Over", "chunks over the maximum by what it counts; + with context: more over it as they are embedded"],
  [
    "left_out",
    "Chars left out",
    "visible characters in no chunk, and why, front matter not counted; red where no setting leaves them out",
  ],
  ["checks", "Checks", "health checks that failed, and those that give a warning"],
  ["override", "Override", "the override that applies to the document"],
];

/** An empty row.
 * @param {number} index its place in the table
 * @param {number} high of a row, in pixels */
export function newLine(index, high) {
  const element = make("div", "line", null, { role: "row", id: `corpus-${index}`, "aria-rowindex": index + 2 });
  element.style.top = `${index * high}px`;
  for (const [name] of COLUMNS) make("div", `cell ${name}`, element, { role: "gridcell" });
  make("div", "cell rest", element, { role: "gridcell" });
  const [title, strip] = element.children;
  make("bdi", "base", title);
  make("bdi", "folder", title);
  make("canvas", "", strip, { "aria-hidden": "true" });
  return element;
}

/** Writes a document's numbers into a row.
 * @param {HTMLElement} element
 * @param {import("./table_rows.js").Row} row
 * @param {{titles: Record<string, string>, repeats: boolean}} about the titles of the health checks by name, and
 *   whether the last column says what is repeated where
 * @param {{hues: string[], warn: string, ground: string}} colours */
export function fillLine(element, row, { titles, repeats }, colours) {
  const [title, strip, ...cells] = /** @type {HTMLElement[]} */ ([...element.children]);
  const rest = /** @type {HTMLElement} */ (cells.pop());
  const cut = row.name.lastIndexOf("/");
  const [base, folder] = title.children;
  base.textContent = row.name.slice(cut + 1);
  folder.textContent = cut < 0 ? "" : row.name.slice(0, cut);
  title.title = row.name;
  const words = wordsOf(row);
  if (repeats && !row.problem) words.override = row.alsoIn;
  COLUMNS.slice(2).forEach(([name], index) => {
    const cell = cells[index];
    cell.textContent = words[name];
    if (name === "over") {
      const context = (cell.title = contextWords(row));
      saySmaller(cell, context, `+${counted(row.over_with_context)} with context`);
    }
    if (name === "left_out") saySmaller(cell, reasonWords(row));
    cell.classList.toggle("bad", name in BAD && row.known && !row.problem && row[BAD[name]] > 0);
  });
  rest.textContent = restWords(row, words);
  rest.classList.toggle("wrong", Boolean(row.problem));
  const [checks, last] = cells.slice(-2);
  checks.classList.toggle("bad", row.failed.length > 0);
  checks.classList.toggle("before", row.checked === "before");
  saySmaller(checks, row.failed.length ? warnedWords(row) : "");
  checks.title = checkWords(row, titles);
  if (checks.title) checks.setAttribute("aria-label", checks.title);
  else checks.removeAttribute("aria-label");
  last.title = words.override;
  last.classList.toggle("wrong", Boolean(row.problem));
  const said = boundaryWords(row);
  if (said) strip.setAttribute("aria-label", said);
  else strip.removeAttribute("aria-label");
  paintStrip(/** @type {HTMLCanvasElement} */ (strip.firstChild), row.places, colours);
}

/** What is said smaller, below a number.
 * @param {HTMLElement} cell
 * @param {string} said "" for nothing
 * @param {string} shown the same, where it has to be shorter to be seen */
function saySmaller(cell, said, shown = said) {
  if (said) make("small", "", cell).textContent = shown;
  if (said) cell.setAttribute("aria-label", `${cell.firstChild?.textContent}, ${said}`);
  else cell.removeAttribute("aria-label");
}

/** How many more chunks are over the maximum with their context, beside those that are over it without.
 * @param {{known: boolean, problem: string, over_with_context: number}} row */
export function contextWords({ known, problem, over_with_context }) {
  return known && !problem && over_with_context ? `${counted(over_with_context)} more with context` : "";
}

/** What a narrow table has no column for, in the same words and order.
 * @param {Pick<import("./table_rows.js").Row, "known" | "problem" | "over" | "over_with_context" | "left_out" | "failed" | "warned" | "checked">} row
 * @param {Record<string, string>} words of its cells */
export function restWords(row, { median, within, over, left_out, checks, override }) {
  if (!row.known || row.problem) return row.problem;
  const context = contextWords(row);
  const many = row.failed.length > 0 || row.warned.length > 0;
  return [
    `median ${median} tokens`,
    within === "–" ? "" : `${within} within limits`,
    row.over || context ? [`${over} over`, context].filter(Boolean).join(", ") : "",
    row.left_out ? `${left_out} characters left out` : "",
    row.checked !== "no" && many ? `checks: ${checks}` : "",
    override,
  ]
    .filter(Boolean)
    .join(" · ");
}

/** Why characters are in no chunk.
 * @param {Pick<import("./table_rows.js").Row, "known" | "problem" | "left_out" | "short_tail" | "lost">} row */
export function reasonWords({ known, problem, left_out, short_tail, lost }) {
  if (!known || problem) return "";
  const reasons = [
    ["lost", lost],
    ["short last chunk", short_tail],
    ["by settings", left_out - short_tail - lost],
  ].filter(([, characters]) => Number(characters) > 0);
  return reasons.length > 1 ? `${reasons[0][0]}, …` : String(reasons[0]?.[0] ?? "");
}

/** How many warnings health checks give. @param {{warned: string[]}} row */
function warnedWords({ warned }) {
  return warned.length ? `${warned.length} ${warned.length === 1 ? "warning" : "warnings"}` : "";
}

/** By column, the number that makes it red. @type {Record<string, "torn" | "over" | "lost">} */
const BAD = { torn: "torn", over: "over", left_out: "lost" };

/** What the strip shows, for those who do not see it; "" where it is empty.
 * @param {{known: boolean, problem: string, chunks: number, torn: number}} row */
export function boundaryWords({ known, problem, chunks, torn }) {
  if (!known || problem) return "";
  const boundaries = Math.max(0, chunks - 1);
  const count = boundaries ? counted(boundaries) : "No";
  const cut = torn ? `; ${counted(torn)} ${torn === 1 ? "block is" : "blocks are"} cut in two` : "";
  return `${count} ${boundaries === 1 ? "boundary" : "boundaries"}${cut}`;
}

/** The checks that a document does not pass, by name.
 * @param {import("./table_rows.js").Row} row */
function checkWords(row, titles) {
  if (row.checked === "no" || row.problem) return "";
  const some = (words, names) =>
    names.length ? [`${words}: ${names.map((name) => titles[name] ?? name).join(", ")}`] : [];
  return [...some("Failed", row.failed), ...some("Warnings", row.warned)].join("; ") || "Passes every health check";
}

/** @param {import("./table_rows.js").Row} row
 * @returns {Record<string, string>} */
function wordsOf(row) {
  const override = row.problem || row.override;
  if (!row.known || row.problem) {
    const none = row.known ? "–" : "…";
    return { ...Object.fromEntries(COLUMNS.map(([name]) => [name, none])), override };
  }
  const failed = row.failed.length;
  const found = failed ? `${failed} failed` : warnedWords(row);
  const checks = row.checked === "no" ? "…" : found || "✓";
  const counts = [row.chunks, row.median, row.torn, row.over, row.left_out];
  const [chunks, median, torn, over, left_out] = counts.map(counted);
  const within = row.within === null ? "–" : shareText(row.within);
  return { chunks, median, within, torn, over, left_out, checks, override };
}

/** In percent, rounded; 100 % and 0 % only when it is all or none.
 * @param {number} share */
export function shareText(share) {
  const percent = Math.min(99, Math.max(1, Math.round(Number((100 * share).toFixed(9))))); // without a float's noise
  return `${share === 0 || share === 1 ? 100 * share : percent}%`;
}
