"""The Streamlit half of the link; what it does is skip_link.js alone."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

from pages.ui.components.shared.package_component import package_component
from pages.ui.server.stylesheets import stylesheet

if TYPE_CHECKING:
    from streamlit.components.v2.types import ComponentRenderer

_STYLE = stylesheet(Path(__file__).parent / "skip_link.css")


@cache
def _component() -> ComponentRenderer:
    return package_component("skip_link", js="skip_link/skip_link.js", css=_STYLE)


@dataclass(frozen=True, slots=True)
class Skip:
    """Where the link leads."""

    name: str
    """As it is said: `source`."""
    key: str = ""
    """Of the container; "" where a view of the source or a table takes the keyboard itself."""
    field: bool = False
    """Whether the container gives the keyboard to its first field."""


def skip_link(to: Skip) -> None:
    """Draw it, unseen until it has the keyboard's focus."""
    where = {"label": f"Skip to the {to.name}", "key": to.key, "field": to.field}
    _component()(key="skip", data=where, width="content")
