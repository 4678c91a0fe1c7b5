"""Tune: settings over ranges on a heat map that fills in, and configs found for a goal, with what
each costs."""

from __future__ import annotations

import streamlit as st

from pages.ui import state
from pages.ui.layout import caches, counted, model_prompts, page_frame, palette, picker, within_limits
from pages.ui.layout.kept_closed import kept_and_closed
from pages.ui.layout.missing_document import missing_document
from pages.ui.tune import layout, sweep_view


@within_limits.page
def main() -> None:
    """What was chosen, what is measured, what came of it."""
    state.follow_tuned_address()
    page_frame.open_page("Tune")
    places = layout.frame()
    with places.chosen:
        picker.document_picker()
    source = state.source()
    if source is None:
        with places.results:
            missing_document()
        return
    resolution = state.resolution()
    with places.chosen:
        kept_and_closed()
        if state.tuned().view == "sweep":  # a goal is looked for in strategies of its own
            picker.strategy_picker(resolution, snapshots=True)
        layout.view_picker()
    with places.results:
        doing = st.empty()
        if caches.reads_long(source):
            with doing.container(key="tune-reading"):
                page_frame.empty(f"Reading {source.name}", "Once it is read, its settings can be tried.")
        document = resolution.config.read(caches.document(source))
        doing.empty()
        model_prompts.answer(document, resolution.config, doing, "embed")
        counted.config_note(document, resolution.config)
    if state.tuned().view == "goal":
        from pages.ui.tune import goal_view  # what searches and retrieves is loaded only for this half

        goal_view.show(places, document, resolution.config)
    else:
        sweep_view.show(places, document, resolution.config)
    state.write_tuning()
    palette.document_headings(document)
    page_frame.freeze_what_is_loaded()


main()
