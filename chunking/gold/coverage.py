"""Coverage of marked spans by a run's chunks: which are whole, and where and why the others are
cut.

A span is whole, as in `evaluate`, if one chunk contains all of it, except for white space, in its
overlap and body together, or in what a hit on it gives back (`returned`). So a boundary inside a
span may leave it whole: the overlap of the next chunk may repeat what came before.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from chunking.core.chunk import Boundary, Chunk, Part
from chunking.document import Document, Span
from chunking.runs import Run
from chunking.text.display import counted
from chunking.text.spans import minus


@dataclass(frozen=True, slots=True)
class AnswerCut:
    """A boundary inside a marked span, or a stretch of it that no chunk's body contains."""

    span: Span
    """An empty span at the boundary; or the stretch that is left out."""
    line: int
    """The line, from 1, that begins after the boundary or contains it; or the stretch's first
    line."""
    reason: Boundary
    left_out: bool
    """Whether this is a skip or a hole, such as a heading that the chunk's context gives
    instead."""

    @property
    def offset(self) -> int:
        return self.span.start


@dataclass(frozen=True, slots=True)
class Coverage:
    """How a run covers one marked span: whole or cut, and where."""

    span: Span
    whole: bool
    cuts: tuple[AnswerCut, ...]
    """In source order; empty if the span is whole."""


def coverages(run: Run, spans: Iterable[Span]) -> tuple[Coverage, ...]:
    """The coverage of each span, in the given order. Reads only the parts that the spans touch."""
    return tuple(coverage_by(_touching(run.parts, span), run.document, span) for span in spans)


def coverage_sentence(of: Coverage, run: Run) -> str:
    """The coverage of a mark in a sentence: in which chunk it is whole, or where and why it is
    cut."""
    if of.whole:
        number = bisect_right(run.chunks, of.span.start, key=lambda chunk: chunk.body.start)
        given = "what a hit gives back of " if run.chunks[number - 1].returned else ""
        return f"Whole in {given}chunk {number:,}."
    if not of.cuts:
        return "Cut: no chunk has all of it."
    first, more = of.cuts[0], len(of.cuts) - 1
    place = (
        f"Line {first.line:,} is left out of the chunk's body" if first.left_out else f"Cut before line {first.line:,}"
    )
    also = f" And in {counted(more, 'more place')}." if more else ""
    return f"{place} by {first.reason.rule}: {first.reason.detail.rstrip('.')}.{also}"


def coverage_by(parts: Sequence[Part], document: Document, span: Span) -> Coverage:
    """The coverage of one span by these parts: at least those that it touches, in order."""
    if any(isinstance(part, Chunk) and _contains(part, document, span) for part in parts):
        return Coverage(span, True, ())
    return Coverage(span, False, tuple(_cuts(parts, document, span)))


def _touching(parts: Sequence[Part], span: Span) -> Sequence[Part]:
    first = bisect_right(parts, span.start, key=lambda part: part.body.start) - 1
    last = bisect_right(parts, span.end - 1, key=lambda part: part.body.start)
    return parts[max(first, 0) : last]


def _contains(chunk: Chunk, document: Document, span: Span) -> bool:
    has = [chunk.returned] if chunk.returned else [*([chunk.overlap] if chunk.overlap else []), *chunk.kept]
    return all(document[each].isspace() for each in minus([span], has))


def _cuts(parts: Sequence[Part], document: Document, span: Span) -> Iterable[AnswerCut]:
    for part in parts:
        left = part.holes if isinstance(part, Chunk) else (part,)
        for skip in left:
            inside = Span(max(skip.body.start, span.start), min(skip.body.end, span.end))
            if inside.start < inside.end and document[inside].strip():
                yield AnswerCut(inside, document.line_of(inside.start), skip.because, True)
        end = part.body.end
        if isinstance(part, Chunk) and span.start < end < span.end:
            yield AnswerCut(Span(end, end), document.line_of(end), part.ended_by, False)
