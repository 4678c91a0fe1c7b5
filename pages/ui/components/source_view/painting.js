// What is drawn of a run over the pages of text at hand: bands, labels, marks, what was searched for, the overview.

import { make } from "../shared/component.js";
import { counted } from "../shared/counted.js";
import { paintShapes, shapesOf } from "./bands.js";
import { labelsInView, paintLabels } from "./labels.js";
import { marksOn, paintMarks, roomForTicks } from "./marks.js";
import { drawMinimap } from "./minimap.js";
import { drawOver } from "./overview_ticks.js";
import { lastAtMost } from "./payload.js";
import { paintHits } from "./search.js";
import { dimLines } from "./standing_out.js";

/** First everything that reads the layout, then everything that writes, so that the browser lays out once. */
export function paint(view) {
  view.unpainted = false;
  const wanted = `${view.runs} ${view.selected}`;
  const stale = [...view.pages.live.values()].filter((page) => page.painted !== wanted);
  const shapes = stale.map((page) => shapesOf(view.pages, page, view.run, view.selected));
  const unmarked = [...view.pages.live.values()].filter((page) => (page.marksName ?? "") !== view.marks.name);
  const marked = unmarked.map((page) => marksOn(view.pages, page, view.marks.all));
  const unsearched = [...view.pages.live.values()].filter((page) => (page.hitsName ?? "") !== view.search.name);
  const hits = unsearched.map((page) => view.search.boxes(view.pages, page));
  const labels = labelsInView(view.pages, view.run);
  const window = view.window();
  stale.forEach((page, index) => {
    paintShapes(page, shapes[index]);
    dimLines(view.pages, page, view.run);
    page.painted = wanted;
  });
  unmarked.forEach((page, index) => {
    paintMarks(page, marked[index]);
    page.marksName = view.marks.name;
  });
  unsearched.forEach((page, index) => {
    paintHits(page, hits[index]);
    page.hitsName = view.search.name;
  });
  if (paintLabels(view.list, labels, view.run, view.selected)) view.scroller.focus({ preventScroll: true });
  paintFrame(view, window);
  view.tip.renew(view.run, (chunk) => breadcrumb(view, chunk));
  view.following.askForReasons(labels);
}

/** The breadcrumb and the minimap: all that changes while scrolling within the pages at hand. */
export function paintFrame(view, { from, to, size }) {
  const { run } = view;
  const chunk = Math.max(0, lastAtMost(run.start, from));
  view.top = chunk;
  const crumb = run.chunks ? breadcrumb(view, chunk) : run.name;
  if (view.crumb.textContent !== crumb) view.crumb.textContent = view.crumb.title = crumb;
  const count = run.chunks ? chunksInView(run, from, to) : "no chunks";
  if (view.placed !== count) {
    view.placed = count;
    const [place, tokens] = count.split(" · ");
    view.count.textContent = "";
    make("span", "widest", view.count).textContent = "in view: ";
    view.count.append(place);
    if (tokens) make("span", "wide", view.count).textContent = ` · ${tokens}`;
  }
  view.elsewhere.show({ from, to });
  const beside = roomForTicks(view.marks);
  drawMinimap(view.map, size, run, { from, to, selected: view.selected, beside }, view.colours);
  drawOver(view.ticks, size, run.units, view.marks, view.search, view.colours);
}

/** The chunks of which something is in view, in words.
 * @param {import("./payload.js").Run} run
 * @param {number} from
 * @param {number} to */
export function chunksInView(run, from, to) {
  const first = lastAtMost(run.end, from) + 1;
  const last = lastAtMost(run.start, Math.max(from, to - 1));
  const of = `of ${counted(run.chunks)}`;
  if (last < 0) return `left out, before chunk 1 ${of}`;
  if (last < first) return `left out, after chunk ${counted(last + 1)} ${of}`;
  if (last > first) return `chunks ${counted(first + 1)}–${counted(last + 1)} ${of}`;
  return `chunk ${counted(first + 1)} ${of} · ${run.approximate ? "≈" : ""}${counted(run.tokens[first])} tokens`;
}

/** The headings above a chunk. */
export function breadcrumb(view, chunk) {
  const crumb = view.run.crumb[chunk];
  return (crumb >= 0 ? view.document.crumbs[crumb] : view.run.list("otherCrumbs")[-1 - crumb]) ?? "";
}
