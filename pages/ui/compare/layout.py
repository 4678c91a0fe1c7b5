"""The containers of the Compare page, and what is drawn above and below the sources."""

from __future__ import annotations

from dataclasses import dataclass, replace

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from pages.ui import state
from pages.ui.choices.comparing import LETTERS
from pages.ui.compare import boundaries, marks, stability
from pages.ui.compare import results as compare_results
from pages.ui.compare.pair_picker import pair_picker
from pages.ui.compare.results import Compared
from pages.ui.layout import page_frame, picker
from pages.ui.layout.kept_closed import kept_and_closed
from pages.ui.side_by_side import controls

_ONE, _ALL = "one", "all"


@dataclass(frozen=True, slots=True)
class CompareLayout:
    """The containers of the page, from top to bottom."""

    chosen: DeltaGenerator
    problems: DeltaGenerator
    ribbon: DeltaGenerator
    panels: tuple[DeltaGenerator, ...]
    """One for each row."""
    all_documents: DeltaGenerator
    """What is shown in place of the sources where all documents are compared."""
    left: DeltaGenerator
    right: DeltaGenerator


def frame(rows: int, *, of_all: bool) -> CompareLayout:
    """Lay the page out for this many rows, on one document or on all."""
    with st.container(key="compare", gap="xsmall"):
        chosen = st.container(key="compare-chosen", horizontal=True, gap="small", vertical_alignment="top")
        problems = st.container(key="compare-problems", gap="xsmall")
        above = problems if of_all else st.container(key="compare-ribbon-place", gap=None)
        with st.container(key="compare-panels", horizontal=True, gap="small", wrap=False):
            panels = tuple(st.container(key=f"compare-panel-{letter}", gap="xsmall") for letter in LETTERS[:rows])
        every = st.container(key="compare-all-documents", gap="small")
        if of_all:
            return CompareLayout(chosen, problems, above, panels, every, every, every)
        with st.container(key="compare-results", horizontal=True, gap="medium", wrap=False):
            left, right = (st.container(key=f"compare-{side}", gap="small") for side in ("left", "right"))
    return CompareLayout(chosen, problems, above, panels, every, left, right)


def choose() -> None:
    """Draw the choice of the document, of a before/after pair and of the counter, and the button
    that adds a row."""
    with st.container(key="compare-document", gap="xsmall"):
        _document_or_all()
        if not state.comparing().all_documents:
            picker.document_picker(sample_in_help=True)
        if state.comparing().all_documents or state.source():
            kept_and_closed()
    page_frame.more_controls("Example, tokenizer, another config", name="compare")
    with st.container(key="compare-pairs", gap="xsmall"):
        pair_picker()
    controls.counter_picker()
    controls.add_button()


def _document_or_all() -> None:
    """Whether one document is compared, or all of the corpus."""
    count = len(state.corpus_documents())
    names = {_ONE: "One document", _ALL: f"All documents ({count:,})"}
    with st.container(horizontal=True, gap="small", vertical_alignment="bottom", key="compare-scope-row"):
        st.segmented_control(
            "Compare on",
            names,
            format_func=names.__getitem__,
            required=True,
            key=state.own("compare-scope", _ALL if state.comparing().all_documents else _ONE),
            on_change=_take_scope,
        )
        if state.comparing().all_documents:
            picker.add_documents()


def _take_scope() -> None:
    state.compare(replace(state.comparing(), all_documents=state.moved("compare-scope") == _ALL))


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
