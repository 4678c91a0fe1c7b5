"""The documents that the app keeps from one visit to the next: whether it does, which they are, and
the way to remove them."""

from __future__ import annotations

import streamlit as st

from chunking.text import counted
from pages.ui import state
from pages.ui.layout import markup, page_frame
from pages.ui.server.kept_documents import Kept, limit_in_bytes, size_text

_MOST_SHOWN = 40
_OPEN_ALL = "Corpus shows all that are open. After a reload they are open again."


def kept_list() -> None:
    """Draw the switch and, once it is opened, the list."""
    if why_not := state.why_nothing_is_kept():
        page_frame.note(why_not)
        return
    st.toggle(
        "Keep added documents",
        key=state.own("keep-documents", state.keeps_documents()),
        help="Added documents are there again after a reload and a restart. They stay on this server's disk.",
        on_change=_take_switch,
    )
    documents = state.kept_documents()
    if not documents:
        return
    with st.expander("Kept documents", key="kept", on_change="rerun") as rows:
        if rows.open:
            _rows(documents)


def _rows(documents: tuple[Kept, ...]) -> None:
    total = sum(each.size for each in documents)
    page_frame.note(
        f"{counted(len(documents), 'document')}, {size_text(total)} of {size_text(limit_in_bytes())}. "
        "When there is no room left, the one not opened for the longest time goes first."
    )
    titles = state.document_titles()  # two of one name as the list of documents tells them apart
    with st.container(key="kept-rows", gap="xsmall"):
        for each in documents[:_MOST_SHOWN]:
            _row(each, titles.get(each.about.key, each.about.title))
    if len(documents) > _MOST_SHOWN:
        page_frame.note(f"And {len(documents) - _MOST_SHOWN:,} more, opened before these.")
    with st.container(horizontal=True, gap="xsmall", key="kept-all"):
        st.button("Open all", key="kept-open-all", type="tertiary", on_click=state.open_all_kept, help=_OPEN_ALL)
        st.button(
            "Remove all",
            key="kept-remove-all",
            type="tertiary",
            on_click=state.remove_kept,
            args=tuple(each.about.key for each in documents),
        )


def _row(kept: Kept, title: str) -> None:
    about, words = kept.about, f"Remove {markup.plain_label(title)}"
    with st.container(horizontal=True, gap="xsmall", wrap=False, vertical_alignment="center"):
        st.html(markup.kept(title, size_text(kept.size), kept.problem))
        st.button(
            words,
            key=f"kept-remove-{about.key[:16]}",
            icon=":material/close:",
            type="tertiary",
            help=words,
            on_click=state.remove_kept,
            args=(about.key,),
        )


def _take_switch() -> None:
    state.keep_documents(on=state.moved("keep-documents") is True)
