"""The choice between the table of the documents and the map of their chunks."""

from __future__ import annotations

from dataclasses import replace

import streamlit as st

from pages.ui import state
from pages.ui.choices.corpus import LOOKS, look_named

_KEY = "corpus-looks"


def look_picker() -> None:
    """Draw it."""
    st.segmented_control(
        "How to look at the documents",
        list(LOOKS),
        key=state.own(_KEY, state.corpus_choices().look, again=False),
        required=True,
        format_func=lambda look: LOOKS[look],
        label_visibility="collapsed",
        on_change=_choose,
    )


def _choose() -> None:
    state.choose_for_corpus(replace(state.corpus_choices(), look=look_named(state.moved(_KEY))))
