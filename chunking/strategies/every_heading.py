"""One chunk for each heading, however small: the *before* of hierarchical packing.

Source: hierarchical.md, "Current Behavior"; DECISIONS, every-heading.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import ClassVar

from chunking.chunk import Boundary, Part, Skip
from chunking.cutting import blank_edges, is_blank
from chunking.document import Document, Span
from chunking.strategy import Strategy
from chunking.tools import Tools


class EveryHeading(Strategy):
    """Each heading with its own text up to the next heading; a preamble is its own chunk. No settings, no limit."""

    name: ClassVar[str] = "every-heading"
    title: ClassVar[str] = "Every heading"
    summary: ClassVar[str] = "One chunk for each heading, however small or large: the baseline to compare with."
    rules: ClassVar[dict[str, str]] = {"heading": "the next heading begins"}

    def split(self, document: Document, tools: Tools) -> Iterator[Part]:
        """Yield the front matter as a skip, then one chunk per section, in source order."""
        start = 0
        if document.blocks and document.blocks[0].kind == "front-matter":
            start = document.blocks[0].span.end
            yield Skip(document.blocks[0].span, Boundary("front-matter", "front matter is metadata, not content"))
        for section in document.outline.walk():
            end = section.children[0].span.start if section.children else section.span.end
            body = Span(max(section.span.start, start), end)
            if not len(body):
                continue
            if is_blank(document, body):
                yield Skip(body, Boundary("blank", "white space only"))
                continue
            following = document.line_of(end) if end < len(document.text) else None
            ended_by = Boundary("heading", f"the next heading begins on line {following}") if following else END
            yield tools.seal(
                document, body, ended_by, breadcrumb=section.breadcrumb, holes=blank_edges(document, body)
            )


END = Boundary("end", "the document ends here")
