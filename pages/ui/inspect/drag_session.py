"""What a threshold move changes on Inspect, as bytes: cut, counted and packed without Streamlit,
for a fluent drag.

An answer is the length of a JSON (uint32, little-endian), the JSON, and the boundary view's
payload. The JSON has the `sequence` of the question, what the rail draws (`rail`) and the strip's
numbers (`figures`), or `refused`: Streamlit's own way has to be taken then.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace

from chunking import ChunkscopeError, Config, Document, Run
from pages.ui.choices.plans import Plan
from pages.ui.choices.resolve import Settled, settle
from pages.ui.components.source_view.extras import copied_with, drawn_marks, join
from pages.ui.components.source_view.marks import Mark
from pages.ui.components.source_view.payload import moved_payload, source_text
from pages.ui.components.threshold_rail.rail import RailDrawn, Threshold, Value, moved_values
from pages.ui.inspect.metric_strip import MovedFigure

MOST_CHARACTERS = 20_000
"""A question is a number for each threshold: what is longer is none."""


@dataclass(frozen=True)
class Desk:
    """What stands while a threshold is dragged, and how to cut and draw."""

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
    rail: Callable[[Run, Plan, Settled], RailDrawn]
    figures: Callable[[Run], Sequence[MovedFigure]]


def answer(desk: Desk, question: str) -> tuple[bytes, Desk]:
    """The answer, and the desk with what is now the last legal config."""
    sequence, values = _asked(desk, question)
    plan = desk.plan.with_values(values)
    settled = settle(plan, desk.counter, desk.good)
    try:
        run = desk.cut(desk.document, settled.config)
    except ChunkscopeError:
        return framed({"sequence": sequence, "refused": True}), desk
    said = {"sequence": sequence, "rail": desk.rail(run, plan, settled), "figures": desk.figures(run)}
    marks = drawn_marks(desk.marks(run), source_text(run.document), able=True)
    drawn = moved_payload(run, selected=desk.selected, further=join(marks, copied_with(run, desk.selected)))
    return framed(said, drawn), replace(desk, good=settled.config)


def refusal() -> bytes:
    """The answer of a desk that is not there any more."""
    return framed({"sequence": 0, "refused": True})


def _asked(desk: Desk, question: str) -> tuple[int, dict[str, Value]]:
    try:
        asked = json.loads(question) if len(question) <= MOST_CHARACTERS else None
    except (ValueError, RecursionError):
        asked = None
    if not isinstance(asked, Mapping):
        return 0, {}
    sequence = asked.get("sequence")
    return sequence if isinstance(sequence, int) else 0, moved_values(desk.thresholds, asked.get("values"))


def framed(said: Mapping[str, object], drawn: bytes = b"") -> bytes:
    """The bytes of an answer."""
    head = json.dumps(said, separators=(",", ":")).encode()
    return b"".join([len(head).to_bytes(4, "little"), head, drawn])
