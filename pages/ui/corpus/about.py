"""What the corpus is: how many documents, from where, and the way to add others."""

from __future__ import annotations

import streamlit as st

from chunking.text import counted
from pages.ui import state
from pages.ui.background.corpus_workers import Corpus
from pages.ui.layout import markup, page_frame, picker
from pages.ui.layout.followed_files import followed_files
from pages.ui.layout.kept_closed import kept_and_closed
from pages.ui.layout.refusals import refusals


def corpus_named(corpus: Corpus) -> None:
    """Draw it."""
    samples = all(each.sample for each in corpus.documents)
    with st.container(horizontal=True, gap="small", vertical_alignment="center", key="document-row"):
        st.html(markup.heading("Samples" if samples else "Documents"), width="stretch")
        picker.add_documents()
    refusals("corpus")
    page_frame.note(f"{counted(len(corpus.documents), 'document')}, {counted(corpus.characters, 'character')}")
    kept_and_closed()
    if passed_over := state.files_passed_over():
        page_frame.note(passed_over)
    followed_files()
