// What a screen reader is told of a chunk that somebody selected, by a button, a key, a click or a search.

/** @typedef {{document: string, at: number | null, says: string}} Selected the document, the place in it that is selected,
 * and what is there now */

/** What is said of it: nothing of what a document begins with, nor of what a moved threshold makes of a place that was
 * selected before.
 * @param {Selected | undefined} before
 * @param {Selected} now */
export function newsOf(before, now) {
  const chosen = before?.document === now.document && before.at !== now.at && now.at !== null;
  return chosen ? now.says : "";
}
