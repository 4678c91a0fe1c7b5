// The boundaries of one document as a strip: a stretch for each chunk, and a red zigzag where a boundary cuts a block.

import { stretches } from "./table_rows.js";

const ZIG = 3; // pixels
const APART = 9;

/** @param {HTMLCanvasElement} canvas
 * @param {Uint16Array} places
 * @param {{hues: string[], warn: string, ground: string}} colours */
export function paintStrip(canvas, places, { hues, warn, ground }) {
  const ratio = window.devicePixelRatio || 1;
  const [wide, high] = [canvas.clientWidth, canvas.clientHeight];
  if (!wide) return;
  canvas.width = Math.round(wide * ratio);
  canvas.height = Math.round(high * ratio);
  const pen = /** @type {CanvasRenderingContext2D} */ (canvas.getContext("2d"));
  pen.scale(ratio, ratio);
  const chunks = stretches(places);
  const top = 3;
  for (const { from, to, hue } of chunks) {
    const [left, right] = [from * wide, to * wide];
    pen.fillStyle = hues[hue];
    pen.fillRect(left, top, Math.max(0.5, right - left - (right - left > 3 ? 1 : 0)), high - 2 * top);
  }
  pen.lineWidth = 1.5;
  let before = -APART;
  for (const { to, torn } of chunks) {
    const x = Math.min(wide - ZIG, Math.max(ZIG, to * wide));
    if (!torn || x - before < APART) continue; // one sign for all that are at one place
    before = x;
    for (const [colour, width] of /** @type {[string, number][]} */ ([
      [ground, 5],
      [warn, 1.75],
    ])) {
      pen.strokeStyle = colour;
      pen.lineWidth = width;
      pen.beginPath();
      pen.moveTo(x - ZIG, 0);
      for (let y = ZIG, way = 1; y <= high + ZIG; y += ZIG, way = -way) pen.lineTo(x + way * ZIG, y);
      pen.stroke();
    }
  }
}
