// Whether the page is scrolled down, as a class of its root: on a phone Streamlit's menu stays at the top right and lies over
// what has come up to there (layout/streamlit_dom.css). The page's HTML asks for this module (pages/ui/server/first_style.py).

const LEAST = 24; // pixels

if (globalThis.document) {
  addEventListener(
    "scroll",
    ({ target }) => {
      if (target instanceof Element && target.matches("main"))
        document.documentElement.classList.toggle("cs-scrolled", target.scrollTop > LEAST);
    },
    { capture: true, passive: true },
  );
}
