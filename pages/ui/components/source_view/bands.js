// Bands are painted under the text and never touch it: a threshold move changes rectangles, not lines.

import { huesOf, inHue } from "../shared/chunk_hues.js";
import { outline } from "./outline.js";
import { lastAtMost } from "./payload.js";
import { returnedShapes } from "./returned.js";
import { standsOut } from "./standing_out.js";
import { tornShapes } from "./torn.js";

/** What is to be painted on one page: chunk bands with their rails, overlaps, skips and holes. Reads layout only.
 * @param {import("./payload.js").Run} run */
export function shapesOf(pages, page, run, selected) {
  const start = pages.lineStart(page.first);
  const end = pages.lineStart(pages.endLine(page.number));
  const shapes = [];
  const hues = huesOf(run);
  const first = Math.max(0, lastAtMost(run.start, start));
  for (let chunk = first; chunk < run.chunks && run.start[chunk] < end; chunk++) {
    if (run.end[chunk] <= start) continue;
    const hue = standsOut(run, chunk) ? inHue(hues[chunk]) : "off";
    const style = `${hue}${chunk === selected ? " sel" : ""}`;
    outline(pages, page, run.start[chunk], run.end[chunk], start, end, shapes, { kind: "band", chunk, style });
  }
  paintOverlaps(pages, page, run, start, end, first, shapes);
  paintGaps(pages, page, run, start, end, shapes);
  shapes.push(...tornShapes(pages, page, run, start, end));
  shapes.push(...returnedShapes(pages, page, run, selected, start, end));
  if (run.baseline) paintBaseline(pages, page, run, run.baseline, start, end, shapes);
  return shapes;
}

/** @param {import("./payload.js").Run} run */
function paintOverlaps(pages, page, run, start, end, first, shapes) {
  const hues = huesOf(run);
  for (let chunk = first; chunk < run.chunks; chunk++) {
    const from = run.overlapStart[chunk];
    if (from < 0) {
      if (run.start[chunk] >= end) break;
      continue;
    }
    if (from >= end) break;
    const to = Math.min(run.overlapEnd[chunk], run.start[chunk]);
    if (to <= start || to <= from) continue;
    const style = standsOut(run, chunk) ? `h${hues[chunk]}` : "off";
    outline(pages, page, from, to, start, end, shapes, { kind: "lap", chunk, style });
  }
}

/** @param {import("./payload.js").Run} run */
function paintGaps(pages, page, run, start, end, shapes) {
  let gap = Math.max(0, lastAtMost(run.gapStart, start));
  for (; gap < run.gapStart.length && run.gapStart[gap] < end; gap++) {
    if (run.gapEnd[gap] <= start) continue;
    const blank = run.rules[run.gapRule[gap]] === "blank";
    const style = blank ? "blank" : run.gapOwner[gap] < 0 ? "skip" : "hole";
    outline(pages, page, run.gapStart[gap], run.gapEnd[gap], start, end, shapes, { kind: "gap", gap, style });
  }
}

/** A mark at the right edge where the baseline cuts and this run does not.
 * @param {import("./payload.js").Run} run
 * @param {Int32Array} baseline */
function paintBaseline(pages, page, run, baseline, start, end, shapes) {
  for (let at = lastAtMost(baseline, start - 1) + 1; at < baseline.length && baseline[at] < end; at++) {
    const offset = baseline[at];
    if (run.start[lastAtMost(run.start, offset)] === offset) continue;
    const { top } = pages.locate(page, offset);
    shapes.push({ kind: "was", style: "", left: pages.width - 30, right: pages.width, top, bottom: top + 2 });
  }
}

/** Puts shapes on a page, touching only what differs. Writes only, so that layout is computed once per paint. */
export function paintShapes(page, shapes) {
  page.shapes = shapes;
  const layer = page.tints;
  while (layer.children.length > shapes.length) layer.lastChild.remove();
  while (layer.children.length < shapes.length) layer.append(document.createElement("i"));
  shapes.forEach((shape, index) => {
    const element = layer.children[index];
    const rail = shape.left === 0 && (!shape.part || shape.rail);
    const names = [shape.kind, shape.style];
    if (rail) names.push("rail");
    if (shape.opens) names.push("opens");
    if (shape.closes) names.push("closes");
    if (shape.cut) names.push(shape.rtl ? "cut rtl" : "cut");
    const name = names.join(" ");
    if (element.className !== name) element.className = name;
    const box = placeOf(shape);
    if (element.dataset.box !== box) {
      element.dataset.box = box;
      element.style.cssText = box;
    }
    if (shape.kind === "band") element.dataset.chunk = shape.chunk;
    else delete element.dataset.chunk;
  });
}

/** A shape's place, by a transform: while a boundary follows a hand, no layout changes and nothing counts as moved. */
function placeOf({ left, right, top, bottom }) {
  const wide =
    left === null
      ? "right:0"
      : right === null
        ? `left:0;width:calc(100% - ${left}px)`
        : `left:0;width:${right - left}px`;
  return `${wide};top:0;height:${bottom - top}px;transform:translate(${left ?? 0}px,${top}px)`;
}

/** What stands at a point of a page: the chunk whose band holds it, or the gap.
 * @returns {{kind: string, chunk: number, gap: number} | null} */
export function shapeAt(page, x, y) {
  let found = null;
  for (const shape of page.shapes) {
    if (
      y < shape.top ||
      y >= shape.bottom ||
      (shape.left !== null && x < shape.left) ||
      (shape.right !== null && x >= shape.right)
    )
      continue;
    if (shape.kind === "band" || (shape.kind === "gap" && !found)) found = shape;
  }
  return found;
}
