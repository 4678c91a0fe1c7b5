"""What became of each boundary: which pair, which kinds, and the way from a row to its place, here
and in Inspect."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import partial

import streamlit as st

from pages.ui import state
from pages.ui.choices.comparing import KINDS, LETTERS
from pages.ui.compare.results import Compared
from pages.ui.layout import markup, page_frame
from pages.ui.side_by_side.numbers import Versus


def draw_boundaries(of: Compared) -> None:
    """What became of each boundary; a click goes to its place in the source, and from there to
    Inspect."""
    from pages.ui.compare import tables  # pandas

    st.html(markup.heading("Boundaries", beside="choose a cell to see its place in the source"))
    now = state.comparing()
    others = of.letters[1:]
    which = now.against if now.against in others else others[0]
    versus = of.against[others.index(which)]
    with st.container(horizontal=True, gap="small", key="compare-which"):
        if len(others) > 1:
            pair_chooser(of.letters[0], others, which)
        _kind_chooser(versus)
    table = tables.boundaries(versus, now.kinds)
    if table.empty:
        page_frame.note("No boundary of these kinds.")
        return
    # Other rows get another key, and so a table of their own: in the same one, Streamlit would not
    # report a click on the cell that was chosen before.
    key = "-".join(["compare-table", which, *(kind for kind in KINDS if kind in now.kinds)])
    st.dataframe(
        table,
        key=key,
        hide_index=True,
        column_order=[name for name in table.columns if name != "offset"],
        column_config={
            "Line": st.column_config.NumberColumn(width=48, format="%d"),
            "Page": st.column_config.NumberColumn(width=48, format="%d", help="The page of what follows"),
            "Boundary": st.column_config.TextColumn(width=84),
            "Moved by": st.column_config.TextColumn(width=76, help="Characters; minus is earlier"),
            "Reason before": st.column_config.TextColumn(width=116),
            "Reason after": st.column_config.TextColumn(width=116),
            "Chunk": st.column_config.TextColumn(width=68, help="The chunk that the boundary ends, before and after"),
        },
        height=min(38 + 28 * len(table), 420),
        row_height=28,
        on_select=partial(_go, key, tuple(table["offset"])),
        selection_mode="single-cell",
    )
    with st.container(horizontal=True, gap="small", key="compare-row-buttons"):
        _open_in_inspect(versus, which)
        at = state.selected()
        if at is not None:
            st.button("Show it in the source", key="compare-show-row", on_click=state.go, args=(at,))


def pair_chooser(first: str, others: Sequence[str], which: str) -> None:
    """Which config is set against the first one."""
    state.own("compare-which-pair", which)
    st.segmented_control(
        "Which pair",
        others,
        format_func=lambda letter: f"{first} to {letter}",
        required=True,
        key="compare-which-pair",
        on_change=_take_pair,
    )


def _take_pair() -> None:
    letter, now = state.moved("compare-which-pair"), state.comparing()
    if letter in LETTERS:
        state.compare(replace(now, against="" if letter == LETTERS[1] else str(letter)))


def _kind_chooser(versus: Versus) -> None:
    from pages.ui.compare import tables

    state.own("compare-kinds", list(state.comparing().kinds))
    st.pills(
        "Which boundaries",
        KINDS,
        selection_mode="multi",
        format_func=lambda kind: f"{tables.SIGNS[kind]} {versus.count(kind):,}",
        key="compare-kinds",
        on_change=_take_kinds,
    )


def _take_kinds() -> None:
    chosen, now = state.moved("compare-kinds"), state.comparing()
    if isinstance(chosen, list | tuple):
        state.compare(replace(now, kinds=tuple(kind for kind in KINDS if kind in chosen)))


def _go(key: str, offsets: tuple[int, ...]) -> None:
    """A callback: go to what stands at the boundary that was clicked, in every panel."""
    row = state.clicked_row(key)
    if row is not None and row < len(offsets):
        state.go(int(offsets[row]))


def _open_in_inspect(versus: Versus, letter: str) -> None:
    """Go on from the row that was clicked: to its place in Inspect, the first config as the
    baseline."""
    at, document = state.selected(), versus.after.run.document
    line = document.line_of(at) if at is not None and at < len(document.text) else None
    label = f"Open line {line:,} in Inspect" if line else "Open a row in Inspect"
    if st.button(
        label,
        key="compare-open-row",
        icon=":material/search:",
        disabled=line is None,
        help=f"Inspect {letter} there, with the first config as the baseline" if line else "Choose a row first",
    ):
        state.inspect(versus.after.run.config, versus.before.run.config)
        st.switch_page("app.py")
