// What keys do while the source has the focus, and only then; the help sheet is made from the same list.

/** Each row: the keys as they are written, what they do. */
export const KEYS = [
  [["j", "k"], "next, previous chunk"],
  [["]", "["], "next, previous heading"],
  [["Enter"], "choose the chunk at hand"],
  [["c"], "copy the chosen chunk as it is embedded"],
  [["/"], "search the whole text; Enter and Shift + Enter go on"],
  [["Shift + arrows"], "select text, to copy or to mark"],
  [["Home", "End"], "start and end of the document"],
  [["f"], "full screen; Escape leaves"],
  [["?"], "this help"],
];

/** What a key does to a view; undefined for a key that is not ours. */
export function actionOf(view, event) {
  const typed = event.getModifierState?.("AltGraph"); // [ and ] are written with it on many keyboards
  if (event.metaKey || (!typed && (event.ctrlKey || event.altKey))) return undefined;
  const from = view.selected >= 0 ? view.selected : view.top - (event.key === "j" ? 1 : 0);
  return {
    j: () => view.step(from + 1),
    k: () => view.step(from - 1),
    "]": () => view.stepHeading(1),
    "[": () => view.stepHeading(-1),
    Enter: () => view.select(view.selected >= 0 ? view.selected : view.top),
    c: () => view.copyChunk(),
    "/": () => view.search.open(),
    f: () => setFull(view, !isFull(view)),
    "?": () => toggleHelp(view),
    Home: () => view.leap(() => (view.scroller.scrollTop = 0)),
    End: () => view.leap(() => view.pages.scrollTo(view.document.text.length, -view.scroller.clientHeight + 40)),
    Escape: () => escape(view),
  }[event.key];
}

/** One thing at a time goes, the newest first. */
function escape(view) {
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
