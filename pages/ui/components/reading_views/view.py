"""The views beside the source: their components, and what comes back. Each is drawn by a module of
this folder, from what sent.py says."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

import streamlit as st

from chunking import Run
from pages.ui.components.reading_views import sent
from pages.ui.components.shared.package_component import package_component
from pages.ui.components.shared.standing_out import StandingOut
from pages.ui.server.stylesheets import stylesheet

if TYPE_CHECKING:
    from streamlit.components.v2.types import ComponentRenderer

HERE = Path(__file__).parent
SOURCE = HERE.parent / "source_view"
Select = Callable[[int], None]
_SHARED = stylesheet(SOURCE / "view.css").partition("/* ---")[0]
"""Theme and frame are those of the source view."""
_FILES = ("reading.css", "tokens.css", "chunk_map.css")
_STYLE = _SHARED + "".join(stylesheet(HERE / name) for name in _FILES)


@cache
def component(name: str) -> ComponentRenderer:
    """One of the reading views' components."""
    return package_component(name, js=f"reading_views/{name}.js", css=_STYLE)


def rendered_view(run: Run, *, selected: int | None, key: str, height: str, on_select: Select) -> None:
    """The document as Markdown looks, near the chosen place or where it was scrolled to, with the
    cuts in it."""
    component("rendered")(
        key=key,
        data={**sent.rendered_sent(run, selected, component_state(key)), "height": height},
        on_selected_change=lambda: tell_chosen(key, on_select),
        on_around_change=_nothing,
    )


def tokens_view(
    run: Run,
    *,
    selected: int | None,
    beside: str,
    offered: Sequence[tuple[str, str]],
    key: str,
    height: str,
    on_select: Select,
    on_beside: Callable[[str], None],
) -> None:
    """The source near the chosen place, or near where it was scrolled to, in the tokens of the
    run's counter and of the one named `beside`, one of those `offered` by name and title."""
    drawn = sent.tokens_sent(run, selected, component_state(key), beside=beside, offered=offered)
    component("tokens")(
        key=key,
        data={**drawn, "height": height},
        on_selected_change=lambda: tell_chosen(key, on_select),
        on_around_change=_nothing,
        on_second_change=lambda: _named(key, on_beside),
    )


def cards_view(
    run: Run, *, selected: int | None, only: StandingOut | None = None, key: str, height: str, on_select: Select
) -> None:
    """The chunks as cards, or those of `only`; a click on one calls `on_select` with the offset
    where it starts."""
    component("cards")(
        key=key,
        data={**sent.cards_sent(run, selected, component_state(key), only=only), "height": height},
        on_selected_change=lambda: tell_chosen(key, on_select),
        on_copy_change=_nothing,
        on_window_change=_nothing,
    )


def structure_view(
    run: Run,
    *,
    selected: int | None,
    only: StandingOut | None = None,
    key: str,
    height: str,
    on_select: Select,
    on_step: Select,
) -> None:
    """The sections by their tokens with the cuts across them; a click on one calls `on_select` with
    its offset, a key that goes to the next chunk `on_step`. The chunks of `only` stand out.

    The outline goes to the browser once; it says when it has it.
    """
    known = str(component_state(key).get("has") or "")
    component("structure")(
        key=key,
        data={**sent.structure_sent(run, selected, only=only, known=known), "height": height},
        on_selected_change=lambda: tell_chosen(key, on_select),
        on_stepped_change=lambda: tell_chosen(key, on_step, "stepped"),
        on_has_change=_nothing,
    )


def component_state(key: str) -> Mapping[str, object]:
    """What the browser's half of a component last said."""
    state = st.session_state.get(key)
    return state if isinstance(state, Mapping) else {}


def tell_chosen(key: str, on_select: Select, how: str = "selected") -> None:
    """Tell of the offset that a component says was clicked, or was gone to by a key."""
    offset = sent.whole_number(component_state(key), how)
    if offset is not None:
        on_select(offset)


def _named(key: str, choose: Callable[[str], None]) -> None:
    name = component_state(key).get("second")
    if isinstance(name, str):
        choose(name)


def _nothing() -> None:
    """What a component remembers is read when its view is drawn."""
