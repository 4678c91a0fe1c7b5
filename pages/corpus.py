"""Corpus: one config on many documents, live; the worst of them first."""

from __future__ import annotations

import streamlit as st

from chunking.errors import RunLimitError
from pages.ui import state
from pages.ui.background.corpus_workers import Corpus, Cuts
from pages.ui.corpus import about, layout
from pages.ui.corpus.export_panel import export_panel
from pages.ui.corpus.live import EVERY, live, measure
from pages.ui.corpus.look_picker import look_picker
from pages.ui.corpus.overrides_panel import overrides_panel
from pages.ui.layout import caches, page_frame, palette, picker, within_limits


@within_limits.page
def main() -> None:
    """What the corpus is, what it is cut with, what comes of it."""
    state.follow_corpus_address()
    header = page_frame.open_page("Corpus")
    if state.goes_to_inspect():
        page_frame.open_inspect()
    state.open_corpus()
    places = layout.frame()
    corpus = Corpus(state.corpus_documents())
    resolution, before, choices = state.resolution(), state.baseline_resolution(), state.corpus_choices()
    with places.chosen:
        about.corpus_named(corpus)
        picker.strategy_picker(resolution)
    if not corpus.documents:
        with places.table:
            page_frame.empty("No documents", "Add some, or open the app with a folder: chunkscope app FOLDER")
        return
    none = (-1,) * len(corpus.documents)
    was = Cuts(before.config, (), none) if before else None
    cuts = Cuts(resolution.config, choices.overrides, choices.which(corpus.documents))
    try:
        running = measure(corpus, cuts, was).running
    except RunLimitError as error:
        with places.table:
            page_frame.empty("No room for these documents", str(error))
        return
    with places.said:
        st.fragment(live, run_every=EVERY if running else None)(places, corpus, was, looks_again=running)
    with places.look:
        look_picker()
    with header:
        export_panel(corpus, cuts)
    with places.settings:
        overrides_panel(resolution.config, cuts.which)
        picker.counter_picker(resolution)
        picker.other_settings(resolution, {})
        picker.baseline_picker(resolution.config, before)
    if source := state.source():
        palette.document_headings(caches.document(source))
    page_frame.freeze_what_is_loaded()


main()
