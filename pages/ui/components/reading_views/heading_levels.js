// The levels under which a document's headings are heard. A reader skips none of them where the document does, or where
// a stretch of it begins below its first heading.

/** @param {number[]} levels of the headings, 1 to 6, in their order
 * @param {number} above the level of the heading before them */
export function heardLevels(levels, above = 1) {
  let last = above;
  return levels.map((level) => {
    last = Math.min(level, last + 1);
    return last;
  });
}
