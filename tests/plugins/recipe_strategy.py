"""A strategy as another package brings it: this file and one entry point (CONTRIBUTING.md, "A
strategy")."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import ClassVar

from chunking.core.chunk import Boundary, Part, Skip
from chunking.core.context import SplitContext
from chunking.core.strategy import Strategy, setting
from chunking.document import Document, Span
from chunking.splitting.blank_edges import blank_edges


class EachBlock(Strategy):
    """A chunk for each outermost block; blocks of few characters go with the one after them."""

    name: ClassVar[str] = "each-block"
    title: ClassVar[str] = "Each block"
    summary: ClassVar[str] = "One chunk for each block, for texts whose paragraphs stand alone."
    rules: ClassVar[Mapping[str, str]] = {"block": "the block ends here"}

    shortest: int = setting(20, title="Shortest", help="Higher joins more blocks.", unit="characters", ge=0)

    def split(self, document: Document, tools: SplitContext) -> Iterator[Part]:
        if not document.text.strip():
            if document.text:
                yield Skip(document.span, Boundary("blank", "white space only"))
            return
        start = 0
        for end in [block.span.end for block in document.blocks[:-1]]:
            if len(document.text[start:end].strip()) > self.shortest:
                yield self._sealed(document, tools, Span(start, end), Boundary("block", "the block ends here"))
                start = end
        yield self._sealed(document, tools, Span(start, len(document.text)), Boundary("end", "the document ends here"))

    def _sealed(self, document: Document, tools: SplitContext, body: Span, ended_by: Boundary) -> Part:
        edges = blank_edges(document, body)
        return tools.seal(document, body, ended_by, breadcrumb=(document.base_name,), holes=edges)
