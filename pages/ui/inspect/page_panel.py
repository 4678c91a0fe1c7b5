"""The page of a PDF that the chosen chunk is on, as it looks."""

from __future__ import annotations

import streamlit as st

from chunking import Chunk, Run, Skip, Span
from chunking.document import regions
from chunking.text import page_range
from pages.ui import state
from pages.ui.choices.samples import Source
from pages.ui.components.page_picture import PageView, asked_page, is_seen, page_view
from pages.ui.inspect.chunk_panel import part_at
from pages.ui.inspect.page_jobs import picture_of
from pages.ui.layout import within_limits

_KEY = "page-view"
NOT_KEPT = "Only the text of this file is kept. Add the file again to see its pages."


def has_pictures(source: Source) -> bool:
    """Whether the document is a PDF, whose pages can be drawn or could be, had it been kept."""
    made = source.conversion
    return bool(source.original) or bool(made and made.page_starts and made.loader.startswith("pdf-"))


@st.fragment
@within_limits.part
def page_panel(run: Run, source: Source) -> None:
    """Draw the page, once the panel can be seen. While it is being drawn, it alone is drawn
    again."""
    page_view(None if state.dragging() else _view(run, source), key=_KEY)


def _view(run: Run, source: Source) -> PageView:
    made = run.document.conversion
    pages = len(made.page_starts) if made else 1
    part = part_at(run, state.shown_selected())
    on = run.document.pages(part.body) if part else None
    about = f"{source.file_hash} {part.body.start if part else ''}"
    page = max(1, min(asked_page(_KEY, about) or (on[0] if on else 1), pages))
    if not source.original:
        return PageView(about, page, pages, problem=NOT_KEPT)
    if not is_seen(_KEY):
        return PageView(about, page, pages)
    found = picture_of(source, page)
    if found is None:
        return PageView(about, page, pages, waits=True)
    if isinstance(found, str):
        return PageView(about, page, pages, problem=found)
    boxes = regions(found, _text_on(run, part, page)) if part else ()
    note = _note(part, on, page, found=bool(boxes))
    return PageView(about, page, pages, found.png, found.width, found.height, boxes, note)


def _text_on(run: Run, part: Chunk | Skip, page: int) -> str:
    """What of the chunk is on this page."""
    document = run.document
    starts = (*document.conversion.page_starts, len(document.text)) if document.conversion else (0, len(document.text))
    start, end = max(part.body.start, starts[page - 1]), min(part.body.end, starts[page])
    return document[Span(start, end)] if start < end else ""


def _note(part: Chunk | Skip | None, on: tuple[int, int] | None, page: int, *, found: bool) -> str:
    if part is None or on is None:
        return "Select a chunk to see where it is."
    if not on[0] <= page <= on[1]:
        return f"The chunk is on page {page_range(on)}."
    return "The chunk is outlined." if found else "Where the chunk is on this page was not found."
