"""The document's outline: a click goes there."""

from __future__ import annotations

from functools import partial

import streamlit as st

from chunking import Document
from pages.ui import shell, state, tables


def outline(document: Document) -> None:
    """The headings as a table of plain cells: their text is shown, never interpreted."""
    headings = tables.outline(document)
    if headings.empty:
        shell.note("No headings in this document.")
        return
    st.dataframe(
        headings,
        key="outline",
        hide_index=True,
        column_order=("Heading", "Line"),
        column_config={"Line": st.column_config.NumberColumn(width=48, format="%d")},
        height=min(36 + 28 * len(headings), 320),
        row_height=28,
        on_select=partial(_go, tuple(headings["start"])),
        selection_mode="single-cell",
    )


def _go(starts: tuple[int, ...]) -> None:
    """A callback: select what stands under the heading that was clicked."""
    row = state.clicked_row("outline")
    if row is not None and row < len(starts):
        state.select(int(starts[row]))
