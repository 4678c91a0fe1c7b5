"""The Streamlit half of undo and redo. Streamlit's own shortcuts would also answer while somebody types in a field."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import streamlit as st

from pages.ui.components.shared.bundle import bundle

HERE = Path(__file__).parent

_component = st.components.v2.component(
    "chunkscope_undo_buttons",
    css=(HERE / "undo_buttons.css").read_text(encoding="utf-8"),
    js=bundle(HERE / "undo_buttons.js"),
)


def undo_buttons(undo: str, redo: str, *, key: str, on_undo: Callable[[], None], on_redo: Callable[[], None]) -> None:
    """Draw the buttons. `undo` and `redo` say what each would change; "" where there is nothing to do."""

    def stepped() -> None:
        step = st.session_state[key].get("step")
        if step == "undo":
            on_undo()
        elif step == "redo":
            on_redo()

    _component(key=key, data={"undo": undo, "redo": redo}, on_step_change=stepped)
