// What a move changes outside the rail is said to who draws it: the boundary view or the one that is shown in its place, the
// strip of numbers. What has to wait is dimmed.

const MOVED = "chunkscope:moved";
const MOVED_READING = "chunkscope:moved-reading";
const SETTLED = "chunkscope:settled";
const FIGURES = "chunkscope:figures";
const NEAR = "chunkscope:near";
const LACKS = "chunkscope:lacks";

/** Gives the boundary view of this document its new boundaries. */
export function showMoved(bytes) {
  if (bytes.length) document.dispatchEvent(new CustomEvent(MOVED, { detail: bytes }));
}

/** Gives the view that is shown in place of the source what it draws.
 * @param {{view: string, sent: any} | undefined} reading */
export function showReading(reading) {
  if (reading) document.dispatchEvent(new CustomEvent(MOVED_READING, { detail: reading }));
}

/** From where to where in the text the boundary view has its pages at hand: only of the boundaries there a move brings
 * the reasons in words. Undefined where there is no such view.
 * @returns {[number, number] | undefined} */
export function nearView() {
  const asked = new CustomEvent(NEAR, { detail: { near: undefined } });
  document.dispatchEvent(asked);
  return asked.detail.near;
}

/** Calls back when the boundary view has come to boundaries whose reasons it lacks; `ask` says whether it has asked for
 * them. Returns what ends that.
 * @param {() => boolean} ask */
export function whenLacking(ask) {
  const heard = (event) => ask() && event.preventDefault();
  document.addEventListener(LACKS, heard);
  return () => document.removeEventListener(LACKS, heard);
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

/** The numbers of the page: what each is now, and whether that is better. Who shows them draws them. */
export function showFigures(figures, run) {
  document.dispatchEvent(new CustomEvent(FIGURES, { detail: { figures, run } }));
}
