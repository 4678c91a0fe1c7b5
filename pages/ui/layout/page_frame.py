"""The frame of every page: title, the way to the other pages; and one line of a problem or a
note."""

from __future__ import annotations

from pathlib import Path

import streamlit as st
from streamlit.delta_generator import DeltaGenerator
from streamlit.errors import StreamlitAuthError

from pages.ui import state
from pages.ui.components.connection_notice import connection_notice
from pages.ui.components.skip_link import Skip, skip_link
from pages.ui.layout import caches, markup
from pages.ui.layout.link_button import link_button
from pages.ui.layout.palette import palette
from pages.ui.server import owners

_HERE = Path(__file__).resolve().parent
_ROOT = _HERE.parents[2]
TAGLINE = "See where a chunking strategy cuts your document, and why."
_PAGES = (
    ("app.py", "Inspect"),
    ("pages/corpus.py", "Corpus"),
    ("pages/compare.py", "Compare"),
    ("pages/tune.py", "Tune"),
    ("pages/retrieve.py", "Retrieve"),
    ("pages/strategies.py", "Strategies"),
)

_CHOOSING = ("Inspect", "Corpus", "Tune")
"""Where one strategy is chosen for the page."""
_SKIPS = {
    "Inspect": Skip("source"),
    "Corpus": Skip("documents"),
    "Compare": Skip("sources"),
    "Tune": Skip("results", key="tune-results"),
    "Retrieve": Skip("question", key="retrieve-question", field=True),
    "Strategies": Skip("strategy", key="strategy-page"),
}
"""Where the link past the pages and the controls leads to."""


def open_page(title: str, *, of_document: bool = True) -> DeltaGenerator:
    """Start a page: title, icon and navigation. Every page calls it first: each opens at its
    own address. Returns the place in the header for what exports the page's config.

    Whether it is `of_document` decides what a link to it would lack. A page of no document has a
    heading of its own.
    """
    state.note_left(title)
    state.open_page(title)
    state.open_again(on_corpus=title == "Corpus", shows=state.recall_left(title))
    if state.leads_to_inspect() and title != _PAGES[0][1]:
        open_inspect()
    st.set_page_config(page_title=f"{title} · Chunkscope", page_icon=str(_HERE / "icon.svg"), layout="wide")
    with st.container(horizontal=True, key="nav", gap="small", vertical_alignment="center"):
        if title in _SKIPS:
            skip_link(_SKIPS[title])
        st.html(f'<span class="cs-brand">Chunkscope</span>{_heading(title) if of_document else ""}', width="content")
        with st.container(horizontal=True, key="pages", gap="small", width="content", wrap=False):
            for script, label in _PAGES:
                if (_ROOT / script).exists():
                    st.page_link(script, label=label, width="content")
        if title == _PAGES[0][1]:
            st.html(f'<span class="cs-tagline">{TAGLINE}</span>', width="content")
        if owners.logs_in():
            _login()
        with st.container(horizontal=True, key="nav-buttons", gap="xsmall", width="content", wrap=False):
            export = st.container(key="nav-export", width="content")
            palette(
                shows_document=of_document and title != "Corpus",
                filters_chunks=title == _PAGES[0][1],
                chooses_strategy=title in _CHOOSING,
            )
            link_button(of_document=of_document)
        connection_notice()
    return export


def open_inspect() -> None:
    """Go to Inspect as it is chosen now; one step back in the browser returns to this page."""
    st.switch_page("app.py", query_params=state.inspect_query())


def _heading(title: str) -> str:
    """For screen readers, where the page shows no heading of its own."""
    return f'<h1 class="cs-unseen">{title}</h1>'


def _login() -> None:
    """Sign in or out, where people are known by Streamlit's login."""
    if owners.signed_in():
        st.button("Sign out", key="sign-out", type="tertiary", on_click=st.logout)
    else:
        if st.button("Sign in", key="sign-in", type="tertiary"):
            try:
                st.login()
            except StreamlitAuthError as error:
                problem(f"Nobody can sign in: {' '.join(str(error).replace('`', '').split())}")


@st.cache_resource(show_spinner=False)
def freeze_what_is_loaded() -> None:
    """Keep what is imported out of the garbage collector's way, once."""
    caches.collect_rarely()


def problem(text: str) -> None:
    """One line beside the control it belongs to."""
    st.html(markup.problem(text))


def note(text: str) -> None:
    st.html(markup.note(text))


def paragraph(text: str) -> None:
    st.html(markup.paragraph(text))


def more_controls(words: str, *, name: str) -> None:
    """One line that stands for the controls after it on a phone, until it is opened: what the page
    shows comes first there. `name` is the page's."""
    with st.container(key="more-controls"):
        st.html(markup.more_controls(words, name=name))


def exact(text: str) -> None:
    """A text as it is: never Markdown, never coloured."""
    st.html(markup.exact(text))


def empty(title: str, text: str) -> None:
    """What stands where there is nothing to show."""
    st.html(markup.empty(title, text))
