"""Undo and redo of the settings, beside the thresholds."""

from __future__ import annotations

import streamlit as st

from pages.ui import state
from pages.ui.choices.history_text import written
from pages.ui.components.undo_buttons import undo_buttons


def steps() -> None:
    """Draw both buttons, each saying what it would change; the browser's tab remembers the
    steps."""
    history = state.history()
    undo_buttons(
        history.undo_words,
        history.redo_words,
        key="steps",
        kept=written(history),
        on_undo=_undo,
        on_redo=_redo,
        on_recall=state.recall_history,
    )


def _undo() -> None:
    """A callback: everything follows, also the strategy's name above and what is found on
    release."""
    state.undo()
    st.rerun()


def _redo() -> None:
    state.redo()
    st.rerun()
