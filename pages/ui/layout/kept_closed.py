"""The line that says how many more documents are kept than are in use, and opens them."""

from __future__ import annotations

import streamlit as st

from pages.ui import state
from pages.ui.layout import markup, page_frame

_MOST_PROBLEMS = 3


def kept_and_closed() -> None:
    """Draw it where all documents are used or can be chosen, and what is wrong with those that
    cannot be opened. Samples give way to what is opened."""
    problems = state.kept_problems()
    for problem in problems[:_MOST_PROBLEMS]:
        page_frame.problem(problem)
    if len(problems) > _MOST_PROBLEMS:
        page_frame.problem(f"{len(problems) - _MOST_PROBLEMS:,} more kept documents cannot be opened.")
    closed = state.kept_and_closed()
    if not closed:
        return
    samples = all(each.sample for each in state.corpus_documents())
    with st.container(horizontal=True, gap="xsmall", vertical_alignment="center", key="kept-closed"):
        st.html(markup.more_kept(len(closed)), width="content")
        beside = "In place of the samples" if samples else "Beside those that are here"
        st.button(
            "Add them back" if len(closed) > 1 else "Add it back",
            key="open-kept",
            help=beside,
            on_click=state.open_all_kept,
        )
