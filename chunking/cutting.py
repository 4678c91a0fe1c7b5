"""Shared knives: the blank edges of a body, oversized prose, code, tables and lists, trailing overlap."""

from __future__ import annotations

from chunking.chunk import Boundary, Skip
from chunking.document import Document, Span

BLANK = Boundary("blank", "white space only")


def is_blank(document: Document, span: Span) -> bool:
    """Whether the span holds white space only (or nothing)."""
    return not document[span].strip()


def blank_edges(document: Document, body: Span) -> tuple[Skip, ...]:
    """The white space at a body's edges as holes, leading first. The body must not be all blank."""
    text = document[body]
    leading = len(text) - len(text.lstrip())
    trailing = len(text) - len(text.rstrip())
    holes = []
    if leading:
        holes.append(Skip(Span(body.start, body.start + leading), BLANK))
    if trailing:
        holes.append(Skip(Span(body.end - trailing, body.end), BLANK))
    return tuple(holes)
