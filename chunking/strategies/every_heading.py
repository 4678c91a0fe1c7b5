"""One chunk for each heading, however small: the *before* of hierarchical packing.

Source: hierarchical.md, "Current Behavior"; DECISIONS, every-heading.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import ClassVar

from chunking.core.chunk import BLANK, END, Boundary, Part, Skip, front_matter
from chunking.core.context import SplitContext
from chunking.core.strategy import Family, Strategy
from chunking.document import Document, Section, Span
from chunking.splitting.blank_edges import blank_edges, is_blank
from chunking.splitting.sealed_chunks import SealedChunks


class EveryHeading(Strategy):
    """Each heading with its own text up to the next heading; a preamble is its own chunk. No
    settings, no limit.

    A heading without text is a chunk here: that is what this strategy is there to show.
    """

    name: ClassVar[str] = "every-heading"
    title: ClassVar[str] = "Every heading"
    summary: ClassVar[str] = "One chunk for each heading, however small or large: the baseline to compare with."
    family: ClassVar[Family] = "headings"
    rules: ClassVar[dict[str, str]] = {"heading": "the next heading begins"}

    def split(self, document: Document, tools: SplitContext) -> Iterator[Part]:
        """Yield the front matter as a skip, then one chunk per section, in source order."""
        start, chunk_index = (yield from front_matter(document)), 0
        sealed = SealedChunks(document, tools, self.name)
        for section in document.sections:
            body = Span(max(section.span.start, start), _own_end(section))
            if not len(body):
                continue
            if is_blank(document, body):
                yield Skip(body, BLANK)
                continue
            known = sealed.known(body.start, body.end)
            if known is not None:
                yield sealed.again(known, known.ended_by, chunk_index)
            else:
                chunk = tools.seal(
                    document,
                    body,
                    _boundary(document, body.end),
                    breadcrumb=section.breadcrumb,
                    holes=blank_edges(document, body),
                    metadata={"chunk_index": chunk_index, "anchor": section.anchor},
                )
                yield sealed.keep(body.end, chunk)
            chunk_index += 1


def _own_end(section: Section) -> int:
    """Where the section's own text ends: at its first child's heading, or at its end."""
    return section.children[0].span.start if section.children else section.span.end


def _boundary(document: Document, end: int) -> Boundary:
    if end == len(document.text):
        return END
    return Boundary("heading", f"the next heading begins on line {document.line_of(end)}")
