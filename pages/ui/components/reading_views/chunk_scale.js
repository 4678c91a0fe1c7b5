// Beside the sections of the structure: the chunks on the same scale, and a line for each cut across the sections.

import { patternOf } from "../shared/chunk_hues.js";
import { counted } from "../shared/counted.js";
import { lastAtMost } from "../source_view/payload.js";

const APART = 6; // pixels between cuts from which each has a line of its own

/** The chunks at the right and a line for each cut across the sections, as far as they are in view. */
export function drawBeside(view) {
  const { canvas, scroller, scale, colours } = view;
  const [width, height] = [scroller.clientWidth, scroller.clientHeight];
  const ratio = window.devicePixelRatio || 1;
  canvas.width = Math.round(width * ratio);
  canvas.height = Math.round(height * ratio);
  canvas.style.cssText = `width:${width}px;height:${height}px;top:${scroller.scrollTop}px`;
  const pen = canvas.getContext("2d");
  pen.setTransform(ratio, 0, 0, ratio, 0, 0);
  const left = width - view.chunkColumn();
  drawTiny(pen, view.tiny, colours);
  let drawn = -APART;
  for (let part = Math.max(0, lastAtMost(view.at, scroller.scrollTop / scale)); part < view.at.length; part++) {
    const top = view.at[part] * scale - scroller.scrollTop;
    if (top > height) break;
    const next = part + 1 < view.at.length ? view.at[part + 1] : view.total;
    drawPart(pen, view, part, { left, right: width, top, bottom: next * scale - scroller.scrollTop });
    const close = top - drawn < APART || next * scale - scroller.scrollTop - top < APART / 2;
    drawn = top;
    if (close) continue;
    pen.globalAlpha = standsOut(view, part) ? 0.7 : 0.2;
    pen.fillStyle = colours.text;
    pen.fillRect(0, Math.round(top), left - 2, 1);
    pen.globalAlpha = 1;
  }
}

/** Sections too small for an element of their own, as far as a pixel each can show them. */
function drawTiny(pen, tiny, colours) {
  let [x, y] = [-1, -1];
  for (const [left, width, top, height] of tiny) {
    if (left === x && top - y < 1) continue;
    [x, y] = [left, top];
    pen.globalAlpha = 0.22;
    pen.fillStyle = colours.text;
    pen.fillRect(left, top, width, Math.max(0.7, height - 0.6));
  }
  pen.globalAlpha = 1;
}

function standsOut(view, part) {
  return !view.standing || view.standing.has(view.chunk[part]);
}

function drawPart(pen, view, part, { left, right, top, bottom }) {
  const { colours } = view;
  const number = view.chunk[part];
  const size = Math.max(0.6, bottom - top - 1);
  if (number < 0) {
    pen.strokeStyle = colours.muted;
    pen.setLineDash([3, 2]);
    if (size > 2) pen.strokeRect(left + 0.5, top + 0.5, right - left - 3, size - 1);
    return pen.setLineDash([]);
  }
  if (!standsOut(view, part)) {
    pen.fillStyle = colours.text;
    pen.globalAlpha = 0.08;
    pen.fillRect(left, top, right - left - 2, size);
    pen.globalAlpha = 1;
    return;
  }
  pen.fillStyle = colours.hues[view.hues[number]];
  pen.fillRect(left, top, patternOf(view.hues[number]) === 1 ? 6 : 10, size);
  pen.globalAlpha = number === view.data.selected ? 0.45 : 0.16;
  pen.fillRect(left, top, right - left - 2, size);
  pen.globalAlpha = 1;
  if (number === view.data.selected) {
    pen.strokeStyle = colours.text;
    pen.lineWidth = 2;
    pen.strokeRect(left + 1, top + 1, right - left - 4, Math.max(2, size - 2));
    pen.lineWidth = 1;
  }
  const down = view.tears.beginsAt(part) ? 8 : 0; // below its teeth
  if (size < 13 + down) return;
  pen.fillStyle = colours.text;
  pen.font = `600 11px ${getComputedStyle(view.root).fontFamily}`;
  pen.fillText(`#${counted(number + 1)}`, left + 15, Math.max(top + down, 0) + 11);
}
