"""What was refused of what was added last, one line each, and the way to close these lines."""

from __future__ import annotations

import streamlit as st

from pages.ui import state
from pages.ui.layout import page_frame


def refusals(place: str, *, closable: bool = True) -> None:
    """Draw them, where there are some. `place` tells this place from others of the same page."""
    refused = state.refused()
    if not refused:
        return
    for each in refused:
        page_frame.problem(each)
    if closable:
        words = "Close this message" if len(refused) == 1 else f"Close these {len(refused)} messages"
        st.button(words, key=f"close-refused-{place}", type="tertiary", on_click=state.close_refused)
