"""The picture of a report: the whole source in its order, a band beside each chunk, and what is
said about it."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from chunking.analysis.comparison import BoundaryChange
from chunking.core.chunk import Boundary, Chunk, Skip
from chunking.document import Document, Span
from chunking.report.html import crumb_html, line_html, source_html
from chunking.runs import Run

HUES = 6
PATTERNS = 3
"""Colours and rails take turns, as in the app: no two neighbours share both."""


@dataclass(frozen=True, slots=True)
class Changes:
    """What became of the baseline's cuts."""

    at: Mapping[int, BoundaryChange]
    """The cuts of this run, by their place."""
    before: tuple[tuple[int, Boundary], ...]
    """Where only the baseline cuts, in source order, and why."""


def changes_of(boundaries: Sequence[BoundaryChange]) -> Changes:
    """The cuts of a comparison by their side."""
    before = [
        (each.before, each.before_reason)
        for each in boundaries
        if each.before is not None and each.before_reason and each.change != "kept"
    ]
    at = {each.after: each for each in boundaries if each.after is not None}
    return Changes(at, tuple(sorted(before, key=lambda cut: cut[0])))


def source_bands(run: Run, changes: Changes | None, *, prefix: str, level: int) -> Iterator[str]:
    """One piece of markup for each part. The `src` pieces, joined, are the document's text (line
    ends as LF)."""
    drawn = _Drawn(run, changes, prefix, level)
    number = 0
    for part in run.parts:
        if isinstance(part, Skip):
            yield drawn.skip(part)
        else:
            number += 1
            yield drawn.chunk(part, number)


def change_words(change: BoundaryChange, document: Document) -> str:
    """What became of a cut, in words."""
    if change.change != "moved" or change.before is None:
        return {"kept": "as before", "added": "new here"}.get(change.change, change.change)
    return f"moved from line {document.line_of(max(0, change.before - 1)):,}"


def reason_html(boundary: Boundary) -> str:
    """A rule with its sentence."""
    return f"<b>{line_html(boundary.rule)}</b> {line_html(boundary.detail)}"


@dataclass(frozen=True, slots=True)
class _Drawn:
    run: Run
    changes: Changes | None
    prefix: str
    level: int

    @property
    def document(self) -> Document:
        return self.run.document

    def skip(self, skip: Skip) -> str:
        first, last = (self.document.line_of(at) for at in (skip.body.start, skip.body.end - 1))
        return (
            f'<div class="part skip"><p class="about">Left out <small>{_lines(first, last)}</small></p>'
            f'<div class="text"><pre>{self._source(skip.body)}</pre></div>'
            f'<p class="why">{reason_html(skip.because)}</p></div>\n'
        )

    def chunk(self, chunk: Chunk, number: int) -> str:
        hue, pattern = (number - 1) % HUES, (number - 1) % PATTERNS
        name = f"{self.prefix}c{number}"
        about = "≈" if self.run.approximate else ""
        return (
            f'<article class="part h{hue} p{pattern}" id="{name}"><div class="about">'
            f'<h{self.level}><a href="#{name}">{number:,}</a></h{self.level}> {about}{chunk.tokens:,} tokens '
            f"<small>{_lines(chunk.start_line, chunk.end_line)}</small>"
            f'<p class="crumb">{crumb_html(chunk.breadcrumb)}</p></div>'
            f'<div class="text">{self._before(chunk)}<pre{self._cut_inside(chunk)}>{self._body(chunk)}</pre>'
            f"{_added('Added after', chunk.closing)}</div>"
            f'<div class="why"><p>{reason_html(chunk.ended_by)}</p>{self._change(chunk)}{_flags(chunk)}</div>'
            "</article>\n"
        )

    def _before(self, chunk: Chunk) -> str:
        """Context and overlap: in the chunk's text, and not in this place of the source."""
        context = _added("Context, added", chunk.context)
        if not chunk.overlap:
            return context
        repeated = source_html(self.document[chunk.overlap].rstrip("\r\n"))
        return f'{context}<div class="lap"><span class="tag">Overlap, repeated</span><pre>{repeated}</pre></div>'

    def _cut_inside(self, chunk: Chunk) -> str:
        """Marks a text that begins or ends inside a line."""
        text, first, last = self.document.text, chunk.body.start, chunk.body.end
        opens = "o" if first and text[first - 1] not in "\r\n" else ""
        closes = "e" if last < len(text) and text[last - 1] not in "\r\n" else ""
        return f' class="mid{opens}{closes}"' if opens or closes else ""

    def _body(self, chunk: Chunk) -> str:
        pieces: list[str] = []
        at = chunk.body.start
        for hole in chunk.holes:
            blank = not self.document[hole.body].strip()
            pieces.append(self._source(Span(at, hole.body.start), goes_on=blank))
            at_edge = hole.body.start == chunk.body.start or hole.body.end == chunk.body.end
            pieces.append(self._blank(hole.body, seen=not at_edge) if blank else self._hole(hole))
            at = hole.body.end
        return "".join([*pieces, self._source(Span(at, chunk.body.end))])

    def _blank(self, span: Span, *, seen: bool) -> str:
        return self._piece(span, "src" if seen else "src end")

    def _hole(self, hole: Skip) -> str:
        tag = f'<span class="tag">left out: {line_html(hole.because.rule)}</span>'
        return f'<span class="hole">{tag}{self._source(hole.body)}</span>'

    def _source(self, span: Span, *, goes_on: bool = False) -> str:
        """The source of a span with the baseline's cuts in it. Line ends at its end are there and
        not seen, unless the text goes on after them."""
        seen = span.end if goes_on else span.start + len(self.document[span].rstrip("\r\n"))
        pieces: list[str] = []
        at = span.start
        for place, boundary in (*self._baseline_cuts(span), (span.end, None)):
            turn = min(max(at, seen), place)
            pieces += [self._piece(Span(at, turn)), self._piece(Span(turn, place), "src end")]
            if boundary:
                pieces.append(self._baseline_mark(place, boundary))
            at = place
        return "".join(pieces)

    def _piece(self, span: Span, kind: str = "src") -> str:
        return f'<span class="{kind}">{source_html(self.document[span])}</span>' if span.end > span.start else ""

    def _baseline_cuts(self, span: Span) -> Sequence[tuple[int, Boundary]]:
        if self.changes is None:
            return ()
        first = bisect_left(self.changes.before, span.start + 1, key=lambda cut: cut[0])
        after = bisect_left(self.changes.before, span.end, key=lambda cut: cut[0])
        return self.changes.before[first:after]

    def _baseline_mark(self, place: int, boundary: Boundary) -> str:
        kind = "was line" if self.document.text[place - 1] in "\r\n" else "was"
        return f'<span class="{kind}"><span class="tag">cut before: {line_html(boundary.rule)}</span></span>'

    def _change(self, chunk: Chunk) -> str:
        change = self.changes.at.get(chunk.body.end) if self.changes else None
        if change is None:
            return ""
        return f'<p class="change {change.change}">{change_words(change, self.document)}</p>'


def _added(tag: str, text: str) -> str:
    if not text:
        return ""
    shown = source_html(text.rstrip("\r\n"))
    return f'<div class="added"><span class="tag">{tag}</span><pre>{shown}</pre></div>'


def _flags(chunk: Chunk) -> str:
    return "".join(f'<p class="flag">{reason_html(flag)}</p>' for flag in chunk.flags)


def _lines(first: int, last: int) -> str:
    return f"line {first:,}" if first == last else f"lines {first:,} to {last:,}"
