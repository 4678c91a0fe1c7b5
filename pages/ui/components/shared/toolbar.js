// A toolbar is one stop of Tab; the arrows, Home and End go from one of its buttons to another.

/** Which of so many items a key leads to from this one; -1 where it leads to none.
 * @param {string} key
 * @param {number} from
 * @param {number} count */
export function itemAfter(key, from, count) {
  const to = { ArrowLeft: from - 1 + count, ArrowRight: from + 1, Home: 0, End: count - 1 }[key];
  return from < 0 || to === undefined ? -1 : to % count;
}

/** @param {HTMLElement} bar
 * @param {HTMLElement[]} items */
export function asToolbar(bar, items) {
  const stopAt = (stop) => {
    for (const item of items) item.tabIndex = item === stop ? 0 : -1;
  };
  stopAt(items[0]);
  bar.setAttribute("role", "toolbar");
  bar.addEventListener("focusin", ({ target }) => items.includes(/** @type {any} */ (target)) && stopAt(target));
  bar.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const to = itemAfter(event.key, items.indexOf(/** @type {any} */ (event.target)), items.length);
    if (to < 0) return;
    event.preventDefault();
    items[to].focus();
  });
}
