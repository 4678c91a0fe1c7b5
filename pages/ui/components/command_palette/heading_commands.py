"""Headings for the palette on a page that has no outline: the Streamlit half."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache
from typing import TYPE_CHECKING

from pages.ui.components.outline_list import Heading, send_headings
from pages.ui.components.shared.package_component import package_component

if TYPE_CHECKING:
    from streamlit.components.v2.types import ComponentRenderer


@cache
def _component() -> ComponentRenderer:
    return package_component("heading_commands", js="command_palette/heading_commands.js")


def heading_commands(headings: Sequence[Heading], *, key: str, on_go: Callable[[int], None]) -> None:
    """Have the palette list the headings; nothing is drawn. `on_go` is called with the start of the
    section that was chosen."""
    send_headings(_component(), headings, key=key, on_go=on_go)
