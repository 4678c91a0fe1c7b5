"""What the corpus is: how many documents, from where, and the way to add others."""

from __future__ import annotations

import streamlit as st

from chunking.text import counted
from pages.ui import state
from pages.ui.background.corpus_workers import Corpus
from pages.ui.layout import markup, page_frame, picker
from pages.ui.layout.followed_files import followed_files

_MOST_PROBLEMS = 3


def corpus_named(corpus: Corpus) -> None:
    """Draw it."""
    samples = all(each.sample for each in corpus.documents)
    with st.container(horizontal=True, gap="small", vertical_alignment="bottom", key="document-row"):
        st.html(markup.heading("Samples" if samples else "Documents"), width="stretch")
        picker.add_documents()
    for refusal in state.refused():
        page_frame.problem(refusal)
    page_frame.note(f"{counted(len(corpus.documents), 'document')}, {counted(corpus.characters, 'character')}")
    _kept_and_closed(samples=samples)
    if passed_over := state.files_passed_over():
        page_frame.note(passed_over)
    followed_files()


def _kept_and_closed(*, samples: bool) -> None:
    """Documents that were kept from an earlier visit and are not in the corpus, with the way to
    have them there; samples give way to them."""
    problems = state.kept_problems()
    for problem in problems[:_MOST_PROBLEMS]:
        page_frame.problem(problem)
    if len(problems) > _MOST_PROBLEMS:
        page_frame.problem(f"{len(problems) - _MOST_PROBLEMS:,} more kept documents cannot be opened.")
    closed = state.kept_and_closed()
    if not closed:
        return
    with st.container(horizontal=True, gap="xsmall", vertical_alignment="center", key="kept-closed"):
        st.html(markup.note(f"{counted(len(closed), 'more document')} kept from an earlier visit"), width="content")
        words = "In place of the samples" if samples else "Beside those that are here"
        st.button("Open", key="corpus-open-kept", help=words, on_click=state.open_all_kept)
