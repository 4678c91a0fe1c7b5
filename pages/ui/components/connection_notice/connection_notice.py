"""The Streamlit half of the line; what it says, and when, is connection_notice.js alone."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

from pages.ui.components.shared.package_component import package_component
from pages.ui.server.stylesheets import stylesheet

if TYPE_CHECKING:
    from streamlit.components.v2.types import ComponentRenderer

_STYLE = stylesheet(Path(__file__).parent / "connection_notice.css")


@cache
def _component() -> ComponentRenderer:
    return package_component("connection_notice", js="connection_notice/connection_notice.js", css=_STYLE)


def connection_notice() -> None:
    """Draw it, unseen while the server can be reached."""
    _component()(key="connection", data={}, width="content")
