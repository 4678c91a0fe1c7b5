"""The Streamlit half of a button that copies a text, all of it, as it is."""

from __future__ import annotations

from pathlib import Path

import streamlit as st

from pages.ui.components.shared.bundle import bundle

HERE = Path(__file__).parent

_component = st.components.v2.component(
    "chunkscope_copy_text",
    css=(HERE / "copy_text.css").read_text(encoding="utf-8"),
    js=bundle(HERE.parent / "source_view" / "clipboard.js", HERE / "copy_text.js"),
)


def copy_text(text: str, *, says: str, key: str) -> None:
    """Draw the button; `says` is its name for who does not see what it stands beside. Half characters become `?`."""
    _component(key=key, data={"text": text.encode("utf-8", "replace").decode(), "says": says}, width="content")
