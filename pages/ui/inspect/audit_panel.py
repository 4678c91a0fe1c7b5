"""What another tool's chunks have of the document, in the place of settings, which they have none
of."""

from __future__ import annotations

import streamlit as st

from chunking import Run
from chunking.imported import Foreign
from pages.ui.layout import caches, markup


def audit_panel(run: Run) -> None:
    """Draw what was found; nothing for a strategy of ours."""
    if not isinstance(run.config.strategy, Foreign):
        return
    with st.container(key="audit", gap="xsmall"):
        st.html(markup.heading("Audit", beside=run.config.strategy.called))
        for line in caches.audit_lines(run):
            st.html(markup.note(line.strip()))
