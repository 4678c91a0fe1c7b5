"""The similarity curve above the source: a click on it goes to that sentence."""

from __future__ import annotations

import streamlit as st

from chunking import Run
from chunking.asking import semantic_of
from chunking.errors import ModelError
from pages.ui import cached, state

KEY = "curve-chart"


def similarity_curve(run: Run) -> None:
    """Draw the curve of a run that compares sentences; nothing for others. No model is asked."""
    semantic = semantic_of(run.config.strategy)
    if semantic is None:
        return
    try:
        curve = cached.curve(run.document, semantic)
    except ModelError:
        return  # no longer remembered: the run is an old one, and its setting says what is missing
    if not curve.similarities:
        return
    from pages.ui.similarity import similarity_figure  # plotly is imported only by who needs it

    figure = similarity_figure(run, curve, selected=state.selected())
    st.plotly_chart(figure, key=KEY, on_select=_go, selection_mode="points", config={"displayModeBar": False})


def _go() -> None:
    """A callback: select the sentence after the point that was clicked."""
    place = state.clicked_point(KEY)
    if place is not None:
        state.select(place)
