// What the map says of itself, in sentences.

import { counted } from "../shared/counted.js";

/** The number of chunks; of more than a map can hold, how many are on it. */
export function chunkWords(chunks, leftOut) {
  if (leftOut) return `A sample of ${counted(chunks - leftOut)} of ${counted(chunks)} chunks`;
  return `${counted(chunks)} ${chunks === 1 ? "chunk" : "chunks"}`;
}

/** What is a sample, and how it was taken; "" where all chunks are on the map. */
export function sampleWords({ left_out: leftOut, of, documents }) {
  if (!leftOut) return "";
  const shown = of.filter((whose) => !whose).length;
  const how = documents.length ? "of each document as many as of another, as far as it has them" : "evenly taken";
  return `${chunkWords(shown + leftOut, leftOut)}, ${how}. Near-duplicates and outliers are those of the sample.`;
}

export function duplicateTitle({ duplicate_count: count, documents }) {
  return `Near-duplicates${documents.length ? " across documents" : ""}: ${counted(count)}`;
}

/** What is said of the near-duplicates besides the pairs that are listed. */
export function duplicateWords(points) {
  const { documents, duplicates, duplicate_count: count, duplicates_within: within, threshold } = points;
  const words = [];
  if (!count)
    words.push(
      `No two chunks${documents.length ? " of different documents" : ""} have a cosine of ${threshold} or more.`,
    );
  else if (count > duplicates.length) words.push(`The first ${counted(duplicates.length)} pairs.`);
  if (within) words.push(`${counted(within)} more ${within === 1 ? "pair is" : "pairs are"} within one document.`);
  return words.join(" ");
}

/** What there is to say while the map is not ready, or not the one that was asked for; "" when it is. */
export function waitingWords({ chunks, points, problem, absent, layout, done, total, waits }, stale) {
  if (chunks && absent && !problem && points)
    return `These are principal components: ${absent}, then start the app again.`;
  if (points || !(chunks || waits)) return "";
  if (problem) return `There is no map: ${problem}`;
  const before = stale ? "The map is of the chunks before. " : "";
  if (layout === "umap" && !absent && total && done === total)
    return `${before}Arranging ${counted(total)} points by UMAP, which can take a minute the first time`;
  return before + (total ? `Embedding on this machine: ${counted(done)} of ${counted(total)} chunks` : waits);
}

/** What makes near and far on this map, in a sentence. */
export function captionOf({ layout, shares }) {
  if (layout === "umap")
    return "UMAP: chunks with the most similar neighbours lie together; how far groups are from each other says little.";
  const [across, up] = shares.map((share) => `${Math.round(100 * share)}%`);
  return `Principal components: the two directions in which embeddings differ most (${across} and ${up} of it). Near is not always alike.`;
}
