// One entry of the browser's history for each page. Streamlit opens a page at an address without a query, and the page
// then writes what it shows there: as a second entry, Back would only lead to the same page once more. The page's HTML
// asks for this module (pages/ui/server/first_style.py): it has to be there before the first address is written.

const WITHOUT_QUERY = /\/strategies\/?$/; // it writes none by itself: there a query is a step that somebody took

/** Whether an address is only the one that is open, with what the page shows written into it.
 * @param {string} open
 * @param {string} next */
export function onlyAddsQuery(open, next) {
  const from = new URL(open);
  const to = new URL(next, open);
  return !from.search && to.search !== "" && from.pathname === to.pathname && !WITHOUT_QUERY.test(to.pathname);
}

/** Whether an address is another page's with the query that is open already: the page had written it before Streamlit
 * opened its own address, unless somebody has pressed something since.
 * @param {string} open
 * @param {string} next */
export function onlyChangesPage(open, next) {
  const from = new URL(open);
  const to = new URL(next, open);
  return to.search !== "" && from.search === to.search && from.pathname !== to.pathname;
}

/** Has such an address take the place of the open one, for as long as the browser shows the app.
 * @param {History} history
 * @param {{href: string}} location
 * @param {{addEventListener: (name: string, heard: () => void, options: {capture: boolean}) => void}} presses */
export function keepOneEntry(history, location, presses) {
  const push = history.pushState;
  let pressed = true;
  for (const name of ["pointerdown", "keydown"]) {
    presses.addEventListener(
      name,
      () => {
        pressed = true;
      },
      { capture: true },
    );
  }
  history.pushState = (state, unused, url) => {
    const [open, next] = [location.href, String(url ?? location.href)];
    const replaces = onlyAddsQuery(open, next) || (!pressed && onlyChangesPage(open, next));
    (replaces ? history.replaceState : push).call(history, state, unused, url);
    pressed = false;
  };
}

if (globalThis.history) keepOneEntry(history, location, globalThis); // not where Node tests it
