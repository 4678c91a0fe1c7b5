// What a move changes outside the rail: the boundary view, the strip of numbers; and what has to wait is dimmed.

const MOVED = "chunkscope:moved";
const SETTLED = "chunkscope:settled";

/** Gives the boundary view of this document its new boundaries. */
export function showMoved(bytes) {
  if (bytes.length) document.dispatchEvent(new CustomEvent(MOVED, { detail: bytes }));
}

/** Python has caught up with the drag, or, `lost`, the last move was never answered: what Python says holds again. */
export function showSettled(lost) {
  document.dispatchEvent(new CustomEvent(SETTLED, { detail: { lost } }));
}

/** What only the whole page's run can say is dimmed until it has: the chosen chunk, the curve, the sizes. */
export function dimOthers(behind) {
  document.documentElement.classList.toggle("cs-behind", behind);
}

/** The numbers of the strip: what each is now, and whether that is better. */
export function showFigures(figures) {
  const cells = document.querySelectorAll(".cs-strip > div");
  if (!figures || cells.length !== figures.length) return;
  cells.forEach((cell, index) => {
    const [now, verdict] = figures[index];
    const number = cell.querySelector("b");
    if (number.textContent !== now) number.textContent = now;
    const words = cell.querySelector(".cs-better, .cs-worse");
    if ((words?.textContent ?? "") === verdict) return;
    words?.remove();
    if (!verdict) return;
    const said = document.createElement("span");
    said.className = `cs-${verdict}`;
    said.textContent = verdict;
    cell.querySelector("dd").append(said);
  });
}
