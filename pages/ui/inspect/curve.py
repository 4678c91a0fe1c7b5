"""The similarity curve above the source: a click on it goes to that sentence."""

from __future__ import annotations

import streamlit as st

from chunking import Run
from chunking.analysis import share_text
from chunking.errors import ModelError
from chunking.strategies.semantic import Curve, Semantic, semantic_of
from pages.ui import state
from pages.ui.choices.plans import LEAST_ALIKE, LEAST_ALIKE_SHARE
from pages.ui.layout import caches, page_frame, within_limits
from pages.ui.layout.figures import readable

KEY = "curve-chart"


@within_limits.part
def similarity_curve(run: Run) -> None:
    """Draw the curve of a run that compares sentences; nothing for others. No model is asked."""
    semantic = semantic_of(run.config.strategy)
    if semantic is None:
        return
    try:
        curve = caches.curve(run.document, semantic)
    except ModelError:
        return  # no longer remembered: the run is an old one, and its setting says what is missing
    if not curve.similarities:
        return
    from pages.ui.inspect.similarity_chart import similarity_figure  # plotly is imported only by who needs it

    figure = similarity_figure(run, curve, selected=state.shown_selected())
    st.plotly_chart(readable(figure), key=KEY, on_select=_go, selection_mode="points", config={"displayModeBar": False})
    if semantic is run.config.strategy:
        _offer(semantic, curve)


def _offer(semantic: Semantic, curve: Curve) -> None:
    """Where the threshold cuts after most sentences, say so, and offer one that is read from this
    document."""
    words = offer_words(semantic, curve)
    if not words:
        return
    with st.container(horizontal=True, gap="small", vertical_alignment="center", key="curve-offer"):
        page_frame.note(words)
        st.button(f"Cut at the least alike {share_text(LEAST_ALIKE_SHARE)}", key="curve-take", on_click=_take)


def offer_words(semantic: Semantic, curve: Curve) -> str:
    """What a similarity means in this document, where it is above most of what is compared; ""
    where it is not."""
    below, places = _below(curve, curve.threshold), len(curve.similarities)
    if semantic.threshold_kind != "absolute" or below <= places / 2:
        return ""
    return (
        f"{below:,} of {places:,} places in this document are less alike than {curve.threshold:g}: a cut after most "
        "sentences. What a similarity means depends on the model; a share of the places does not."
    )


def _below(curve: Curve, threshold: float) -> int:
    return sum(each < threshold for each in curve.similarities)


def _take() -> None:
    """A callback: everything follows, also what is found only on release."""
    state.choose_values(LEAST_ALIKE)
    st.rerun()


def _go() -> None:
    """A callback: select the sentence after the point that was clicked."""
    place = state.clicked_point(KEY)
    if place is not None:
        state.select(place)
