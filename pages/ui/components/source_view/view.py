"""The boundary view: a document's source with every chunk as a band, drawn by view.js.

The text goes to the browser once per document, by hash; every later run sends offset columns only
(payload.py). When the browser lacks the text after all (a new tab, a view taken down and put up
again), it says so and gets it again.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

import streamlit as st

from chunking import Run, Span
from pages.ui.components.shared.package_component import package_component, told
from pages.ui.components.shared.standing_out import StandingOut
from pages.ui.components.source_view.extras import copied_with, drawn_marks, headings, join, tables
from pages.ui.components.source_view.marks import Mark, mark_request
from pages.ui.components.source_view.payload import payload, source_text
from pages.ui.components.source_view.placing import Placed, placed_request, placing
from pages.ui.server.stylesheets import stylesheet

if TYPE_CHECKING:
    from streamlit.components.v2.types import ComponentRenderer

_STYLE = stylesheet(Path(__file__).parent / "view.css")
_SENT = "_source_texts_sent"
_SENT_AT_MOST = 4


@dataclass(frozen=True)
class SourceViewResult:
    """What a person did in the view since the last run."""

    selected: int | None
    """Code-point offset where the body of the chunk just clicked starts; None when nothing was
    clicked in this run."""


@cache
def _component() -> ComponentRenderer:
    return package_component("source_view", js="source_view/view.js", css=_STYLE)


def source_view(
    run: Run,
    *,
    baseline: Run | None = None,
    selected: int | None = None,
    only: StandingOut | None = None,
    key: str,
    height: str = "calc(100dvh - 180px)",
    on_select: Callable[[int], None] | None = None,
    together: str = "",
    letter: str = "",
    marks: Sequence[Mark] = (),
    on_mark: Callable[[str, Span], None] | None = None,
    placed: Placed | None = None,
    on_place: Callable[[Placed | None], None] | None = None,
    went: int = 0,
    show: int | None = None,
) -> SourceViewResult:
    """Draw the document of `run` with its chunks; `baseline`'s boundaries stand as ticks on the
    overview.

    `selected` is a code-point offset: the chunk whose body holds it is outlined. The chunks of
    `only` stand out, and keys go from one of them to the next. `height` is a CSS length.
    `on_select` is called with the offset of a clicked chunk's body, before the script runs again.
    Views of one document with the same name in `together` scroll as one, aligned on the source;
    `letter` tells them apart for screen readers.

    `marks` are drawn in the source and on the overview. With `on_mark`, selected text can be
    marked: it is called with "answer" or "whole" and the selected span, before the script runs
    again.

    With `on_place`, boundaries can be dragged: it is called with the boundary and the place that a
    person put it at, or None to give that up, before the script runs again. `placed` is the last of
    these, as long as settings are looked for.

    A change of `went` brings the view itself onto the screen, with the place `show` in it, or else
    `selected`.
    """
    source = source_text(run.document)

    def chosen() -> None:
        offset = told(key, "selected")
        if on_select is not None and isinstance(offset, int):
            on_select(offset)

    def mark() -> None:
        found = mark_request(told(key, "marked"), source)
        if on_mark is not None and found is not None:
            on_mark(*found)

    def place() -> None:
        if on_place is not None:
            on_place(placed_request(told(key, "placed"), source))

    def lacking() -> None:
        _sent().pop(str(told(key, "lacks")), None)

    sent = _sent()
    with_text = source.hash not in sent
    sent[source.hash] = None
    while len(sent) > _SENT_AT_MOST:
        sent.pop(next(iter(sent)))
    result = _component()(
        key=key,
        data=payload(
            run,
            baseline=baseline,
            selected=selected,
            only=only,
            with_text=with_text,
            height=height,
            together=together,
            letter=letter,
            went=went,
            show=show,
            further=join(
                drawn_marks(marks, source, able=on_mark is not None),
                copied_with(run, selected),
                placing(placed, source, able=on_place is not None),
                *([headings(run.document), tables(run.document)] if with_text else []),
            ),
        ),
        on_selected_change=chosen,
        on_lacks_change=lacking,
        on_marked_change=mark,
        on_placed_change=place,
    )
    offset = result.get("selected")
    return SourceViewResult(offset if isinstance(offset, int) else None)


def _sent() -> dict[str, None]:
    """Hashes of the texts sent to this session's browser, oldest first. A wrong entry does no harm:
    the browser asks for a text that it lacks."""
    sent: dict[str, None] = st.session_state.setdefault(_SENT, {})
    return sent
