// What keys do while the source has the focus, and those that read also where nothing else has a use for them; the help sheet
// is made from the same list.

import { goTo, isPaneHidden, togglePane } from "../pane_edge/panes.js";
import { askForPanel } from "../panel_tabs/open_panel.js";
import { askForSheet, hasSheet } from "../phone_sheet/sheet.js";
import { counted } from "../shared/counted.js";
import { offeredChanges } from "../shared/offered_changes.js";
import { tell } from "../shared/tell.js";
import { VIEW_KEYS, viewByKey } from "../shared/view_keys.js";
import { chunkText, copyText } from "./clipboard.js";
import { lastAtMost } from "./payload.js";
import { returnedBy } from "./returned.js";
import { saidOfHeading } from "./spoken.js";
import { nearestStanding } from "./standing_out.js";
import { nextTorn, noFurther, tornPlace } from "./torn.js";

/** Each row: the keys as they are written, what they do. */
export const KEYS = [
  [["j", "k"], "next, previous chunk, or of those that are filtered"],
  [["]", "["], "next, previous heading"],
  [["t", "T"], "next, previous torn boundary (it cuts a block in two)"],
  [["<", ">"], "start, end of what a hit on the chunk gives back"],
  [["Enter"], "choose the chunk at hand, and show why it ends"],
  [["Alt + ↑", "Alt + ↓"], "move the boundary above the chunk, by lines with Shift too; Enter finds settings for it"],
  [["x"], "to the first change that is offered: to keep a cut block whole, or to remove the boundary (Inspect)"],
  [["c"], "copy the selected chunk as it is embedded"],
  [["/"], "search the whole text; Enter and Shift + Enter go on"],
  [["Shift + arrows"], "select text, to copy or to mark, from where you went"],
  [["Home", "End"], "start and end of the document"],
  [["f"], "full screen; Escape leaves"],
  [["s", "p"], "hide or show the settings, the panels (Inspect)"],
  [["Ctrl + Z", "Ctrl + Y"], "undo, redo (Inspect; redo is also Ctrl + Shift + Z; on a Mac with Cmd)"],
  [["1 … 6"], "the views, from Source to Map (Inspect)"],
  [["Ctrl + K"], "all commands (everywhere; on a Mac Cmd + K)"],
  [["?"], "this help"],
];

/** Those that go to a place in the source and choose no label. */
export const GOES = ["]", "[", "t", "T", "<", ">"];
/** Those that work outside of the source, too. Streamlit has a use for c and r there, and the page for Home and End. */
export const ON_PAGE = ["j", "k", "]", "[", "t", "T", "<", ">", "x", "/", "f", "s", "p", "?", ...VIEW_KEYS];

const HELP = "help legend key shortcuts keyboard symbols colours colors";

/** What the command palette offers of these, and the way to the chunk whose number was typed.
 * @param {string} [typed]
 * @returns {import("../shared/commands.js").Command[]} */
export function commandsOf(view, typed = "") {
  /** @type {[string, string, () => void, string?][]} with other words by which they are found */
  const commands = [
    ["Next torn boundary (cuts a block in two)", "t", () => inSource(view, () => stepTorn(view, 1))],
    ["Previous torn boundary (cuts a block in two)", "T", () => inSource(view, () => stepTorn(view, -1))],
    ["Search the whole text", "/", () => view.search.open(), "find look for"],
    ["Copy the selected chunk", "c", () => copyChunk(view), "clipboard text"],
    ["Full screen", "f", () => setFull(view, !isFull(view)), "fullscreen larger maximise maximize"],
    ["What the marks mean and what the keys do", "?", () => toggleHelp(view), HELP],
  ];
  if (view.run.returnedStart.length) {
    commands.push(["Start of what a hit gives back", "<", () => inSource(view, () => leapReturned(view, 0))]);
    commands.push(["End of what a hit gives back", ">", () => inSource(view, () => leapReturned(view, 1))]);
  }
  const number = numberIn(typed);
  if (number >= 1 && number <= view.run.chunks) {
    commands.unshift([`Go to chunk ${counted(number)}`, "", () => goToChunk(view, number - 1), `#${number} ${number}`]);
  }
  return commands.map(([name, hint, run, also]) => ({ group: "Action", name, also, hint, run }));
}

/** The number of a chunk that somebody typed, as in "chunk 12" or "#12"; 0 where there is none.
 * @param {string} typed */
export function numberIn(typed) {
  return Number(/^\s*(?:(?:go\s+)?(?:to\s+)?chunk\s+#?|#)(\d+)\s*$/i.exec(typed)?.[1] ?? 0);
}

function goToChunk(view, chunk) {
  inSource(view, () => {
    view.point(chunk);
    view.bringIntoView(chunk);
    view.select(chunk);
  });
}

/** Does it with the keyboard in the source, which has the keys that go on from there. */
function inSource(view, act) {
  view.scroller.focus({ preventScroll: true });
  act();
}

/** What a key does to a view; undefined for a key that is not ours. */
export function actionOf(view, event) {
  const typed = event.getModifierState?.("AltGraph"); // [ and ] are written with it on many keyboards
  if (event.metaKey || (!typed && (event.ctrlKey || event.altKey))) return undefined;
  return {
    j: () => stepChunk(view, 1),
    k: () => stepChunk(view, -1),
    "]": () => stepHeading(view, 1),
    "[": () => stepHeading(view, -1),
    t: () => stepTorn(view, 1),
    T: () => stepTorn(view, -1),
    "<": () => leapReturned(view, 0),
    ">": () => leapReturned(view, 1),
    Enter: () => choose(view),
    x: () => toChange(view),
    c: () => copyChunk(view),
    "/": () => view.search.open(),
    s: () => pane(view, "settings", "s"),
    p: () => pane(view, "panels", "p"),
    f: () => setFull(view, !isFull(view)),
    "?": () => toggleHelp(view),
    Home: () => leap(view, () => (view.scroller.scrollTop = 0)),
    End: () => leap(view, () => view.pages.scrollTo(view.document.text.length, -view.scroller.clientHeight + 40)),
    Escape: () => closeNewest(view),
    ...Object.fromEntries(VIEW_KEYS.map((key) => [key, () => viewByKey(event)])),
  }[event.key];
}

/** Chooses the chunk at hand and opens what is said of it, also where another panel is open or the sheet is closed. */
function choose(view) {
  view.select(view.selected >= 0 ? view.selected : view.top);
  if (hasSheet()) askForSheet("chunk");
  else askForPanel("chunk");
}

/** To the first change that is offered for what is selected, so that Enter does it. */
function toChange(view) {
  const [first] = offeredChanges();
  if (!first) return view.flash("No change is offered here");
  if (isPaneHidden("panels")) togglePane("panels");
  askForPanel("chunk", { focus: true });
  goTo(first.button);
}

/** Hides or shows a pane that has a place at the side, and says how one that is hidden comes again: a key may be pressed by
 * mistake. */
function pane(view, name, key) {
  const before = isPaneHidden(name);
  togglePane(name);
  if (!before && isPaneHidden(name)) view.flash(`The ${name} are hidden; ${key} shows them`);
}

/** One thing at a time goes, the newest first. */
function closeNewest(view) {
  if (!view.tip.box.hidden) view.tip.hide();
  else if (view.legend.open) view.legend.open = false;
  else if (isFull(view)) setFull(view, false);
}

export function toggleHelp(view) {
  view.legend.open = !view.legend.open;
  (view.legend.open ? view.legend.firstChild : view.scroller).focus({ preventScroll: true });
}

export function isFull(view) {
  return view.root.classList.contains("full");
}

/** The view over all of the window, in the browser's top layer: no ancestor can cut it off. */
export function setFull(view, full) {
  const { root } = view;
  root.classList.toggle("full", full);
  if (full) {
    root.popover = "manual";
    root.showPopover();
  } else root.removeAttribute("popover");
  view.fullButton.setAttribute("aria-pressed", String(full));
  view.scroller.focus({ preventScroll: true });
  if (full) view.flash("Escape, or the same button, leaves full screen");
}

/** In full screen the focus stays here: what lies under it cannot be seen. */
export function keepFocus(view, event) {
  const to = event.relatedTarget;
  if (isFull(view) && to && !view.root.contains(to)) view.scroller.focus({ preventScroll: true });
}

// ---- going from place to place

/** Whether a key scrolls the view, which it does not at either end.
 * @param {HTMLElement} scroller
 * @param {KeyboardEvent} event */
export function scrolls({ scrollTop, clientHeight, scrollHeight }, { key, shiftKey }) {
  const up = key === "ArrowUp" || key === "PageUp" || (key === " " && shiftKey);
  const down = !up && (key === "ArrowDown" || key === "PageDown" || key === " ");
  return up ? scrollTop > 0 : down && scrollTop + clientHeight < scrollHeight - 1;
}

/** The label that has the focus may leave the page: the keys must still come here then. */
function leap(view, go) {
  view.leave(true);
  view.scroller.focus({ preventScroll: true });
  go();
}

/** The chunk after which the next one comes: the chosen one, unless somebody left it for the document's start or end, or
 * scrolled it out of view; else the first in view is the next one, or the one before that.
 * @param {number} by 1, or -1 where the one before comes */
export function goesOnFrom(view, by) {
  const { selected, place, left, run, top } = view;
  const { from, to } = view.window();
  const away = place < 0 && (left || run.end[selected] <= from || run.start[selected] >= to);
  return selected >= 0 && !away ? selected : top - (by > 0 ? 1 : 0);
}

/** To the next chunk or the one before. */
function stepChunk(view, by) {
  const next = nearestStanding(view.run, goesOnFrom(view, by) + by, by);
  view.point(next);
  view.bringIntoView(next);
  const button = view.list.querySelector(`button[data-chunk="${next}"]`);
  button?.focus({ preventScroll: true });
  settleOn(view, next);
}

/** Chooses a chunk when no further key comes at once: Python need not hear of those that are passed over. */
function settleOn(view, chunk) {
  clearTimeout(view.settle);
  view.settle = setTimeout(() => view.select(chunk, view.place), 120);
}

/** To the next heading or the one before, from the last one gone to or, after scrolling, from the top of the view. */
function stepHeading(view, step) {
  const { sections, sectionLevel, sectionTitles } = view.document;
  const here = view.here();
  const next = step > 0 ? lastAtMost(sections, here) + 1 : lastAtMost(sections, here - 1);
  if (next < 0 || next >= sections.length)
    return view.flash(step > 0 ? "This is the last heading" : "This is the first heading");
  const offset = sections[next];
  const chunk = chunkHolding(view.run, offset);
  if (chunk >= 0) view.point(chunk);
  view.bringOffsetIntoView(offset);
  const line = view.moving.number(view.pages.lineAt(offset));
  tell(saidOfHeading({ title: sectionTitles[next], level: sectionLevel[next], line }));
  settleOn(view, chunk);
}

/** To the next boundary that tears something, or the one before: the chunk that ends there is chosen. */
export function stepTorn(view, step) {
  const { run } = view;
  const index = nextTorn(run.torn, passedBy(view, step), step);
  if (index < 0) return view.flash(noFurther(run.torn.length, step));
  const chunk = run.torn[index];
  view.point(chunk);
  view.bringOffsetIntoView(run.end[chunk]);
  view.flash(tornPlace(run, index));
  settleOn(view, chunk);
}

/** The chunk from whose end on a torn boundary is looked for: not past the end of the chosen one, unless that was gone to. */
function passedBy(view, step) {
  const { selected, run, brought, top } = view;
  const ahead = step > 0 ? 1 : 0;
  if (selected < 0) return top - ahead;
  return brought >= run.end[selected] - 1 && brought <= run.end[selected] ? selected : selected - ahead;
}

/** To the start (0) or the end (1) of what a hit on the chosen chunk gives back; the chunk stays chosen. */
function leapReturned(view, side) {
  const span = returnedBy(view.run, view.selected >= 0 ? view.selected : view.top);
  if (!span) return view.flash("A hit gives back the chunk itself");
  leap(view, () => view.bringOffsetIntoView(side ? Math.max(span[0], span[1] - 1) : span[0]));
}

/** The chosen chunk's text as it is embedded; Python says what stands before and after the source's own text. */
export function copyChunk(view) {
  const { run } = view;
  const chunk = view.selected >= 0 ? view.selected : view.top;
  view.copying = run.selected !== chunk;
  if (view.copying) return view.select(chunk);
  copyText(chunkText(view.document.text, run, chunk));
  view.flash(`Copied chunk ${counted(chunk + 1)}`);
}

/** @param {import("./payload.js").Run} run */
export function chunkHolding(run, offset) {
  const chunk = lastAtMost(run.start, offset);
  return chunk >= 0 && offset < run.end[chunk] ? chunk : -1;
}

export function helpKey(view, event) {
  if (event.key !== "Escape" && event.key !== "?") return;
  event.preventDefault();
  event.stopPropagation();
  view.legend.open = false;
  view.scroller.focus({ preventScroll: true });
}
