// What is found and marked, as ticks on a canvas that lies over the overview: it is drawn anew only when these change.

import { drawMarkTicks } from "./marks.js";
import { drawHitTicks } from "./search.js";

/** Both have a name that changes with them; nothing happens while the names and the size stay. */
export function drawOver(canvas, { clientWidth: width, clientHeight: height }, units, marks, search, colours) {
  if (!width || !height) return;
  const ratio = window.devicePixelRatio || 1;
  const wanted = [Math.round(width * ratio), Math.round(height * ratio)].join(" ");
  const drawn = `${wanted} ${units} ${colours.text} ${marks.name} ${search.name}`;
  if (canvas.drawn === drawn) return;
  canvas.drawn = drawn;
  [canvas.width, canvas.height] = wanted.split(" ").map(Number);
  canvas.style.width = `${width}px`;
  canvas.style.height = `${height}px`;
  const pen = canvas.getContext("2d");
  pen.setTransform(ratio, 0, 0, ratio, 0, 0);
  if (search.name) drawHitTicks(pen, search.hits, search.at, height / Math.max(1, units), width, colours);
  drawMarkTicks(pen, marks.all, height / Math.max(1, units), width, colours);
}
