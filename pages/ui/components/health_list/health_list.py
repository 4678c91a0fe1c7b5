"""The list's Streamlit half: rows go to health_list.js, a click comes back as a place in the source."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import asdict
from pathlib import Path

import streamlit as st

from pages.ui.components.health_list.rows import Row
from pages.ui.components.shared.bundle import bundle

HERE = Path(__file__).parent

_component = st.components.v2.component(
    "chunkscope_health_list",
    css=(HERE / "health_list.css").read_text(encoding="utf-8"),
    js=bundle(HERE / "health_list.js"),
)


def health_list(rows: Sequence[Row], *, key: str, on_go: Callable[[int], None] | None = None) -> None:
    """Draw the rows. `on_go` is called with the offset that was clicked."""
    offsets = {place.offset for row in rows for place in row.places}

    def went() -> None:
        offset = st.session_state[key].get("went")
        if on_go is not None and offset in offsets:
            on_go(offset)

    _component(key=key, data={"rows": [asdict(row) for row in rows]}, on_went_change=went)
