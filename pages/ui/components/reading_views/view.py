"""The views beside the source: what Python sends them, and what comes back. Each is drawn by a
module of this folder.

Nothing here costs a threshold move anything unless its view is shown, and then it is a window of
it.
"""

from __future__ import annotations

from base64 import b64encode
from bisect import bisect_left
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt
import streamlit as st

from chunking import Run
from pages.ui.components.reading_views import cards, rendered, structure, tokens
from pages.ui.components.reading_views.cuts import number_of
from pages.ui.components.reading_views.near_tears import NearTears, torn_among, torn_in
from pages.ui.components.shared.package_component import package_component
from pages.ui.components.shared.standing_out import StandingOut
from pages.ui.components.source_view.payload import source_text
from pages.ui.components.source_view.torn import torn_columns

if TYPE_CHECKING:
    from streamlit.components.v2.types import ComponentRenderer

HERE = Path(__file__).parent
SOURCE = HERE.parent / "source_view"
Select = Callable[[int], None]
_SHARED = (SOURCE / "view.css").read_text(encoding="utf-8").partition("/* ---")[0]
"""Theme and frame are those of the source view."""
_FILES = ("reading.css", "tokens.css", "chunk_map.css")
_STYLE = _SHARED + "".join((HERE / name).read_text(encoding="utf-8") for name in _FILES)


@cache
def component(name: str) -> ComponentRenderer:
    """One of the reading views' components."""
    return package_component(name, js=f"reading_views/{name}.js", css=_STYLE)


def rendered_view(run: Run, *, selected: int | None, key: str, height: str, on_select: Select) -> None:
    """The document as Markdown looks, near the chosen place or where it was scrolled to, with the
    cuts in it."""
    place = _place(run, selected, key)
    stretch = rendered.stretch(run, place.around)
    component("rendered")(
        key=key,
        data={
            **asdict(place),
            "height": height,
            "blocks": [asdict(block) for block in stretch.blocks],
            "cuts": [asdict(cut) for cut in stretch.cuts],
            "torn": _near(run, torn_in(run, *_edges(stretch.blocks))),
        },
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
    place = _place(run, selected, key)
    stretch = tokens.stretch(run, place.around, beside)
    component("tokens")(
        key=key,
        data={
            **asdict(place),
            "height": height,
            "blocks": [_row(row) for row in stretch.rows],
            "cuts": [asdict(cut) for cut in stretch.cuts],
            "torn": _near(run, torn_in(run, *_edges(stretch.rows))),
            "sums": [asdict(each) for each in stretch.sums],
            "rulers": [asdict(ruler) for ruler in stretch.rulers],
            "titles": stretch.titles,
            "marks": stretch.marks,
            "notes": stretch.notes,
            "options": offered,
            "second": beside,
        },
        on_selected_change=lambda: tell_chosen(key, on_select),
        on_around_change=_nothing,
        on_second_change=lambda: _named(key, on_beside),
    )


def cards_view(
    run: Run, *, selected: int | None, only: StandingOut | None = None, key: str, height: str, on_select: Select
) -> None:
    """The chunks as cards, or those of `only`; a click on one calls `on_select` with the offset
    where it starts."""
    shown: Sequence[int] = only.chunks if only else range(len(run.chunks))
    state, number, count = component_state(key), number_of(run, selected), len(shown)
    at = bisect_left(shown, number)
    chosen = at if at < count and shown[at] == number else -1
    wanted_cards = state.get("window")
    first, wanted = (
        (_number(wanted_cards, "first"), _number(wanted_cards, "count"))
        if isinstance(wanted_cards, Mapping)
        else (None, None)
    )
    first = max(chosen, 0) - cards.WINDOW // 3 if first is None else first
    places = cards.window(first, wanted or cards.WINDOW, count)
    copied = _copied(run, state.get("copy"))
    component("cards")(
        key=key,
        data={
            "name": source_text(run.document).hash,
            "title": run.document.base_name,
            "height": height,
            "count": count,
            "of": len(run.chunks),
            "only": only.words if only else "",
            "first": places.start,
            "selected": chosen,
            "approximate": run.approximate,
            "scale": asdict(cards.scale(run)),
            "cards": [asdict(card) for card in cards.cards(run, shown[places.start : places.stop])],
            "copied": copied,
            "torn": _near(run, torn_among(run, shown, places)),
        },
        on_selected_change=lambda: tell_chosen(key, on_select),
        on_copy_change=_nothing,
        on_window_change=_nothing,
    )


def structure_view(
    run: Run, *, selected: int | None, only: StandingOut | None = None, key: str, height: str, on_select: Select
) -> None:
    """The sections by their tokens with the cuts across them; a click on one calls `on_select` with
    its offset. The chunks of `only` stand out.

    The outline goes to the browser once; it says when it has it.
    """
    outline = structure.outline(run.document, run.config.counter)
    cuts = structure.cuts(run, run.config.counter)
    boxes = None if component_state(key).get("has") == outline.name else _boxes(outline)
    component("structure")(
        key=key,
        data={
            "name": outline.name,
            "title": run.document.base_name,
            "height": height,
            "selected": number_of(run, selected),
            "approximate": run.approximate,
            "leftOut": outline.left_out,
            "boxes": boxes,
            "starts": _column(cuts.start),
            "at": _column(cuts.at),
            "chunk": _column(cuts.chunk),
            "only": only.words if only else "",
            "standing": _column(np.array(only.chunks if only else (), np.int64)),
            "torn": _columns(torn_columns(run)),
        },
        on_selected_change=lambda: tell_chosen(key, on_select),
        on_has_change=_nothing,
    )


@dataclass(frozen=True, slots=True)
class _Place:
    """Where in a document a view that shows a stretch of it is, and what it is of."""

    name: str
    title: str
    length: int
    chunks: int
    selected: int
    """The number of the chosen chunk, -1 for none."""
    at: int
    """The chosen offset, -1 for none."""
    around: int
    """The offset that the stretch is around."""
    begun: str
    """Changes with the document and with the chosen offset: where somebody scrolled to before
    counts no more."""


def _place(run: Run, selected: int | None, key: str) -> _Place:
    document = run.document
    name = source_text(document).hash
    at = selected if selected is not None and 0 <= selected < len(document.text) else -1
    begun = f"{name} {at}"
    state = component_state(key).get("around")
    scrolled = _number(state, "to") if isinstance(state, Mapping) and state.get("begun") == begun else None
    return _Place(
        name,
        document.base_name,
        len(document.text),
        len(run.chunks),
        number_of(run, selected),
        at,
        max(at, 0) if scrolled is None else scrolled,
        begun,
    )


def _copied(run: Run, request: object) -> dict[str, object] | None:
    """The text of the chunk that was last asked for, with the asking's own number."""
    number = _number(request, "number") if isinstance(request, Mapping) else None
    if number is None or number >= len(run.chunks) or not isinstance(request, Mapping):
        return None
    return {"times": request.get("times"), "text": run.chunks[number].text.encode("utf-8", "replace").decode()}


def _row(row: tokens.Row) -> dict[str, object]:
    """`asdict` would copy every number."""
    return {"start": row.start, "end": row.end, "text": row.text, "first": row.first, "second": row.second}


def _boxes(outline: structure.Outline) -> dict[str, object]:
    numbers = [(box.level, box.start, box.line, box.first, box.last) for box in outline.boxes]
    columns = np.array(numbers, np.int64).reshape(-1, 5).T
    titles = [box.title.encode("utf-8", "replace").decode() for box in outline.boxes]
    return {"titles": titles, "columns": [_column(column) for column in columns]}


def _near(run: Run, tears: NearTears) -> dict[str, object]:
    at, columns = np.array(tears.at, np.int64), torn_columns(run, tears.torn)
    return {"at": _column(at), "before": tears.before, "of": tears.of, "columns": _columns(columns)}


def _edges(shown: Sequence[rendered.ShownBlock] | Sequence[tokens.Row]) -> tuple[int, int]:
    return (shown[0].start, shown[-1].end) if shown else (0, 0)


def _columns(columns: Mapping[str, npt.NDArray[np.int64]]) -> dict[str, str]:
    return {name: _column(numbers) for name, numbers in columns.items()}


def _column(numbers: npt.NDArray[np.int64]) -> str:
    return b64encode(np.ascontiguousarray(numbers).astype("<i4").tobytes()).decode()


def component_state(key: str) -> Mapping[str, object]:
    """What the browser's half of a component last said."""
    state = st.session_state.get(key)
    return state if isinstance(state, Mapping) else {}


def _number(state: Mapping[str, object], name: str) -> int | None:
    number = state.get(name)
    return number if isinstance(number, int) and number >= 0 else None


def tell_chosen(key: str, on_select: Select) -> None:
    """Tell of the offset that a component says was clicked."""
    offset = _number(component_state(key), "selected")
    if offset is not None:
        on_select(offset)


def _named(key: str, choose: Callable[[str], None]) -> None:
    name = component_state(key).get("second")
    if isinstance(name, str):
        choose(name)


def _nothing() -> None:
    """What a component remembers is read when its view is drawn."""
