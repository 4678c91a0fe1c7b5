// The history of undo and redo that a tab remembers over a reload (pages/ui/choices/history_text.py).

/** The remembered history, where the present one has no steps yet and both are at the same setup; else "".
 * @param {string | null} remembered
 * @param {string} present */
export function recall(remembered, present) {
  try {
    const [was, is] = [JSON.parse(remembered ?? "null"), JSON.parse(present)];
    const fresh = !is.earlier.length && !is.later.length;
    const same = JSON.stringify(was.now) === JSON.stringify(is.now);
    return fresh && same && was.earlier.length + was.later.length ? (remembered ?? "") : "";
  } catch {
    return "";
  }
}
