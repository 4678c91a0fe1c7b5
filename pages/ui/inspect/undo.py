"""Undo and redo of the settings, beside the thresholds."""

from __future__ import annotations

from dataclasses import replace
from functools import partial

import streamlit as st

from chunking import Run
from pages.ui import state
from pages.ui.choices.history_text import written
from pages.ui.components.undo_buttons import undo_buttons


def steps(run: Run) -> None:
    """Draw both buttons, each saying what it would change; the browser's tab remembers the
    steps."""
    history = state.history()
    undo_buttons(
        history.undo_words,
        history.redo_words,
        key="steps",
        kept=written(history),
        on_undo=partial(undo, run),
        on_redo=_redo,
        on_recall=state.recall_history,
    )


def undo(run: Run) -> None:
    """A callback: everything follows, also the strategy's name above and what is found on release.
    With an offer that was taken, what was selected before it comes back too."""
    taken = state.taken(run.document.text_hash, run.config)
    state.undo()
    if taken and not taken.undone:
        state.select(taken.was_selected)
        state.note_taken(replace(taken, config=taken.was, selected=taken.was_selected, undone=True))
    st.rerun()


def _redo() -> None:
    state.redo()
    st.rerun()
