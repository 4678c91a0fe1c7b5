// The whole document as one column: chunks in their hues, as wide as their tokens; skips; the other run's boundaries.

import { huesOf } from "../shared/chunk_hues.js";
import { frameOf, scaleOf } from "./overview_scale.js";
import { standsOut } from "./standing_out.js";
import { drawTorn } from "./torn.js";

/** Draws the overview. All but the viewport's frame is kept as a picture until the run, the choice or the size changes.
 * @param {any} canvas
 * @param {{clientWidth: number, clientHeight: number}} size
 * @param {import("./payload.js").Run} run
 * @param {{from: number, to: number, selected: number, beside: number}} view `beside`: pixels at the right that are kept free */
export function drawMinimap(canvas, size, run, view, colours) {
  const { clientWidth: width, clientHeight: height } = size;
  if (!width || !height) return;
  const ratio = window.devicePixelRatio || 1;
  const wanted = [Math.round(width * ratio), Math.round(height * ratio)];
  if (canvas.width !== wanted[0] || canvas.height !== wanted[1]) [canvas.width, canvas.height] = wanted;
  const scale = scaleOf(height, run.units);
  const picture = pictureOf(canvas, run, view, colours, { width, ratio, scale });
  const pen = canvas.getContext("2d");
  pen.setTransform(1, 0, 0, 1, 0, 0);
  pen.clearRect(0, 0, canvas.width, canvas.height);
  pen.drawImage(picture, 0, 0);
  pen.setTransform(ratio, 0, 0, ratio, 0, 0);
  const frame = frameOf(view, height, scale);
  pen.globalAlpha = 0.14;
  pen.fillStyle = colours.text;
  pen.fillRect(0.5, frame.top, width - 1, frame.size);
  pen.globalAlpha = 1;
  pen.strokeStyle = colours.text;
  pen.lineWidth = 1.5;
  pen.strokeRect(1, frame.lineTop, width - 2, frame.lineSize);
}

const pictures = new WeakMap();

/** @param {import("./payload.js").Run} run */
function pictureOf(canvas, run, { selected, beside }, colours, { width, ratio, scale }) {
  const known = pictures.get(canvas);
  const drawn = known && known.run === run && known.selected === selected && known.colours === colours;
  const same = drawn && known.beside === beside;
  if (same && known.picture.width === canvas.width && known.picture.height === canvas.height) return known.picture;
  const picture = known?.picture ?? document.createElement("canvas");
  picture.width = canvas.width;
  picture.height = canvas.height;
  const pen = picture.getContext("2d");
  pen.setTransform(ratio, 0, 0, ratio, 0, 0);
  const left = run.baseline ? 12 : 5;
  const right = width - 5 - beside;
  drawChunks(pen, run, scale, left, right, selected, colours);
  drawGaps(pen, run, scale, left, right, colours);
  drawTorn(pen, run, scale, left, right, colours);
  if (run.baseline) drawTicks(pen, run.baseline, scale, colours);
  pictures.set(canvas, { run, selected, beside, colours, picture });
  return picture;
}

/** @param {import("./payload.js").Run} run */
function drawChunks(pen, run, scale, left, right, selected, colours) {
  let most = 1;
  for (const tokens of run.tokens) if (tokens > most) most = tokens;
  const hues = huesOf(run);
  let drawn = -1;
  for (let chunk = 0; chunk < run.chunks; chunk++) {
    const top = run.start[chunk] * scale;
    const bottom = run.end[chunk] * scale;
    if (bottom - drawn < 0.5 && chunk !== selected) continue;
    drawn = bottom;
    const size = bottom - top;
    const standing = standsOut(run, chunk);
    pen.fillStyle = standing ? colours.hues[hues[chunk]] : colours.muted;
    pen.globalAlpha = standing ? 1 : 0.25;
    const wide = 6 + ((right - left - 6) * run.tokens[chunk]) / most;
    pen.fillRect(left, top, wide, Math.max(0.6, size > 3 ? size - 1 : size));
  }
  pen.globalAlpha = 1;
  if (selected >= 0 && selected < run.chunks) {
    const top = run.start[selected] * scale;
    const size = Math.max(3, run.end[selected] * scale - top);
    pen.strokeStyle = colours.text;
    pen.lineWidth = 2;
    pen.strokeRect(left, top, right - left, size);
  }
}

/** @param {import("./payload.js").Run} run */
function drawGaps(pen, run, scale, left, right, colours) {
  for (let gap = 0; gap < run.gapStart.length; gap++) {
    if (run.rules[run.gapRule[gap]] === "blank") continue;
    const top = run.gapStart[gap] * scale;
    const size = run.gapEnd[gap] * scale - top;
    if (size < 1) continue;
    pen.clearRect(left, top, right - left, size);
    pen.strokeStyle = colours.muted;
    pen.lineWidth = 1;
    pen.setLineDash([3, 2]);
    pen.strokeRect(left + 0.5, top + 0.5, right - left - 1, Math.max(1, size - 1));
    pen.setLineDash([]);
  }
}

function drawTicks(pen, boundaries, scale, colours) {
  pen.fillStyle = colours.text;
  let drawn = -2;
  for (const offset of boundaries) {
    const y = Math.round(offset * scale);
    if (y - drawn < 2) continue;
    drawn = y;
    pen.fillRect(0, y, 9, 1);
  }
}
