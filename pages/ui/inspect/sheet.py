"""The head of a phone's sheet, which has the thresholds and the selected chunk, and the way back
from the settings that are not in it."""

from __future__ import annotations

import streamlit as st

from chunking import Chunk, Run, Skip
from chunking.text import counted
from pages.ui import state
from pages.ui.components.phone_sheet import phone_sheet
from pages.ui.components.source_view.payload import source_text
from pages.ui.inspect.chunk_panel import part_at
from pages.ui.layout import setting_names

_LONGEST_HEADING = 80


def sheet(run: Run) -> None:
    """Draw it."""
    at = state.shown_selected()
    part = part_at(run, at)
    ends = ""
    if part is None:
        words, says = "Chunk", ""
    elif isinstance(part, Skip):
        words, says = "Left out", f"Left out: {_lines(run, part)}"
    else:
        number = int(run.columns.start.searchsorted(part.body.start)) + 1
        words, says = f"Chunk {number:,}", said_of(run, part, number)
        ends = setting_names.plain_reason(part.ended_by, run.config.strategy)
    phone_sheet(words, ends=ends, document=source_text(run.document).hash, at=at, says=says, key="sheet")


def way_back() -> None:
    """Draw what leads from the settings, far below the source on a phone, back to it; what it does
    is threshold_rail/other_settings.js alone."""
    st.html('<button type="button" class="cs-back">Back to the source</button>')


def said_of(run: Run, chunk: Chunk, number: int) -> str:
    """What a screen reader is told of a chunk that is selected: its number, its size and, where it
    is short, its heading."""
    about = "about " if run.approximate else ""
    size = f"Chunk {number:,} of {len(run.chunks):,}, {about}{counted(chunk.tokens, 'token')}"
    heading = chunk.breadcrumb[-1] if chunk.breadcrumb else ""
    return f"{size}. {heading}" if 0 < len(heading) <= _LONGEST_HEADING else size


def _lines(run: Run, skip: Skip) -> str:
    first, last = run.document.line_of(skip.body.start), run.document.line_of(skip.body.end - 1)
    return f"line {first:,}" if first == last else f"lines {first:,} to {last:,}"
