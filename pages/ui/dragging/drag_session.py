"""What a threshold move changes on Inspect, as bytes: cut, counted and packed without Streamlit,
for a fluent drag.

An answer is the length of a JSON (uint32, little-endian), the JSON, and the boundary view's
payload. The JSON has the `sequence` of the question, what the rail draws (`rail`) and the strip's
numbers (`figures`), or `refused`: Streamlit's own way has to be taken then. Where another view of
the text is shown, the JSON has what that one draws (`reading`), and there is no payload.

A question may say what is `near` the view of the source, as two offsets: only of the boundaries
between them the answer has the reasons in words. Who then scrolls elsewhere asks the same again,
which cuts nothing.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Protocol

from chunking import ChunkscopeError, Config, Document, Run
from pages.ui.choices.plans import Plan
from pages.ui.choices.resolve import Resolution, resolve
from pages.ui.components.number_strip import MovedFigure
from pages.ui.components.shared.standing_out import StandingOut
from pages.ui.components.source_view.extras import copied_with, drawn_marks, join
from pages.ui.components.source_view.marks import Mark
from pages.ui.components.source_view.payload import moved_payload, source_text
from pages.ui.components.threshold_rail.rail import RailDrawn, Threshold, Value, moved_values
from pages.ui.layout.limits import limited

MOST_CHARACTERS = 20_000
"""Maximum characters of a question, which is a number for each threshold: a longer text is
refused."""

_FARTHEST = 2**31 - 1


class LiveSession(Protocol):
    """What answers the moves of a threshold."""

    @property
    def good(self) -> Config:
        """What to show while a setting is not legal."""

    def answer(self, question: str) -> tuple[bytes, LiveSession]:
        """The answer, and the session with what is now the last legal config."""


@dataclass(frozen=True)
class DragSession:
    """What stands while a threshold of one document is dragged, and how to cut and draw."""

    document: Document
    plan: Plan
    counter: str
    """The chosen counter, "" for the strategy's own."""
    good: Config
    """What to show while a setting is not legal."""
    selected: int | None
    thresholds: tuple[Threshold, ...]
    cut: Callable[[Document, Config], Run]
    """Raises ChunkscopeError."""
    marks: Callable[[Run], Sequence[Mark]]
    only: Callable[[Run], StandingOut | None]
    """The chunks that stand out."""
    rail: Callable[[Run, Plan, Resolution], RailDrawn]
    figures: Callable[[Run], Sequence[MovedFigure]]
    reading: Callable[[Run], Mapping[str, object]] | None = None
    """What is shown of a run in place of the source; None where the source is."""

    def answer(self, question: str) -> tuple[bytes, DragSession]:
        return answer(self, question)


def answer(session: DragSession, question: str) -> tuple[bytes, DragSession]:
    """The answer, and the session with what is now the last legal config."""
    sequence, values = moves(question, session.thresholds)
    plan = session.plan.with_values(values)
    resolution = resolve(plan, session.counter, session.good, session.good.loader)
    try:
        run = session.cut(session.document, resolution.config)
        reply = limited(partial(_moved, session, sequence, run, plan, resolution, near(question)))
    except ChunkscopeError:
        return framed({"sequence": sequence, "refused": True}), session
    return reply, replace(session, good=resolution.config)


def _moved(
    session: DragSession,
    sequence: int,
    run: Run,
    plan: Plan,
    resolution: Resolution,
    near: tuple[int, int] | None,
) -> bytes:
    head = {"sequence": sequence, "rail": session.rail(run, plan, resolution), "figures": session.figures(run)}
    if session.reading is not None:
        return framed({**head, "reading": session.reading(run)})
    marks = drawn_marks(session.marks(run), source_text(run.document), able=True)
    further = join(marks, copied_with(run, session.selected))
    drawn = moved_payload(run, selected=session.selected, only=session.only(run), near=near, further=further)
    return framed(head, drawn)


def refusal() -> bytes:
    """The answer of a session that is not there any more."""
    return framed({"sequence": 0, "refused": True})


def moves(question: str, thresholds: Sequence[Threshold]) -> tuple[int, dict[str, Value]]:
    """The number of a question, and where it has the thresholds; nothing of what is not one."""
    request = _request(question)
    sequence = request.get("sequence")
    return sequence if isinstance(sequence, int) else 0, moved_values(thresholds, request.get("values"))


def near(question: str) -> tuple[int, int] | None:
    """From where to where in the text a question wants reasons in words; None for everywhere."""
    match _request(question).get("near"):
        case [int(start), int(end)]:
            return max(0, min(start, _FARTHEST)), max(0, min(end, _FARTHEST))
    return None


def _request(question: str) -> Mapping[str, object]:
    """What a question says; nothing where it is not one."""
    try:
        request = json.loads(question) if len(question) <= MOST_CHARACTERS else None
    except (ValueError, RecursionError):
        request = None
    return request if isinstance(request, Mapping) else {}


def framed(content: Mapping[str, object], drawn: bytes = b"") -> bytes:
    """The bytes of an answer."""
    head = json.dumps(content, separators=(",", ":")).encode()
    return b"".join([len(head).to_bytes(4, "little"), head, drawn])
