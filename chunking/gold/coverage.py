"""Which marked spans a run keeps whole, and for the others where they are cut and by which rule.

Whole means here what it means for `evaluate`: some chunk says all of it, in its overlap and its body, but for white
space. So a boundary inside a span may leave it whole, where the next chunk repeats what came before.
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
class Cut:
    """One place where a marked span is cut, or a stretch of it that no chunk's body holds."""

    span: Span
    """Of a boundary the empty span where it is; of what is left out the stretch."""
    line: int
    """The line that begins after a boundary or that it stands in; the first line of what is left out."""
    reason: Boundary
    left_out: bool
    """Whether this is a Skip or a hole, such as a heading that is said by the context instead."""

    @property
    def offset(self) -> int:
        return self.span.start


@dataclass(frozen=True, slots=True)
class Fate:
    """What becomes of one marked span."""

    span: Span
    whole: bool
    cuts: tuple[Cut, ...]
    """In source order; empty where it is whole."""


def fates(run: Run, spans: Iterable[Span]) -> tuple[Fate, ...]:
    """What becomes of each span, in their order. Reads only the parts they touch, however long the document is."""
    return tuple(fate(_touching(run.parts, span), run.document, span) for span in spans)


def fate_sentence(of: Fate, run: Run) -> str:
    """What becomes of a mark, for a person: in which chunk it is whole, or where it is cut, by which rule and why."""
    if of.whole:
        number = bisect_right(run.chunks, of.span.start, key=lambda chunk: chunk.body.start)
        return f"Whole in chunk {number:,}."
    if not of.cuts:
        return "Cut: no chunk says all of it."
    first, more = of.cuts[0], len(of.cuts) - 1
    place = (
        f"Line {first.line:,} is left out of the chunk's body" if first.left_out else f"Cut before line {first.line:,}"
    )
    also = f" And in {counted(more, 'more place')}." if more else ""
    return f"{place} by {first.reason.rule}: {first.reason.detail.rstrip('.')}.{also}"


def fate(parts: Sequence[Part], document: Document, span: Span) -> Fate:
    """What becomes of a span; `parts` are at least all that it touches, in order."""
    if any(isinstance(part, Chunk) and _says(part, document, span) for part in parts):
        return Fate(span, True, ())
    return Fate(span, False, tuple(_cuts(parts, document, span)))


def _touching(parts: Sequence[Part], span: Span) -> Sequence[Part]:
    first = bisect_right(parts, span.start, key=lambda part: part.body.start) - 1
    last = bisect_right(parts, span.end - 1, key=lambda part: part.body.start)
    return parts[max(first, 0) : last]


def _says(chunk: Chunk, document: Document, span: Span) -> bool:
    said = [chunk.overlap, *chunk.kept] if chunk.overlap else [*chunk.kept]
    return all(document[each].isspace() for each in minus([span], said))


def _cuts(parts: Sequence[Part], document: Document, span: Span) -> Iterable[Cut]:
    for part in parts:
        left = part.holes if isinstance(part, Chunk) else (part,)
        for skip in left:
            inside = Span(max(skip.body.start, span.start), min(skip.body.end, span.end))
            if inside.start < inside.end and document[inside].strip():
                yield Cut(inside, document.line_of(inside.start), skip.because, True)
        end = part.body.end
        if isinstance(part, Chunk) and span.start < end < span.end:
            yield Cut(Span(end, end), document.line_of(end), part.ended_by, False)
