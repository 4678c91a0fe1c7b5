// A finger on a chart chooses the point that it taps. Plotly chooses the point that was last hovered over, and a finger hovers
// nowhere: what was tapped before would be chosen. The page's HTML asks for this module (pages/ui/server/first_style.py).

/** Lets the chart find what is under the finger before the tap ends.
 * @param {PointerEvent} event */
function hover({ pointerType, target, clientX, clientY }) {
  if (pointerType !== "touch" || !(target instanceof Element) || !target.closest(".js-plotly-plot")) return;
  target.dispatchEvent(new MouseEvent("mousemove", { bubbles: true, clientX, clientY, view: window }));
}

if (globalThis.document) document.addEventListener("pointerdown", hover, { capture: true });
