"""The Streamlit half of "Copy link". The address says all that was chosen, so the browser copies it
by itself."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

from pages.ui.components.shared.package_component import package_component

if TYPE_CHECKING:
    from streamlit.components.v2.types import ComponentRenderer

_STYLE = (Path(__file__).parent / "copy_link.css").read_text(encoding="utf-8")


@cache
def _component() -> ComponentRenderer:
    return package_component("copy_link", js="copy_link/copy_link.js", css=_STYLE)


def copy_link(note: str, *, key: str = "copy-link") -> None:
    """Draw the button; `note` says what somebody who opens the link has to have, "" where the link
    is enough."""
    _component()(key=key, data={"note": note}, width="content")
