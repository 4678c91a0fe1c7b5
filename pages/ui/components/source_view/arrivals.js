// What comes from Python: a run, its text, which may have come to another view on the page, and what the view becomes by it.

import { explainOverview } from "./baseline_marks.js";
import { placeAfterEdit } from "./edited.js";
import { chunkHolding, copyChunk } from "./keys.js";
import { readMarks } from "./marks.js";
import { drawnAt, openOverSheet, showOverSheet } from "./over_sheet.js";
import { paint } from "./painting.js";
import { heldDocument, holdDocument, readPayload } from "./payload.js";
import { join, ontoScreen } from "./scroll_sync.js";
import { withTables } from "./tables.js";
import { layOutText } from "./text.js";
import { blocksCut } from "./torn.js";

const WAIT_FOR_TEXT = 250;
const ASK_EVERY = 20; // looks: a question may be lost, or its answer
const OPENED = 1.3; // views high, at most, where a document's first selected chunk is shown up to its end
const MEASURE = "chunkscope: received to painted"; // for the browser's performance panel and benchmarks/live_drag.py

/** A run as Python sends it, drawn as soon as its text is there. */
export function read(view, data) {
  view.began = performance.now();
  const run = readPayload(data);
  const text = run.raw("text");
  if (view.following.holds(run, text)) return;
  if (text !== null && !heldDocument(run.document)) {
    const layout = withTables(layOutText(text), run.tableStart, run.tableEnd);
    const { sections = [], sectionLevel = [] } = run;
    const outline = { sections, sectionLevel, sectionTitles: run.list("sectionTitles") };
    holdDocument(run.document, { ...layout, crumbs: run.list("crumbs"), ...outline });
  }
  join(view, run.together);
  view.root.setAttribute("aria-label", `${run.name} cut by ${run.strategy}`);
  view.root.style.setProperty("--cs-height", run.height || "70vh");
  const known = heldDocument(run.document);
  if (!known) return ask(view, run);
  take(view, run, known);
}

/** The text may be on its way to another view on the page; if it has not come soon, ask Python for it.
 * @param {import("./payload.js").Run} run */
function ask(view, run) {
  view.say("Loading the text…");
  const already = view.timer && view.waiting?.document === run.document;
  view.waiting = run;
  if (already) return;
  clearTimeout(view.timer);
  view.timer = setTimeout(() => look(view, 0), WAIT_FOR_TEXT);
}

/** The text may come to another view, which then tells nobody: looks until it is there, and asks now and then. */
function look(view, times) {
  const known = heldDocument(view.waiting.document);
  if (known) return take(view, view.waiting, known);
  const first = view.waiting.together ? 4 : 0; // one of a group was most likely sent it
  if (times % ASK_EVERY === first) view.trigger("lacks", view.waiting.document);
  view.timer = setTimeout(() => look(view, times + 1), WAIT_FOR_TEXT);
}

/** Has the view show a run of a text that is here.
 * @param {import("./payload.js").Run} run
 * @param {boolean} [dragged] whether a hand moves its boundaries just now, which needs no other movement */
export function take(view, run, known, dragged = false) {
  clearTimeout(view.timer);
  view.timer = 0;
  const fresh = view.document !== known;
  const changed = view.run?.run !== run.run;
  const before = changed && !fresh && !dragged ? view.movement.painted() : null;
  if (fresh || run.together) view.elsewhere.forget();
  else if (changed) view.elsewhere.compare(view.run.start, run.start, dragged);
  else view.elsewhere.rest();
  view.run = run;
  view.runs += 1;
  view.say(known.text.length ? "" : "The document is empty.");
  view.marks = readMarks(run);
  view.tornWalk.show(blocksCut(run), run.torn.length);
  view.standing.show(run);
  explainOverview(view.map, run);
  view.marksKey.show(run, view.marks.all, dragged);
  view.selecting.allow(Boolean(run.marking));
  // Views that scroll as one are aligned on the place, not the chunk; what is in no chunk is known by its place.
  // So is a place inside a chunk, such as a mark: the chunk may be longer than the view.
  view.inside = run.selected >= 0 && run.at > run.start[run.selected];
  const told = run.together || run.selected < 0 || view.inside ? run.at : run.selected;
  const went = run.went !== (view.went ?? run.went); // somebody asked to be brought here
  view.went = run.went;
  // A threshold that is moved leaves the place where somebody selected: the page stays then.
  const chosen = !fresh && !dragged && (went || run.at !== view.at);
  view.at = run.at;
  const place = fresh ? placeInEdition(view, run, known) : null;
  if (view.echoes.isNew(told, went || fresh)) {
    adopt(view, run.selected);
    if (place && !went) view.reveal = false;
  } else if (view.selectedStart !== undefined) {
    view.selected = chunkHolding(run, view.selectedStart);
  }
  if (fresh) {
    view.document = known;
    view.leave();
    view.shownName = run.name;
    view.scroller.scrollTop = view.scroller.scrollLeft = 0;
    view.pages.show(known);
    if (place) view.pages.scrollTo(place.offset, place.delta);
    view.scroller.setAttribute("aria-label", `Source text of ${run.name}`);
    view.search.renew();
  }
  view.pages.fill();
  view.moving.take(run);
  paint(view);
  let shown = -1; // the place that somebody asked to see
  if (view.reveal) {
    view.reveal = false;
    const stays = changed && !fresh && !went && view.inside && view.isInView(run.at); // as where a boundary was taken away
    if (stays) view.place = run.at;
    else if (view.selected < 0 || view.inside || (run.together && run.at >= 0)) view.bringOffsetIntoView(run.at);
    else if (!fresh || went) view.bringIntoView(view.selected);
    else if (!view.begins(view.selected)) view.bringIntoView(view.selected, OPENED);
    if (chosen) shown = view.selected < 0 || view.inside ? run.at : run.start[view.selected];
  }
  if (fresh && !place && !went) openOverSheet(view);
  if (went && run.show >= 0) view.bringOffsetIntoView((shown = run.show));
  if (went) ontoScreen(view);
  if (shown >= 0) showOverSheet(view, drawnAt(view, shown), shown === run.show ? -1 : view.selected);
  if (view.copying && run.selected === view.selected) copyChunk(view);
  view.root.dataset.run = run.run;
  view.root.dataset.painted = String(Number(view.root.dataset.painted ?? 0) + 1);
  performance.clearMeasures(MEASURE);
  performance.measure(MEASURE, { start: view.began, end: performance.now() });
  if (before) view.movement.play(before);
}

/** Where the top of the view is in another edition of the text, such as a file that was edited; null in another text.
 * @param {import("./payload.js").Run} run */
function placeInEdition(view, run, known) {
  if (!view.document || view.shownName !== run.name) return null;
  const { offset, delta } = view.pages.anchor();
  const there = placeAfterEdit(view.document.text, known.text, offset);
  return there < 0 ? null : { offset: there, delta };
}

/** Takes the chunk that Python says is selected. */
function adopt(view, chunk) {
  view.reveal = chunk >= 0 || view.run.at >= 0;
  view.selected = chunk;
  view.selectedStart = chunk < 0 ? undefined : view.inside ? view.run.at : view.run.start[chunk];
}
