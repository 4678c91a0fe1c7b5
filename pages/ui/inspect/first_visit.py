"""What a first visitor sees on Inspect: three steps until they are dismissed, a selected chunk."""

from __future__ import annotations

import streamlit as st

from chunking import Run, strategies
from chunking.config import setting_specs
from pages.ui import state
from pages.ui.components.first_steps import COOKIE, DISMISSED, first_steps
from pages.ui.layout import page_frame

_EARLY = 8
"""Chunks from the start of a document that may be the selected one."""


@st.fragment
def first_visit() -> None:
    """Draw the first steps, unless this browser or this session has put them away."""
    if state.steps_dismissed() or st.context.cookies.get(COOKIE) == DISMISSED:
        return
    thresholds = [spec.title for spec in setting_specs(strategies.get(state.plan().strategy)) if spec.numeric]
    with st.container(key="first-visit"):
        first_steps(
            page_frame.TAGLINE,
            thresholds[0] if thresholds else "",
            key="first-steps",
            on_dismiss=state.dismiss_steps,
        )


def first_selected(run: Run) -> int | None:
    """Where the chunk begins that is selected in a document that was just opened: the second, or
    the next one, or else the first, whose boundary a setting can move."""
    chunks = run.chunks[:_EARLY]
    movable = (chunk for chunk in (*chunks[1:], *chunks[:1]) if chunk.ended_by.settings)
    chosen = next(movable, chunks[0] if chunks else None)
    return chosen.body.start if chosen else None
