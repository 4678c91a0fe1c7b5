// From a selection in the DOM to the source it covers, and to the clipboard. Pictures of control characters, labels and
// margins are not source: what is copied or marked is the text itself.

import { lastAtMost } from "./payload.js";
import { contentEnd } from "./text.js";

/** The selection inside a view, which may lie in a shadow tree: its range, which end is its focus, and how to drop it. */
export function selectionIn(root) {
  const home = root.getRootNode();
  const selection = home.getSelection?.() ?? document.getSelection();
  if (!selection) return null;
  const drop = () => document.getSelection()?.removeAllRanges();
  const [composed] = selection.getComposedRanges?.({ shadowRoots: [home] }) ?? [];
  const one = composed ?? (selection.rangeCount ? selection.getRangeAt(0) : null);
  if (!one || !root.contains(one.startContainer) || !root.contains(one.endContainer)) return { range: null, drop };
  const range = document.createRange();
  range.setStart(one.startContainer, one.startOffset);
  range.setEnd(one.endContainer, one.endOffset);
  return { range: range.collapsed ? null : range, drop };
}

/** The stretch of source that a selection covers, with the pages it begins and ends on; null when it covers none. */
export function selectedStretch(pages, selection) {
  const range = selection?.range;
  if (!range) return null;
  const live = [...pages.live.values()].sort((one, other) => one.number - other.number);
  const touched = live.filter((page) => range.intersectsNode(page.body));
  if (!touched.length) return null;
  const [first, last] = [touched[0], touched.at(-1)];
  const from = startIn(pages, first, range);
  const to = endIn(pages, last, range);
  return from === null || to === null || to <= from ? null : { from, to, pages: [first.number, last.number] };
}

/** Where the selection begins: in a line of this page, or at the first line it touches. */
function startIn(pages, page, range) {
  const lines = [...page.body.children];
  const index = lines.findIndex((line) => range.intersectsNode(line));
  if (index < 0) return null;
  const start = pages.lineStart(page.first + index);
  if (!lines[index].contains(range.startContainer)) return start;
  return start + unitsBefore(lines[index], range.startContainer, range.startOffset);
}

/** Where it ends. At the very start of a line nothing of that line, nor the break before it, is seen as selected. */
function endIn(pages, page, range) {
  const lines = [...page.body.children];
  let index = lines.length - 1;
  while (index >= 0 && !range.intersectsNode(lines[index])) index -= 1;
  if (index < 0) return null;
  const line = page.first + index;
  if (!lines[index].contains(range.endContainer)) return contentEnd(pages.layout, line);
  const units = unitsBefore(lines[index], range.endContainer, range.endOffset);
  if (units === 0 && line > 0) return contentEnd(pages.layout, line - 1);
  return pages.lineStart(line) + units;
}

/** What is embedded of a chunk: context, overlap, its own text less its holes, closing.
 * @param {import("./payload.js").Run} run */
export function chunkText(text, run, chunk) {
  const parts = [run.raw("context") ?? ""];
  if (run.overlapStart[chunk] >= 0) parts.push(text.slice(run.overlapStart[chunk], run.overlapEnd[chunk]));
  let from = run.start[chunk];
  for (
    let gap = Math.max(0, lastAtMost(run.gapStart, from - 1));
    gap < run.gapStart.length && run.gapStart[gap] < run.end[chunk];
    gap++
  ) {
    if (run.gapOwner[gap] !== chunk) continue;
    parts.push(text.slice(from, run.gapStart[gap]));
    from = run.gapEnd[gap];
  }
  parts.push(text.slice(from, run.end[chunk]), run.raw("closing") ?? "");
  return parts.join("");
}

function unitsBefore(line, node, offset) {
  const before = document.createRange();
  before.selectNodeContents(line);
  before.setEnd(node, offset);
  return before.toString().length;
}

/** To the clipboard; by the old way where the new one is not to be had (a page that is not served safely). */
export async function copyText(text) {
  try {
    await navigator.clipboard.writeText(text);
  } catch {
    const put = (event) => {
      event.clipboardData.setData("text/plain", text);
      event.preventDefault();
      event.stopImmediatePropagation();
    };
    document.addEventListener("copy", put, { capture: true, once: true });
    document.execCommand("copy");
    document.removeEventListener("copy", put, { capture: true });
  }
}
