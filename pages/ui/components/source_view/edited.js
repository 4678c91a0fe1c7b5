// Where a place of a text is once the text was edited: as pages/ui/choices/edited.py finds it.

const NEAR = 80; // characters of its line, at most, by which a place is found among what was edited

/** The offset that a place of `before` has in `after`: what was edited lies between the longest common start and end;
 * in there a place is found by the rest of its line. -1 where it is another text: less than half of the shorter one is
 * the same, and that line is not in it.
 * @param {string} before
 * @param {string} after
 * @param {number} offset */
export function placeAfterEdit(before, after, offset) {
  const shorter = Math.min(before.length, after.length);
  let start = 0;
  while (start < shorter && before.charCodeAt(start) === after.charCodeAt(start)) start++;
  let end = 0;
  const [last, lastAfter] = [before.length - 1, after.length - 1];
  while (end < shorter - start && before.charCodeAt(last - end) === after.charCodeAt(lastAfter - end)) end++;
  const same = 2 * (start + end) >= shorter;
  if (same && offset <= start) return offset;
  if (same && offset >= before.length - end) return offset + after.length - before.length;
  const near = before.slice(offset, offset + NEAR).split("\n", 1)[0];
  const found = [after.lastIndexOf(near, offset), after.indexOf(near, offset)].filter((place) => place >= 0);
  if (near.trim() && found.length) return found.reduce((a, b) => (Math.abs(a - offset) < Math.abs(b - offset) ? a : b));
  return same ? Math.min(offset, after.length - end) : -1;
}
