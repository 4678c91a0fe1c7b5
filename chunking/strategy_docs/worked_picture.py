"""A run drawn as lines: the source, a bar beside each chunk, and under each cut its reason.

The pages of the strategies show it, in docs/ as text and in the app in colour. Document text is not
escaped here.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from textwrap import wrap
from typing import Literal

from chunking.core.chunk import Boundary, Chunk, Skip
from chunking.document import Document, Span
from chunking.runs import Run
from chunking.splitting.breadcrumbs import arrow
from chunking.text.lines import split_lines

LineKind = Literal["begins", "added", "overlap", "source", "hole", "flag", "ends", "skipped", "left-out"]
WIDTH = 92
"""Width in characters at which a reason is wrapped."""

_BARS: dict[LineKind, str] = {
    "begins": "┌",
    "added": "│",
    "overlap": "│",
    "source": "│",
    "hole": "┆",
    "flag": "│",
    "ends": "└",
    "skipped": "┆",
    "left-out": "╵",
}
_MARKS: dict[LineKind, str] = {"added": "+", "overlap": "~", "flag": "!"}


@dataclass(frozen=True, slots=True)
class PictureLine:
    """One line of a picture."""

    kind: LineKind
    """`added` is context or closing, `overlap` is repeated; `hole` and `skipped` are source lines
    that are left out."""
    text: str
    chunk: int = 0
    """From 1; 0 for what is in no chunk."""
    line: int | None = None
    """The source line, from 1."""


def picture(run: Run) -> tuple[PictureLine, ...]:
    """The run, line by line in source order. A source line with a cut inside appears once for each
    part of it."""
    lines: list[PictureLine] = []
    number = 0
    for part in run.parts:
        if isinstance(part, Skip):
            lines += _pieces(run.document, part.body, "skipped", 0)
            lines.append(PictureLine("left-out", _reason(part.because)))
        else:
            number += 1
            lines += _chunk_lines(part, number)
    return tuple(lines)


def picture_text(lines: tuple[PictureLine, ...]) -> str:
    """The picture as plain text: line number or mark, bar, text. Ends without a line break."""
    gutter = len(str(max((line.line or 0 for line in lines), default=0)))
    return "\n".join(text for line in lines for text in _text_lines(line, gutter)).rstrip()


def _chunk_lines(chunk: Chunk, number: int) -> Iterator[PictureLine]:
    document = chunk.document
    yield PictureLine("begins", f"chunk {number}, {chunk.tokens} tokens, in {arrow(chunk.breadcrumb)}", number)
    yield from (PictureLine("added", line, number) for line in _lines(chunk.context))
    if chunk.overlap:
        yield from (PictureLine("overlap", line, number) for line in _lines(document[chunk.overlap].rstrip()))
    start = chunk.body.start
    for hole in chunk.holes:
        yield from _pieces(document, Span(start, hole.body.start), "source", number)
        blank = hole.because.rule == "blank"
        yield from _pieces(
            document, hole.body, "source" if blank else "hole", number, "" if blank else hole.because.rule
        )
        start = hole.body.end
    yield from _pieces(document, Span(start, chunk.body.end), "source", number)
    yield from (PictureLine("added", line, number) for line in _lines(chunk.closing))
    yield from (PictureLine("flag", _reason(flag), number) for flag in chunk.flags)
    yield PictureLine("ends", _reason(chunk.ended_by), number)


def _pieces(document: Document, span: Span, kind: LineKind, number: int, rule: str = "") -> Iterator[PictureLine]:
    """The source lines of a span, with `…` where a line begins before it or continues after it."""
    at = span.start
    while at < span.end:
        line = document.line_of(at)
        whole = _line_span(document, line)
        end = min(whole.end, span.end)
        piece = document[Span(at, end)].rstrip("\r\n")
        continued = at > whole.start and not document[Span(whole.start, at)].isspace()
        goes_on = end < whole.end and not document[Span(end, whole.end)].isspace()
        if piece.strip() or (at == whole.start and end == whole.end):
            text = f"{'… ' if continued else ''}{piece.rstrip()}{' …' if goes_on else ''}"
            yield PictureLine(kind, f"{text}  ({rule})" if rule and text else text, number, line)
        at = end


def _line_span(document: Document, line: int) -> Span:
    starts = document.line_starts
    return Span(int(starts[line - 1]), int(starts[line]) if line < len(starts) else len(document.text))


def _lines(text: str) -> list[str]:
    return split_lines(text)[0]


def _reason(boundary: Boundary) -> str:
    return f"{boundary.rule}: {boundary.detail}"


def _text_lines(line: PictureLine, gutter: int) -> Iterator[str]:
    mark = str(line.line) if line.line is not None else _MARKS.get(line.kind, "")
    texts = [line.text]
    if line.kind in ("begins", "ends", "flag", "left-out"):
        texts = wrap(line.text, WIDTH, break_long_words=False, break_on_hyphens=False) or [""]
    for at, text in enumerate(texts):
        bar = _BARS[line.kind] if at == 0 else {"flag": "│"}.get(line.kind, " ")
        yield f"{mark if at == 0 else '':>{gutter}} {bar} {text}".rstrip()
    if line.kind in ("ends", "left-out"):
        yield ""
