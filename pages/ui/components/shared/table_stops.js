// A table of Streamlit's is one stop of the Tab key: arrows go from cell to cell, and Tab goes on behind the table, which
// would go through all cells of a row. The page's HTML asks for this module (pages/ui/server/first_style.py).

const CELLS = ".stDataFrame canvas, .stDataFrame [role='grid']";

/** Whether a key leaves the table that has the keyboard.
 * @param {KeyboardEvent} event */
export function leavesTable({ key, target, ctrlKey, metaKey, altKey }) {
  const held = ctrlKey || metaKey || altKey;
  return key === "Tab" && !held && Boolean(/** @type {Element | null} */ (target)?.closest?.(CELLS));
}

if (globalThis.document) {
  // The browser's own Tab is enough: the table must not hear of it.
  document.addEventListener("keydown", (event) => leavesTable(event) && event.stopPropagation(), { capture: true });
}
