// What ties a tab to the panel that it shows. The tabs of a component lie in a shadow tree of their own, into which an id
// does not lead, and the panels are Streamlit's, which come and go: the elements themselves are tied, whenever some come.

/** @typedef {{tab: Element, panel: string, name: string}} Tie a panel's selector and name; "" where it is none now */

/** Ties them from now on.
 * @param {() => Tie[]} ties
 * @returns {{again: () => void, end: () => void}} */
export function tied(ties) {
  let waits = false;
  const again = () => {
    waits = false;
    for (const { tab, panel, name } of ties()) tie(tab, document.querySelector(panel), name);
  };
  const watch = new MutationObserver(() => {
    if (waits) return;
    waits = true;
    requestAnimationFrame(again);
  });
  watch.observe(document.body, { childList: true, subtree: true });
  return { again, end: () => watch.disconnect() };
}

/** @param {Element} tab
 * @param {Element | null} panel
 * @param {string} name */
function tie(tab, panel, name) {
  if (panel && name) {
    panel.setAttribute("role", "tabpanel");
    panel.setAttribute("aria-label", name);
  } else if (panel?.role === "tabpanel") {
    panel.removeAttribute("role");
    panel.removeAttribute("aria-label");
  }
  tab.ariaControlsElements = panel && name ? [panel] : [];
}
