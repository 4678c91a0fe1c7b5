"""A page: chosen, run, shown (CONTRIBUTING.md, "A page"). What it is made of would be a package in
pages/ui/."""

from __future__ import annotations

import streamlit as st

from pages.ui import state
from pages.ui.layout import caches, page_frame, picker
from pages.ui.layout.missing_document import missing_document


def main() -> None:
    """Which document, how many words it has, and that number."""
    state.follow_address()
    page_frame.open_page("Words")
    picker.document_picker()
    source = state.source()
    if source is None:
        missing_document()
        return
    document = caches.document(source)
    st.metric("Words", f"{len(document.text.split()):,}")


main()
