"""The Streamlit half of a button that copies a text, all of it, as it is."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

from pages.ui.components.shared.package_component import package_component
from pages.ui.server.stylesheets import stylesheet

if TYPE_CHECKING:
    from streamlit.components.v2.types import ComponentRenderer

_STYLE = stylesheet(Path(__file__).parent / "copy_text.css")


@cache
def _component() -> ComponentRenderer:
    return package_component("copy_text", js="copy_text/copy_text.js", css=_STYLE)


def copy_text(text: str, *, says: str, key: str) -> None:
    """Draw the button; `says` is its name for screen readers. Lone surrogates become `?`."""
    _component()(key=key, data={"text": text.encode("utf-8", "replace").decode(), "says": says}, width="content")
