"""What people marked in a source: where an answer stands, and what must stay in one chunk. No
Streamlit.

Spans are code points, as everywhere; the browser counts UTF-16 code units, and this is where it
comes back from that.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from chunking import Span
from pages.ui.choices.marking import MarkKind
from pages.ui.components.source_view.payload import Offsets, SourceText, join_strings

KINDS: tuple[MarkKind, ...] = ("answer", "whole")


@dataclass(frozen=True, slots=True)
class Mark:
    """One marked stretch of a source, as the source view draws it."""

    span: Span
    """Code points of the document that is shown."""
    kind: MarkKind
    label: str
    """Said when it is pointed at: the question, or why it belongs together."""
    cut: bool
    """Whether some chunk boundary goes through it."""
    draft: bool = False
    """Whether it answers a question that a program worded and no person has accepted."""


def mark_columns(marks: Sequence[Mark], source: SourceText) -> dict[str, Offsets]:
    """The marks as columns for the browser, in source order: offsets in code units; look is kind
    (bit 0), cut and draft."""
    ordered = in_order(marks)
    return {
        "markStart": source.to_units(np.array([mark.span.start for mark in ordered], np.int64)),
        "markEnd": source.to_units(np.array([mark.span.end for mark in ordered], np.int64)),
        "markLook": np.array([KINDS.index(mark.kind) + 2 * mark.cut + 4 * mark.draft for mark in ordered], np.int64),
    }


def mark_labels(marks: Sequence[Mark]) -> bytes:
    """The labels for the browser, in the order of `mark_columns`."""
    return join_strings(mark.label for mark in in_order(marks))


def in_order(marks: Sequence[Mark]) -> list[Mark]:
    """The marks in source order; of two in one place always the same first."""
    return sorted(marks, key=lambda mark: (mark.span.start, mark.span.end, mark.kind, mark.label))


def mark_request(message: object, source: SourceText) -> tuple[MarkKind, Span] | None:
    """What the browser asks to have marked; None where that is no stretch of this text."""
    if not isinstance(message, Mapping):
        return None
    kind = next((known for known in KINDS if known == message.get("kind")), None)
    start, end = message.get("start"), message.get("end")
    if kind is None or not isinstance(start, int) or not isinstance(end, int) or not 0 <= start < end <= source.units:
        return None
    return kind, Span(code_point(source, start), code_point(source, end, upwards=True))


def code_point(source: SourceText, unit: int, *, upwards: bool = False) -> int:
    """The code point at a code unit; one that is inside a pair gives the pair's character, or what
    follows it."""
    pairs = source.astral + np.arange(len(source.astral))
    before = int(np.searchsorted(pairs, unit))
    inside = before > 0 and int(pairs[before - 1]) + 1 == unit
    return unit - before + (inside and upwards)
