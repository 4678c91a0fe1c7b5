"""The strip's Streamlit half: the page's numbers go to number_strip.js, which also draws those that
a drag makes."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import cache
from typing import TYPE_CHECKING

from pages.ui.components.shared.package_component import package_component, told

if TYPE_CHECKING:
    from streamlit.components.v2.types import ComponentRenderer


MovedFigure = tuple[str, str]
"""What a move of a threshold makes of a number: what it is now, and its verdict."""


@cache
def _component() -> ComponentRenderer:
    # Its style is the page's, as that of the strips that follow no drag (markup.strip).
    return package_component("number_strip", js="number_strip/number_strip.js", isolate_styles=False)


def number_strip(
    figures: Sequence[Mapping[str, str]],
    *,
    also: Sequence[tuple[str, str]],
    document: str,
    run: str,
    key: str,
    on_lead: Callable[[str], None],
) -> None:
    """Draw the numbers of a run. `figures` are those of markup.Figure as dicts: title, now, was,
    verdict, hint and leads. `on_lead` is called with the title of a number when somebody
    wants to be led to what it counts. `also` are further words of the page, each with its meaning:
    a button in the strip's corner tells them before those of the figures.

    `document` and `run` are the names of the document (SourceText.hash) and of the run on it
    (payload.run_name).
    """
    data = {"figures": list(figures), "also": list(also), "document": document, "run": run}

    def led() -> None:
        if title := told(key, "led"):
            on_lead(title)

    _component()(key=key, data=data, on_led_change=led)
