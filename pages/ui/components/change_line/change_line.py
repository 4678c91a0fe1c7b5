"""The Streamlit half of the line that says what a change did."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

from pages.ui.components.shared.package_component import package_component
from pages.ui.server.stylesheets import stylesheet

if TYPE_CHECKING:
    from streamlit.components.v2.types import ComponentRenderer

_STYLE = stylesheet(Path(__file__).parent / "change_line.css")


@cache
def _component() -> ComponentRenderer:
    return package_component("change_line", js="change_line/change_line.js", css=_STYLE)


def change_line(words: str, *, undoable: bool, key: str, on_undo: Callable[[], None]) -> None:
    """Draw the line, without height where it says nothing. It is there before it says something:
    those who hear the page are told."""
    _component()(key=key, data={"words": words, "undoable": undoable}, on_undone_change=on_undo)
