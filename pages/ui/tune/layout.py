"""The containers of the Tune page, and the switch between its two views: a sweep, and a search for
a goal."""

from __future__ import annotations

from dataclasses import dataclass, replace

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from pages.ui import state
from pages.ui.choices.tuning import View
from pages.ui.layout import page_frame

_VIEWS: dict[View, str] = {"sweep": "Sweep settings", "goal": "Find for a goal"}


@dataclass(frozen=True, slots=True)
class TuneLayout:
    """The containers of the page."""

    chosen: DeltaGenerator
    request: DeltaGenerator
    """What to measure."""
    results: DeltaGenerator


def frame() -> TuneLayout:
    """Lay the page out: a rail on the left, results on the right."""
    with st.container(key="tune", horizontal=True, gap="medium", wrap=False):
        left = st.container(key="tune-left", gap="small")
        results = st.container(key="tune-results", gap="small")
    with left:
        chosen = st.container(key="tune-chosen", gap="small")
        request = st.container(key="tune-asked", gap="small")
    return TuneLayout(chosen, request, results)


def instead_of_button(words: str) -> None:
    """In the rail, while the button that begins stands where the results will be: its place, so
    that what is below does not move."""
    with st.container(key="tune-begin-place"):
        page_frame.note(words)


def before_results() -> DeltaGenerator:
    """The place of results before there are any: for what comes of it, and the button that
    begins."""
    return st.container(key="tune-start", gap="small", horizontal_alignment="center")


def view_picker() -> None:
    """Sweep settings over ranges, or have a goal searched for."""
    st.segmented_control(
        "What to do",
        list(_VIEWS),
        key=state.own("tune-view", state.tuned().view),
        format_func=lambda view: _VIEWS[view],
        required=True,
        label_visibility="collapsed",
        width="stretch",
        on_change=_take_view,
    )
    if state.tuned().problem:
        page_frame.problem(f"in the link: {state.tuned().problem}")


def _take_view() -> None:
    view = state.moved("tune-view")
    state.tune(replace(state.tuned(), view="goal" if view == "goal" else "sweep"))
