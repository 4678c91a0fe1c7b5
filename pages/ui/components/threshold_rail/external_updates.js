// What a move changes outside the rail: the boundary view, the strip of numbers; and what has to wait is dimmed.

const MOVED = "chunkscope:moved";
const SETTLED = "chunkscope:settled";

/** Gives the boundary view of this document its new boundaries. */
export function showMoved(bytes) {
  if (bytes.length) document.dispatchEvent(new CustomEvent(MOVED, { detail: bytes }));
}

/** Python has caught up with the drag, and shows the run of this name; "" where the last move was never answered. */
export function showSettled(run) {
  document.dispatchEvent(new CustomEvent(SETTLED, { detail: { run } }));
}

/** What only the whole page's run can say is dimmed until it has: the chosen chunk and the curve while they are
 * `behind`, and what is found out on release, the list of checks and the export, as long as a drag is `held`. */
export function dimOthers(behind, held) {
  document.documentElement.classList.toggle("cs-behind", behind);
  document.documentElement.classList.toggle("cs-held", held);
}

/** The numbers of the strip: what each is now, and whether that is better. */
export function showFigures(figures, run) {
  const strip = /** @type {HTMLElement | null} */ (document.querySelector(".cs-strip"));
  if (!strip || !figures || strip.children.length !== figures.length) return;
  const named = /** @type {HTMLElement | null} */ (strip.closest("[data-run]"));
  if (named) named.dataset.run = run;
  [...strip.children].forEach((cell, index) => {
    const [now, verdict] = figures[index];
    const number = cell.querySelector("b");
    if (number && number.textContent !== now) writeNumber(number, now);
    const words = cell.querySelector(".cs-better, .cs-worse");
    if ((words?.textContent ?? "") === verdict) return;
    words?.remove();
    if (!verdict) return;
    const said = document.createElement("span");
    said.className = `cs-${verdict}`;
    said.textContent = verdict;
    cell.querySelector("dd")?.append(said);
  });
}

/** A figure with what is said beside it smaller, as markup.py writes it too. */
function writeNumber(element, now) {
  const [number, more] = now.split(/(?=, )/);
  element.textContent = number;
  if (!more) return;
  element.append(document.createElement("small"));
  element.lastChild.textContent = more;
}
