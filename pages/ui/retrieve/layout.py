"""The containers of the Retrieve page: the question, what each config retrieves side by side, and
the evaluation."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from pages.ui import state
from pages.ui.choices.comparing import LETTERS
from pages.ui.layout import page_frame
from pages.ui.side_by_side.markup import one_shown

_HERE = Path(__file__).parent


@dataclass(frozen=True, slots=True)
class RetrieveLayout:
    """The containers of the page, from top to bottom."""

    chosen: DeltaGenerator
    question: DeltaGenerator
    problems: DeltaGenerator
    asking: DeltaGenerator
    """How far embedding is, or what it would take."""
    told: DeltaGenerator
    """What came of a question, for those who hear the page."""
    uneven: DeltaGenerator
    """That one config gives much more text than another."""
    panels: tuple[DeltaGenerator, ...]
    """One for each row."""
    measured: DeltaGenerator


def frame(rows: int) -> RetrieveLayout:
    """Lay the page out for this many rows."""
    with st.container(key="retrieve", gap="xsmall"):
        chosen = st.container(key="retrieve-chosen", horizontal=True, gap="small", vertical_alignment="top")
        question = st.container(key="retrieve-asked", gap="xsmall")
        problems = st.container(key="retrieve-problems", gap="xsmall")
        with st.container(key="retrieve-asking-place", gap=None):
            asking = st.empty()
            told = st.container(key="retrieve-told")
        uneven = st.container(key="retrieve-uneven", horizontal=True, gap="small", vertical_alignment="center")
        with st.container(key="retrieve-shown", gap=None):
            st.html(one_shown(LETTERS[:rows], "Hits of", name="Config whose hits are shown"))
        with st.container(key="compare-panels", horizontal=True, gap="small", wrap=False):
            panels = tuple(st.container(key=f"compare-panel-{letter}", gap="xsmall") for letter in LETTERS[:rows])
        measured = st.container(key="retrieve-measured", gap="small")
    return RetrieveLayout(chosen, question, problems, asking, told, uneven, panels, measured)


def link_problems() -> None:
    """What the link got wrong; the rest of it is shown."""
    for problem in (state.comparing().problem, state.retrieving().problem):
        if problem:
            page_frame.problem(f"in the link: {problem}")
