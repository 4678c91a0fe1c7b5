"""The document's outline: a heading that is chosen is gone to."""

from __future__ import annotations

from chunking import Document
from pages.ui import shell, state
from pages.ui.outline_list import headings, outline_list


def outline(document: Document) -> None:
    """The headings: their text is shown, never interpreted."""
    found = headings(document)
    if found:
        outline_list(found, key="outline", on_go=state.select)
    else:
        shell.note("No headings in this document.")
