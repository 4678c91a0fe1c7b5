"""The picture's Streamlit half. The browser says whether it can be seen, and which page was asked
for; until then nothing is drawn for it."""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

import streamlit as st

from pages.ui.components.shared.package_component import package_component
from pages.ui.server.stylesheets import stylesheet

if TYPE_CHECKING:
    from streamlit.components.v2.types import ComponentRenderer

_STYLE = stylesheet(Path(__file__).parent / "page_picture.css")


@dataclass(frozen=True, slots=True)
class PageView:
    """What is shown."""

    about: str
    """What the page was chosen for: another chunk or document begins at its own page."""
    page: int
    pages: int
    png: bytes = b""
    """Empty while it is not drawn."""
    width: int = 0
    height: int = 0
    boxes: tuple[tuple[int, int, int, int], ...] = ()
    """Left, top, right and bottom of each line of the chunk, in thousandths."""
    note: str = ""
    problem: str = ""
    waits: bool = False
    """Whether the browser is to look again for the picture."""


@cache
def _component() -> ComponentRenderer:
    return package_component("page_picture", js="page_picture/page_picture.js", css=_STYLE)


def is_seen(key: str) -> bool:
    """Whether the panel is open."""
    return _state(key).get("seen") is True


def asked_page(key: str, about: str) -> int | None:
    """The page that somebody turned to since `about` was shown; None where nobody did."""
    asked = _state(key).get("page")
    number = asked.get("number") if isinstance(asked, Mapping) and asked.get("about") == about else None
    return number if isinstance(number, int) and not isinstance(number, bool) else None


def page_view(view: PageView | None, *, key: str) -> None:
    """Draw it; None leaves what is there, as while a threshold is dragged."""
    nothing: Callable[[], None] = lambda: None  # noqa: E731  # what it says is read when it is drawn
    data: dict[str, object] = {"stays": True}
    if view is not None:
        data = {
            **{name: getattr(view, name) for name in ("about", "page", "pages", "width", "height", "boxes", "note")},
            "problem": view.problem,
            "waits": view.waits,
            "png": b64encode(view.png).decode("ascii"),
        }
    _component()(key=key, data=data, on_seen_change=nothing, on_page_change=nothing, on_look_change=nothing)


def _state(key: str) -> Mapping[str, object]:
    found = st.session_state.get(key)
    return found if isinstance(found, Mapping) else {}
