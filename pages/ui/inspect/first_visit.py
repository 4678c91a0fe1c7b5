"""What a first visitor is told on Inspect, until it is dismissed."""

from __future__ import annotations

import streamlit as st

from chunking import strategies
from chunking.config import setting_specs
from pages.ui import state
from pages.ui.components.first_steps import COOKIE, DISMISSED, first_steps
from pages.ui.layout import page_frame


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
