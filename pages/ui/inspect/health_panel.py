"""Whether the run is fit to be embedded: a list of checks, each with the places where it does not
hold."""

from __future__ import annotations

from dataclasses import replace

import streamlit as st

from chunking import Run
from pages.ui import state
from pages.ui.components.health_list import health_list, rows
from pages.ui.components.health_list.rows import tally
from pages.ui.layout import caches, markup, page_frame, setting_names, within_limits


@within_limits.part
def health_panel(run: Run) -> None:
    """Draw the checks of this run. It stands outside what moves with a drag: they are found on
    release."""
    if not run.chunks:
        st.html(markup.heading("Health"))
        page_frame.note("Nothing to check: this document has no chunks.")
        return
    strategy = run.config.strategy
    checks = [
        replace(check, said=setting_names.plain_sentence(check.said, strategy)) for check in caches.health_of(run)
    ]
    st.html(markup.heading("Health", beside=tally(checks)))
    health_list(rows(checks, run), key="health", on_go=state.select)
