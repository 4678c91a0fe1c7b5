// The sections of a document as Python sends them: once for each document and counter, and kept as long as the tab lives.

export const LEGIBLE = 17; // pixels of height from which a title can be read
export const MOST_ZOOM = 3; // pixels for a token
const outlines = new Map();

export function knownOutline(name) {
  return outlines.get(name);
}

export function holdOutline(name, { titles, columns }) {
  const [level, start, line, first, last] = columns.map(decoded);
  const leaf = Array.from(level, (depth, box) => !(level[box + 1] > depth));
  const deepest = level.reduce((most, depth) => Math.max(most, depth), 0);
  const leaves = [...first.keys()].filter((box) => leaf[box]).map((box) => last[box] - first[box]);
  const median = leaves.sort((one, other) => one - other)[leaves.length >> 1] ?? 1;
  const legible = Math.min(MOST_ZOOM / 2, (LEGIBLE + 3) / Math.max(1, median)); // pixels for a token, so that most can be read
  outlines.set(name, {
    legible,
    titles,
    level,
    start,
    line,
    first,
    last,
    leaf,
    deepest,
    size: level.length,
    total: Math.max(1, last[0] ?? 1),
  });
  if (outlines.size > 4) outlines.delete(outlines.keys().next().value);
}

/** A column of int32 that came as base64. */
export function decoded(text) {
  const bytes = Uint8Array.from(atob(text), (unit) => unit.charCodeAt(0));
  return new Int32Array(bytes.buffer);
}
