"""The list's Streamlit half: rows go to health_list.js, a click comes back as a place in the
source."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import asdict
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

from pages.ui.components.health_list.rows import HealthRow
from pages.ui.components.shared.package_component import package_component, told
from pages.ui.server.stylesheets import stylesheet

if TYPE_CHECKING:
    from streamlit.components.v2.types import ComponentRenderer

_STYLE = stylesheet(Path(__file__).parent / "health_list.css")


@cache
def _component() -> ComponentRenderer:
    return package_component("health_list", js="health_list/health_list.js", css=_STYLE)


def health_list(rows: Sequence[HealthRow], *, key: str, on_go: Callable[[int], None] | None = None) -> None:
    """Draw the rows. `on_go` is called with the offset that was clicked."""
    offsets = {place.offset for row in rows for place in row.places}

    def went() -> None:
        offset = told(key, "went")
        if on_go is not None and offset in offsets:
            on_go(offset)

    _component()(key=key, data={"rows": [asdict(row) for row in rows]}, on_went_change=went)
