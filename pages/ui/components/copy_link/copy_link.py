"""The Streamlit half of "Copy link". The address says all that was chosen, so the browser copies it by itself."""

from __future__ import annotations

from pathlib import Path

import streamlit as st

from pages.ui.components.shared.bundle import bundle

HERE = Path(__file__).parent

_component = st.components.v2.component(
    "chunkscope_copy_link",
    css=(HERE / "copy_link.css").read_text(encoding="utf-8"),
    js=bundle(HERE / "copy_link.js"),
)


def copy_link(note: str, *, key: str = "copy-link") -> None:
    """Draw the button; `note` says what somebody who opens the link has to have, "" where the link is enough."""
    _component(key=key, data={"note": note}, width="content")
