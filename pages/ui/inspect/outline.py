"""The document's outline: choosing a heading brings its section into view."""

from __future__ import annotations

from chunking import Document
from pages.ui import state
from pages.ui.components.outline_list import headings, outline_list
from pages.ui.layout import page_frame, within_limits


@within_limits.part
def outline(document: Document) -> None:
    """The headings: their text is shown, never interpreted."""
    found = headings(document)
    if found:
        outline_list(found, key="outline", on_go=state.select)
    else:
        page_frame.note("No headings in this document.")
