"""The list's Streamlit half: headings go to outline_list.js, the one that was chosen comes back."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

from pages.ui.components.outline_list.rows import Heading
from pages.ui.components.shared.package_component import package_component, told
from pages.ui.server.stylesheets import stylesheet

if TYPE_CHECKING:
    from streamlit.components.v2.types import ComponentRenderer

_STYLE = stylesheet(Path(__file__).parent / "outline_list.css")


@cache
def _component() -> ComponentRenderer:
    return package_component("outline_list", js="outline_list/outline_list.js", css=_STYLE)


def outline_list(headings: Sequence[Heading], *, key: str, on_go: Callable[[int], None]) -> None:
    """Draw the headings. `on_go` is called with the start of the section that was chosen; the focus
    on a heading does not choose it."""
    send_headings(_component(), headings, key=key, on_go=on_go)


def send_headings(
    component: ComponentRenderer, headings: Sequence[Heading], *, key: str, on_go: Callable[[int], None]
) -> None:
    """Have a component list the headings. `on_go` is called with the start of the section that was
    chosen."""
    starts = {heading.start for heading in headings}

    def went() -> None:
        start = told(key, "went")
        if start in starts:
            on_go(start)

    columns = {
        "titles": [heading.title for heading in headings],
        "levels": [heading.level for heading in headings],
        "lines": [heading.line for heading in headings],
        "starts": [heading.start for heading in headings],
    }
    component(key=key, data=columns, on_went_change=went)
