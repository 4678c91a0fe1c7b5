// A hit's text on Retrieve that is longer than its box says so: it fades at the bottom until it is scrolled to its end, and
// "Show all" stands below it (pages/ui/retrieve/markup.py, page.css). The page's HTML asks for this module
// (pages/ui/server/first_style.py).

const BOX = ".cs-passage";

/** Says by classes of what is around a box whether there is more than it shows, and whether its end is in sight.
 * @param {Pick<HTMLElement, "scrollTop" | "clientHeight" | "scrollHeight" | "parentElement">} box */
export function sayLonger({ scrollTop, clientHeight, scrollHeight, parentElement }) {
  parentElement?.classList.toggle("cs-longer", scrollHeight > clientHeight + 1);
  parentElement?.classList.toggle("cs-at-end", scrollTop + clientHeight >= scrollHeight - 1);
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
  const seen = ({ target }) => {
    if (target instanceof HTMLElement && target.matches(BOX)) sayLonger(target);
  };
  addEventListener("scroll", seen, { capture: true, passive: true });
}

if (globalThis.document) watch(); // not where Node tests it
