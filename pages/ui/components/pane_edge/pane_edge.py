"""The edge's Streamlit half. How wide a pane is, is the browser's affair alone: two CSS variables
and two attributes of the page's root, kept for the browser session (layout/streamlit_dom.css)."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Literal

from pages.ui.components.shared.package_component import package_component
from pages.ui.server.stylesheets import stylesheet

if TYPE_CHECKING:
    from streamlit.components.v2.types import ComponentRenderer

_STYLE = stylesheet(Path(__file__).parent / "pane_edge.css")
_WIDTH = 16
"""Pixels of an edge; in place of a gap."""


@dataclass(frozen=True, slots=True)
class Pane:
    """A pane at one side of the page. Widths are in pixels."""

    name: Literal["settings", "panels"]
    side: Literal["left", "right"]
    key: str
    """What hides and shows it while the source has the focus."""
    usual: int
    least: int
    most: int


@cache
def _component() -> ComponentRenderer:
    return package_component("pane_edge", js="pane_edge/pane_edge.js", css=_STYLE)


def pane_edge(pane: Pane, *, key: str) -> None:
    """Draw the edge of a pane, between it and what is beside it."""
    _component()(key=key, data=asdict(pane), width=_WIDTH)
