"""Undo and redo of the settings, beside the thresholds."""

from __future__ import annotations

import streamlit as st

from pages.ui import state
from pages.ui.components.undo_buttons import undo_buttons


def steps() -> None:
    """Draw both buttons, each saying what it would change."""
    history = state.history()
    undo_buttons(history.undo_words, history.redo_words, key="steps", on_undo=_undo, on_redo=_redo)


def _undo() -> None:
    """A callback: everything follows, also the strategy's name above and what is found on
    release."""
    state.undo()
    st.rerun()


def _redo() -> None:
    state.redo()
    st.rerun()
