// A finger on a chart chooses the point that it taps, and scrolls the page where it swipes. Plotly takes each touch for a drag,
// and chooses the point that was last hovered over: a finger hovers nowhere. So it is not told of touches: of a tap it hears as
// of a click. The page's HTML asks for this module (pages/ui/server/first_style.py).

/** @param {Event} event */
const onChart = ({ target }) => target instanceof Element && Boolean(target.closest(".js-plotly-plot"));

/** Lets the chart find what is under the finger before the tap ends.
 * @param {PointerEvent} event */
function hover(event) {
  const { pointerType, target, clientX, clientY } = event;
  if (pointerType !== "touch" || !onChart(event)) return;
  target?.dispatchEvent(new MouseEvent("mousemove", { bubbles: true, clientX, clientY, view: window }));
}

/** @param {TouchEvent} event */
function keepToPage(event) {
  if (event.touches.length === 1 && onChart(event)) event.stopPropagation();
}

if (globalThis.document) {
  document.addEventListener("pointerdown", hover, { capture: true });
  document.addEventListener("touchstart", keepToPage, { capture: true, passive: true });
}
