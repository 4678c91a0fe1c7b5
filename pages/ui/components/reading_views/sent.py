"""What the views beside the source are sent of a run. No Streamlit: while a threshold is dragged
they are sent it on the short way (dragging/drag_session.py).

Nothing here costs a threshold move anything unless its view is shown, and then it is a window of
it.
"""

from __future__ import annotations

from base64 import b64encode
from bisect import bisect_left
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass

import numpy as np
import numpy.typing as npt

from chunking import Run
from pages.ui.components.reading_views import cards, rendered, structure, tokens
from pages.ui.components.reading_views.cuts import number_of
from pages.ui.components.reading_views.near_tears import NearTears, torn_among, torn_in
from pages.ui.components.shared.standing_out import StandingOut
from pages.ui.components.source_view.payload import run_name, source_text
from pages.ui.components.source_view.torn import torn_columns

Told = Mapping[str, object]
"""What the browser's half of a view last said."""
Sent = dict[str, object]


def rendered_sent(run: Run, selected: int | None, told: Told) -> Sent:
    """The document as Markdown looks, near the chosen place or where it was scrolled to, with the
    cuts in it."""
    place = _place(run, selected, told)
    stretch = rendered.stretch(run, place.around)
    return {
        **asdict(place),
        "blocks": [asdict(block) for block in stretch.blocks],
        "cuts": [asdict(cut) for cut in stretch.cuts],
        "torn": _near(run, torn_in(run, *_edges(stretch.blocks))),
    }


def tokens_sent(run: Run, selected: int | None, told: Told, *, beside: str, offered: Sequence[tuple[str, str]]) -> Sent:
    """The source near the chosen place, or near where it was scrolled to, in the tokens of the
    run's counter and of the one named `beside`, one of those `offered` by name and title."""
    place = _place(run, selected, told)
    stretch = tokens.stretch(run, place.around, beside)
    return {
        **asdict(place),
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
    }


def cards_sent(run: Run, selected: int | None, told: Told, *, only: StandingOut | None) -> Sent:
    """A window of the chunks, or of those of `only`."""
    shown: Sequence[int] = only.chunks if only else range(len(run.chunks))
    number, count = number_of(run, selected), len(shown)
    at = bisect_left(shown, number)
    chosen = at if at < count and shown[at] == number else -1
    wanted_cards = told.get("window")
    first, wanted = (
        (whole_number(wanted_cards, "first"), whole_number(wanted_cards, "count"))
        if isinstance(wanted_cards, Mapping)
        else (None, None)
    )
    first = max(chosen, 0) - cards.WINDOW // 3 if first is None else first
    places = cards.window(first, wanted or cards.WINDOW, count)
    return {
        "name": source_text(run.document).hash,
        "run": run_name(run),
        "title": run.document.base_name,
        "count": count,
        "of": len(run.chunks),
        "only": only.words if only else "",
        "first": places.start,
        "selected": chosen,
        "approximate": run.approximate,
        "scale": asdict(cards.scale(run)),
        "cards": [asdict(card) for card in cards.cards(run, shown[places.start : places.stop])],
        "copied": _copied(run, told.get("copy")),
        "torn": _near(run, torn_among(run, shown, places)),
    }


def structure_sent(run: Run, selected: int | None, *, only: StandingOut | None, known: str | None) -> Sent:
    """The sections by their tokens with the cuts across them; the chunks of `only` stand out.

    The outline goes to the browser once: not where it has the one named `known`, or, None, any.
    """
    outline = structure.outline(run.document, run.config.counter)
    cuts = structure.cuts(run, run.config.counter)
    return {
        "name": outline.name,
        "run": run_name(run),
        "title": run.document.base_name,
        "selected": number_of(run, selected),
        "approximate": run.approximate,
        "leftOut": outline.left_out,
        "boxes": None if known in (None, outline.name) else _boxes(outline),
        "starts": _column(cuts.start),
        "at": _column(cuts.at),
        "chunk": _column(cuts.chunk),
        "only": only.words if only else "",
        "standing": _column(np.array(only.chunks if only else (), np.int64)),
        "torn": _columns(torn_columns(run)),
    }


@dataclass(frozen=True, slots=True)
class _Place:
    """Where in a document a view that shows a stretch of it is, and what it is of."""

    name: str
    run: str
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


def _place(run: Run, selected: int | None, told: Told) -> _Place:
    document = run.document
    name = source_text(document).hash
    at = selected if selected is not None and 0 <= selected < len(document.text) else -1
    begun = f"{name} {at}"
    around = told.get("around")
    scrolled = whole_number(around, "to") if isinstance(around, Mapping) and around.get("begun") == begun else None
    return _Place(
        name,
        run_name(run),
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
    number = whole_number(request, "number") if isinstance(request, Mapping) else None
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
    return {
        "at": _column(at),
        "before": tears.before,
        "of": tears.of,
        "blocks": tears.blocks,
        "columns": _columns(columns),
    }


def _edges(shown: Sequence[rendered.ShownBlock] | Sequence[tokens.Row]) -> tuple[int, int]:
    return (shown[0].start, shown[-1].end) if shown else (0, 0)


def _columns(columns: Mapping[str, npt.NDArray[np.int64]]) -> dict[str, str]:
    return {name: _column(numbers) for name, numbers in columns.items()}


def _column(numbers: npt.NDArray[np.int64]) -> str:
    return b64encode(np.ascontiguousarray(numbers).astype("<i4").tobytes()).decode()


def whole_number(state: Mapping[str, object], name: str) -> int | None:
    """What a browser said under this name, where that is a number from 0."""
    number = state.get(name)
    return number if isinstance(number, int) and number >= 0 else None
