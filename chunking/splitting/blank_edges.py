"""White space as what it is for a chunk: skips, and holes at the edges of a body."""

from __future__ import annotations

from collections.abc import Sequence

from chunking.core.chunk import BLANK, Skip
from chunking.document import Document, Span
from chunking.text.whitespace import is_white, line_begin, visible_edges


def is_blank(document: Document, span: Span) -> bool:
    """Whether the span holds white space only (or nothing)."""
    return is_white(document.text, span.start, span.end)


def blank(start: int, end: int) -> tuple[Skip, ...]:
    """A stretch of white space as a skip, or a hole; none where it is empty."""
    return (Skip(Span(start, end), BLANK),) if start < end else ()


def blank_edges(
    document: Document, body: Span, holes: Sequence[Skip] = (), *, keep_indent: bool = False
) -> tuple[Skip, ...]:
    """The holes of a body, and as holes too the white space at its edges, also where that lies
    behind a hole at an edge.

    In source order. The body must not be all blank. With `keep_indent` the first line keeps its
    indentation, which code cannot do without.
    """
    text, inside = document.text, list(holes)
    start, end = body.start, body.end
    leading: list[Skip] = []
    while inside and is_white(text, start, inside[0].body.start):
        leading += [*blank(start, inside[0].body.start), inside.pop(0)]
        start = leading[-1].body.end
    trailing: list[Skip] = []
    while inside and is_white(text, inside[-1].body.end, end):
        last = inside.pop()
        trailing = [last, *blank(last.body.end, end), *trailing]
        end = last.body.start
    lead, tail = visible_edges(text, start, end)
    if keep_indent:
        lead = line_begin(text, start, lead)
    return (*leading, *blank(start, lead), *inside, *blank(tail, end), *trailing)
