"""The containers of the Compare page, and what is drawn above and below the sources."""

from __future__ import annotations

from dataclasses import dataclass

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from pages.ui import state
from pages.ui.choices.comparing import LETTERS
from pages.ui.compare import boundaries, marks, stability
from pages.ui.compare import results as compare_results
from pages.ui.compare.pair_picker import pair_picker
from pages.ui.compare.results import Compared
from pages.ui.layout import page_frame, picker
from pages.ui.side_by_side import controls


@dataclass(frozen=True, slots=True)
class CompareLayout:
    """The containers of the page, from top to bottom."""

    chosen: DeltaGenerator
    problems: DeltaGenerator
    ribbon: DeltaGenerator
    panels: tuple[DeltaGenerator, ...]
    """One for each row."""
    left: DeltaGenerator
    right: DeltaGenerator


def frame(rows: int) -> CompareLayout:
    """Lay the page out for this many rows."""
    with st.container(key="compare", gap="xsmall"):
        chosen = st.container(key="compare-chosen", horizontal=True, gap="small", vertical_alignment="top")
        problems = st.container(key="compare-problems", gap="xsmall")
        above = st.container(key="compare-ribbon-place", gap=None)
        with st.container(key="compare-panels", horizontal=True, gap="small", wrap=False):
            panels = tuple(st.container(key=f"compare-panel-{letter}", gap="xsmall") for letter in LETTERS[:rows])
        with st.container(key="compare-results", horizontal=True, gap="medium", wrap=False):
            left, right = (st.container(key=f"compare-{side}", gap="small") for side in ("left", "right"))
    return CompareLayout(chosen, problems, above, panels, left, right)


def choose() -> None:
    """Draw the choice of the document, of a before/after pair and of the counter, and the button
    that adds a row."""
    with st.container(key="compare-document", gap="xsmall"):
        picker.document_picker()
    with st.container(key="compare-pairs", gap="xsmall"):
        pair_picker()
    controls.counter_picker()
    controls.add_button()


def link_problem() -> None:
    """What the link got wrong; the rest of it is shown."""
    if state.comparing().problem:
        page_frame.problem(f"in the link: {state.comparing().problem}")


def results(places: CompareLayout, compared: Compared, counter: str) -> None:
    """Below the sources: what changed, in words and numbers."""
    if len(compared.rows) < 2:
        return
    with places.left:
        compare_results.draw_metrics(compared, counter)
    with places.right:
        marks.draw_marks(compared, compared.rows[0][1].run.document)
        boundaries.draw_boundaries(compared)
        compare_results.draw_again(compared)
        stability.draw_stability(compared, counter)
        compare_results.draw_sizes(compared, counter)
