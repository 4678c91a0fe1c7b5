// What every component is made with: its elements, and one instance for each place that hears of every run.

export function make(tag, name, parent, attributes = {}) {
  const element = document.createElement(tag);
  if (name) element.className = name;
  for (const [attribute, value] of Object.entries(attributes)) element.setAttribute(attribute, value);
  parent?.append(element);
  return element;
}

/** What Streamlit calls for each run: one view for each place, which hears of every run. Streamlit also gives up a call that
 * a newer one overtook: the place is still on the page then, and so is its view, with the keyboard and all that was done in
 * it. */
export function mounted(View) {
  const views = new WeakMap();
  return (component) => {
    const parent = component.parentElement;
    let view = views.get(parent);
    if (!view) views.set(parent, (view = new View(parent)));
    view.receive(component);
    markDrawn(parent);
    return () => {
      if (parent.isConnected || views.get(parent) !== view) return;
      view.destroy();
      views.delete(parent);
    };
  };
}

/** Says that a component has drawn what it was given: what stands for the page goes by that (layout/streamlit_dom.css). */
function markDrawn(parent) {
  const root = parent.getRootNode();
  (root instanceof ShadowRoot ? root.host : parent).closest(".stBidiComponent")?.setAttribute("data-drawn", "");
}

const SKIPPED = "chunkscope:skipped";
const SEEN = 120; // pixels of a source by which one sees that it has the keyboard

/** Asks the view of the source that is on the page, the first where there are two, to take the keyboard.
 * @param {boolean} [still] leaves the page at its top where a source begins in the view */
export function skipToSource(still = false) {
  document.dispatchEvent(new CustomEvent(SKIPPED, { cancelable: true, detail: { still } }));
}

export const SKIP_LINK_CAME = "chunkscope:skip-link-came";

/** Says that the link past the controls is there, and returns whether somebody has pressed Tab for it already
 * (early_tab.js). */
export function skipLinkCame() {
  const detail = { wanted: false };
  document.dispatchEvent(new CustomEvent(SKIP_LINK_CAME, { detail }));
  return detail.wanted;
}

/** Whether an element is shown: of sources to compare, a phone shows one.
 * @param {Element} element */
export const isSeen = (element) => element.checkVisibility({ visibilityProperty: true });

/** Gives an element the keyboard when somebody skips to the source; returns what ends that.
 * @param {() => HTMLElement | null | undefined} place the element, once it is there */
export function takesSkips(place) {
  const take = (event) => {
    const element = event.defaultPrevented ? null : place();
    if (!element || !isSeen(element)) return;
    event.preventDefault();
    const { top } = element.getBoundingClientRect();
    const seen = !element.matches('[role="grid"]') && top >= 0 && top + SEEN < innerHeight;
    element.focus({ preventScroll: event.detail.still && seen });
  };
  document.addEventListener(SKIPPED, take);
  return () => document.removeEventListener(SKIPPED, take);
}
