"""The ribbon's Streamlit half: rows of ticks go to ribbon.js, a click comes back as a place in the
source."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

from chunking import Document
from pages.ui.components.ribbon.ticks import KINDS, RibbonRow
from pages.ui.components.shared.package_component import package_component, told
from pages.ui.server.stylesheets import stylesheet

if TYPE_CHECKING:
    from streamlit.components.v2.types import ComponentRenderer

_STYLE = stylesheet(Path(__file__).parent / "ribbon.css")
_STEPS = 256
"""Places in the document for which its lines are sent, for the axis (stretch.js)."""


@cache
def _component() -> ComponentRenderer:
    return package_component("ribbon", js="ribbon/ribbon.js", css=_STYLE)


def ribbon(
    rows: Sequence[RibbonRow],
    document: Document,
    *,
    key: str,
    selected: int | None = None,
    on_go: Callable[[int], None] | None = None,
) -> None:
    """Draw the rows over the document's length. `on_go` is called with the code-point offset that
    was clicked."""

    def went() -> None:
        offset = told(key, "went")
        if on_go is not None and isinstance(offset, int) and 0 <= offset <= len(document.text):
            on_go(offset)

    _component()(key=key, data=payload(rows, document, selected), on_went_change=went)


def payload(rows: Sequence[RibbonRow], document: Document, selected: int | None) -> dict[str, object]:
    """What ribbon.js draws. Text in it is shown by textContent alone."""
    length = len(document.text)
    return {
        "length": length,
        "selected": -1 if selected is None else min(selected, length),
        "kinds": list(KINDS),
        "rows": [
            {
                "letter": row.letter,
                "title": row.title,
                "counts": row.counts,
                "ticks": [
                    [KINDS.index(tick.kind), tick.at, -1 if tick.was is None else tick.was, tick.says]
                    for tick in row.ticks
                ],
            }
            for row in rows
        ],
        "lines": [document.line_of(length * step // _STEPS) for step in range(_STEPS + 1)] if length else [],
    }
