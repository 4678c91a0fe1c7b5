"""The picture of a report: the whole source in its order, a band beside each chunk, and what is
said about it."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from chunking.analysis.comparison import BoundaryChange
from chunking.analysis.hues import PATTERNS, chunk_hues
from chunking.core.chunk import Boundary, Chunk, Skip
from chunking.document import Document, Span
from chunking.runs import Run


@dataclass(frozen=True, slots=True)
class Changes:
    """What became of the baseline's cuts."""

    at: Mapping[int, BoundaryChange]
    """The cuts of this run, by their place."""
    before: tuple[tuple[int, Boundary], ...]
    """Where only the baseline cuts, in source order, and why."""


@dataclass(frozen=True, slots=True)
class Piece:
    """A stretch of source as it is drawn, or a mark in it."""

    kind: str
    """Its class: `src`, `hole`, or `was` where only the baseline cuts."""
    text: str = ""
    rule: str = ""
    """Why it was left out, or cut before."""
    inside: tuple[Piece, ...] = ()
    """The source of a hole."""


@dataclass(frozen=True, slots=True)
class Band:
    """One part of the run, as it is drawn. A skip has its lines and its pieces alone."""

    lines: str
    pieces: tuple[Piece, ...]
    skip: Skip | None = None
    chunk: Chunk | None = None
    number: int = 0
    tone: str = ""
    """The classes of its colour and its rail."""
    mid: str = ""
    """The class of a text that begins or ends inside a line."""
    overlap: str = ""
    change: BoundaryChange | None = None


def changes_of(boundaries: Sequence[BoundaryChange]) -> Changes:
    """The cuts of a comparison by their side."""
    before = [
        (each.before, each.before_reason)
        for each in boundaries
        if each.before is not None and each.before_reason and each.change != "kept"
    ]
    at = {each.after: each for each in boundaries if each.after is not None}
    return Changes(at, tuple(sorted(before, key=lambda cut: cut[0])))


def source_bands(run: Run, changes: Changes | None) -> Iterator[Band]:
    """One band for each part. The `src` pieces, joined, are the document's text."""
    maker = _BandMaker(run.document, changes)
    hues = chunk_hues(run.columns.start)
    number = 0
    for part in run.parts:
        if isinstance(part, Skip):
            yield maker.skip(part)
        else:
            number += 1
            yield maker.chunk(part, number, hues[number - 1])


def change_words(change: BoundaryChange, document: Document) -> str:
    """What became of a cut, in words."""
    if change.change != "moved" or change.before is None:
        return {"kept": "as before", "added": "new here"}.get(change.change, change.change)
    return f"moved from line {document.line_of(max(0, change.before - 1)):,}"


@dataclass(frozen=True, slots=True)
class _BandMaker:
    """Makes the bands of one run, with what became of the baseline's cuts."""

    document: Document
    changes: Changes | None

    def skip(self, skip: Skip) -> Band:
        first, last = (self.document.line_of(at) for at in (skip.body.start, skip.body.end - 1))
        return Band(_lines(first, last), tuple(self._source(skip.body)), skip=skip)

    def chunk(self, chunk: Chunk, number: int, hue: int) -> Band:
        return Band(
            _lines(chunk.start_line, chunk.end_line),
            tuple(self._body(chunk)),
            chunk=chunk,
            number=number,
            tone=f"h{hue} p{hue % PATTERNS}",
            mid=self._cut_inside(chunk),
            overlap=self.document[chunk.overlap] if chunk.overlap else "",
            change=self.changes.at.get(chunk.body.end) if self.changes else None,
        )

    def _cut_inside(self, chunk: Chunk) -> str:
        text, first, last = self.document.text, chunk.body.start, chunk.body.end
        opens = "o" if first and text[first - 1] not in "\r\n" else ""
        closes = "e" if last < len(text) and text[last - 1] not in "\r\n" else ""
        return f"mid{opens}{closes}" if opens or closes else ""

    def _body(self, chunk: Chunk) -> Iterator[Piece]:
        at = chunk.body.start
        for hole in chunk.holes:
            blank = not self.document[hole.body].strip()
            yield from self._source(Span(at, hole.body.start), goes_on=blank)
            if blank:
                at_edge = hole.body.start == chunk.body.start or hole.body.end == chunk.body.end
                yield from self._piece(hole.body, "src end" if at_edge else "src")
            else:
                yield Piece("hole", rule=hole.because.rule, inside=tuple(self._source(hole.body)))
            at = hole.body.end
        yield from self._source(Span(at, chunk.body.end))

    def _source(self, span: Span, *, goes_on: bool = False) -> Iterator[Piece]:
        """The source of a span with the baseline's cuts in it. Line ends at its end are there and
        not seen, unless the text goes on after them."""
        seen = span.end if goes_on else span.start + len(self.document[span].rstrip("\r\n"))
        at = span.start
        for place, boundary in (*self._baseline_cuts(span), (span.end, None)):
            turn = min(max(at, seen), place)
            yield from self._piece(Span(at, turn))
            yield from self._piece(Span(turn, place), "src end")
            if boundary:
                at_line_end = self.document.text[place - 1] in "\r\n"
                yield Piece("was line" if at_line_end else "was", rule=boundary.rule)
            at = place

    def _piece(self, span: Span, kind: str = "src") -> Iterator[Piece]:
        if span.end > span.start:
            yield Piece(kind, self.document[span])

    def _baseline_cuts(self, span: Span) -> Sequence[tuple[int, Boundary]]:
        if self.changes is None:
            return ()
        first = bisect_left(self.changes.before, span.start + 1, key=lambda cut: cut[0])
        after = bisect_left(self.changes.before, span.end, key=lambda cut: cut[0])
        return self.changes.before[first:after]


def _lines(first: int, last: int) -> str:
    return f"line {first:,}" if first == last else f"lines {first:,} to {last:,}"
