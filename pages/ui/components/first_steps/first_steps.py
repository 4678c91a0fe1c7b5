"""The steps' Streamlit half. That they were dismissed is kept by the browser in a cookie, which the
server reads before it draws anything: what is dismissed never comes and goes."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

from pages.ui.components.shared.package_component import package_component
from pages.ui.server.stylesheets import stylesheet

if TYPE_CHECKING:
    from streamlit.components.v2.types import ComponentRenderer

COOKIE, DISMISSED = "chunkscope-first-steps", "dismissed"
_STYLE = stylesheet(Path(__file__).parent / "first_steps.css")


@cache
def _component() -> ComponentRenderer:
    return package_component("first_steps", js="first_steps/first_steps.js", css=_STYLE)


def first_steps(
    tagline: str, threshold: str, *, moves: bool, own: bool, key: str, on_dismiss: Callable[[], None]
) -> None:
    """Draw the steps; the second one names `threshold`, "" where there is none to drag, and whether
    it `moves` cuts in most documents. `tagline` stands before them where the window has no room for
    it elsewhere. Whether a document of one's `own` is there: the first step is done then."""
    cookie = f"{COOKIE}={DISMISSED}"
    data = {"tagline": tagline, "threshold": threshold, "moves": moves, "own": own, "cookie": cookie}
    _component()(key=key, data=data, on_dismissed_change=on_dismiss)
