"""The head of a phone's sheet, which has the thresholds and the selected chunk."""

from __future__ import annotations

from chunking import Run, Skip
from pages.ui import state
from pages.ui.components.phone_sheet import phone_sheet
from pages.ui.inspect.chunk_panel import part_at


def sheet(run: Run) -> None:
    """Draw it."""
    part = part_at(run, state.shown_selected())
    if part is None:
        words = "Chunk"
    elif isinstance(part, Skip):
        words = "Left out"
    else:
        words = f"Chunk {run.columns.start.searchsorted(part.body.start) + 1:,}"
    phone_sheet(words, key="sheet")
