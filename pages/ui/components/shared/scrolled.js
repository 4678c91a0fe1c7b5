// Whether the page is scrolled down, as a class of its root: Streamlit's menu stays at the top right and would lie over
// what comes up to there (layout/streamlit_dom.css). The page's HTML asks for this module (pages/ui/server/first_style.py).

const MOST = 6; // pixels until the first words of a page are under the menu

if (globalThis.document) {
  addEventListener(
    "scroll",
    ({ target }) => {
      if (target instanceof Element && target.matches("main"))
        document.documentElement.classList.toggle("cs-scrolled", target.scrollTop > MOST);
    },
    { capture: true, passive: true },
  );
}
