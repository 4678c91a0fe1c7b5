"""The palette's Streamlit half. Components say for themselves what can be done with them
(shared/commands.js); Python names the documents and the controls that Streamlit draws."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

from pages.ui.components.shared.package_component import package_component, told
from pages.ui.server.stylesheets import stylesheet

if TYPE_CHECKING:
    from streamlit.components.v2.types import ComponentRenderer

_STYLE = stylesheet(Path(__file__).parent / "command_palette.css")


@dataclass(frozen=True, slots=True)
class Listed:
    """A command as the palette lists it."""

    name: str
    also: str = ""
    """Other words by which it is found."""
    panel: str = ""
    """The panel of Inspect that a button stands in, which opens first."""
    page: str = ""
    """The page that has a button, where every page lists it and leads there."""
    last: bool = False
    """Whether it comes behind all others."""


@cache
def _component() -> ComponentRenderer:
    return package_component("command_palette", js="command_palette/command_palette.js", css=_STYLE)


def command_palette(
    documents: Mapping[str, str],
    chosen: str,
    controls: Mapping[str, Listed],
    buttons: Mapping[str, Listed],
    filters: Mapping[str, str],
    strategies: Mapping[str, Listed],
    *,
    key: str,
    on_document: Callable[[str], None],
    on_filter: Callable[[str], None],
    on_strategy: Callable[[str], None],
) -> None:
    """Draw the button that opens it.

    Each mapping is from keys to the words that are listed: documents, of which one is `chosen`;
    controls that can be gone to and buttons that can be pressed, listed where they are on the page
    or another page has them; filters of the chunks; strategies to choose. `on_document`,
    `on_filter` and `on_strategy` are called with the key of what was taken.
    """

    def taken() -> None:
        document = told(key, "document")
        if document in documents:
            on_document(document)

    def filtered() -> None:
        only = told(key, "filter")
        if only in filters:
            on_filter(only)

    def strategy_taken() -> None:
        strategy = told(key, "strategy")
        if strategy in strategies:
            on_strategy(strategy)

    data = {
        "documents": list(documents.items()),
        "document": chosen,
        "controls": _listed(controls),
        "buttons": _listed(buttons),
        "filters": list(filters.items()),
        "strategies": _listed(strategies),
    }
    _component()(
        key=key,
        data=data,
        width="content",
        on_document_change=taken,
        on_filter_change=filtered,
        on_strategy_change=strategy_taken,
    )


def _listed(commands: Mapping[str, Listed]) -> list[tuple[str, dict[str, object]]]:
    return [(key, asdict(each)) for key, each in commands.items()]
