"""The tabs' Streamlit half. All panels are on the page; which one is seen is the browser's affair
alone: it changes at once, no run of the script moves it, and it is kept for the browser session."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Literal

from pages.ui.components.shared.package_component import package_component
from pages.ui.server.stylesheets import stylesheet

if TYPE_CHECKING:
    from streamlit.components.v2.types import ComponentRenderer

_HERE = Path(__file__).parent


@dataclass(frozen=True, slots=True)
class Tab:
    """One tab."""

    panel: str
    """The key of the container that it shows."""
    label: str
    count: str = ""
    """What is to be known of the panel before it is opened, in a word or two."""
    tone: Literal["", "bad", "warn"] = ""
    also: str = ""
    """Other words by which the command palette finds it."""


@cache
def _tabs() -> ComponentRenderer:
    return package_component("panel_tabs", js="panel_tabs/panel_tabs.js", css=stylesheet(_HERE / "panel_tabs.css"))


@cache
def _button() -> ComponentRenderer:
    return package_component(
        "panel_button", js="panel_tabs/panel_button.js", css=stylesheet(_HERE / "panel_button.css")
    )


def panel_tabs(tabs: Sequence[Tab], *, key: str) -> None:
    """Draw the tabs; layout/streamlit_dom.css hides the panels that are not open."""
    _tabs()(key=key, data={"tabs": [asdict(tab) for tab in tabs]})


def panel_button(label: str, *, panel: str, key: str) -> None:
    """A button, wherever it is on the page, that opens this panel."""
    _button()(key=key, data={"label": label, "panel": panel}, width="content")
