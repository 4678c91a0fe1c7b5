"""Spans of a text (pairs of offsets), and set operations on them: union, difference, total length.

Offsets count code points; a span includes `start` and excludes `end`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass


@dataclass(frozen=True, slots=True, order=True, init=False)
class Span:
    """A stretch of a document, from offset `start` up to but not including `end`, in code
    points."""

    start: int
    end: int

    def __init__(self, start: int, end: int) -> None:
        _set_start(self, start)
        _set_end(self, end)

    def __len__(self) -> int:
        return self.end - self.start

    def contains(self, offset: int) -> bool:
        return self.start <= offset < self.end


# The constructor that a frozen dataclass gets takes half as long again, and none is called more.
_set_start: Callable[[Span, int], None] = Span.__dict__["start"].__set__
_set_end: Callable[[Span, int], None] = Span.__dict__["end"].__set__

Length = Callable[[Span], int]
"""A function that gives the length of a span, in characters or in tokens."""


def union(spans: Iterable[Span]) -> list[Span]:
    """The union of the spans: in order, with those that overlap or touch joined."""
    joined: list[Span] = []
    for span in sorted(spans):
        if joined and span.start <= joined[-1].end:
            joined[-1] = Span(joined[-1].start, max(joined[-1].end, span.end))
        else:
            joined.append(span)
    return joined


def minus(spans: Iterable[Span], taken: Sequence[Span]) -> list[Span]:
    """The difference: the parts of the spans that are in none of those in `taken`."""
    left = list(spans)
    for cut in taken:
        rest = []
        for span in left:
            if cut.start >= span.end or cut.end <= span.start:
                rest.append(span)
                continue
            rest += [Span(span.start, cut.start)] if cut.start > span.start else []
            rest += [Span(cut.end, span.end)] if cut.end < span.end else []
        left = rest
    return left


def total(spans: Iterable[Span], length: Length) -> int:
    """The sum of the lengths. Text that two spans share counts twice."""
    return sum(length(span) for span in spans)


def join_touching(parts: Sequence[str | Span]) -> list[str | Span]:
    """The parts in order, without empty ones, and with adjacent spans that touch joined into
    one."""
    joined: list[str | Span] = []
    for part in parts:
        if not len(part):
            continue
        last = joined[-1] if joined else ""
        if isinstance(part, Span) and isinstance(last, Span) and last.end == part.start:
            joined[-1] = Span(last.start, part.end)
        else:
            joined.append(part)
    return joined
