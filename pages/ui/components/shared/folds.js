// A list that somebody opened stays open where it is drawn anew, as after Undo or for the next chunk: what Streamlit draws
// comes closed. The page's HTML asks for this module (pages/ui/server/first_style.py).

const FOLD = "details[data-fold]";

/** The names of those that are open. @type {Set<string | undefined>} */
const opened = new Set();

/** Opens those that have come, as somebody left them.
 * @param {Iterable<{addedNodes: Iterable<Node>}>} changes */
function openAgain(changes) {
  for (const { addedNodes } of changes)
    for (const node of addedNodes) {
      if (!(node instanceof Element)) continue;
      const come = [...node.querySelectorAll(FOLD), ...(node.matches(FOLD) ? [node] : [])];
      for (const fold of /** @type {HTMLDetailsElement[]} */ (come))
        if (opened.has(fold.dataset.fold)) fold.open = true;
    }
}

if (globalThis.document) {
  addEventListener(
    "toggle",
    ({ target }) => {
      if (!(target instanceof HTMLDetailsElement) || !target.matches(FOLD)) return;
      if (target.open) opened.add(target.dataset.fold);
      else opened.delete(target.dataset.fold);
    },
    { capture: true },
  );
  new MutationObserver(openAgain).observe(document.body, { childList: true, subtree: true });
}
