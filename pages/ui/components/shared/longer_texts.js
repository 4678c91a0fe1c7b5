// A hit's text on Retrieve that is longer than its box says so: it fades at the bottom, and "Show all" stands below it
// (pages/ui/retrieve/markup.py, page.css). It does not scroll: the wheel and a finger move the page. The page's HTML asks for
// this module (pages/ui/server/first_style.py).

const BOX = ".cs-passage";

/** Says by a class of what is around a box whether there is more than it shows.
 * @param {Pick<HTMLElement, "clientHeight" | "scrollHeight" | "parentElement">} box */
export function sayLonger({ clientHeight, scrollHeight, parentElement }) {
  parentElement?.classList.toggle("cs-longer", scrollHeight > clientHeight + 1);
}

function watch() {
  const sizes = new ResizeObserver((changes) => {
    for (const { target } of changes) sayLonger(/** @type {HTMLElement} */ (target));
  });
  const arrivals = new MutationObserver((changes) => {
    for (const { addedNodes } of changes)
      for (const node of addedNodes) {
        if (!(node instanceof Element)) continue;
        for (const box of node.querySelectorAll(BOX)) sizes.observe(box);
      }
  });
  arrivals.observe(document.body, { childList: true, subtree: true });
}

if (globalThis.document) watch(); // not where Node tests it
