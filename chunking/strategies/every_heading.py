"""One chunk for each heading, however small: the *before* of hierarchical packing.

Source: hierarchical.md, "Current Behavior"; DECISIONS, every-heading.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from typing import ClassVar, NamedTuple

from chunking.core.chunk import BLANK, END, Boundary, Skip, front_matter
from chunking.core.context import SplitContext
from chunking.core.cut_parts import Plan
from chunking.core.planning import PlanningStrategy
from chunking.core.sealed import Metadata, Sealed
from chunking.core.strategy import Family
from chunking.document import Document, Section, Span
from chunking.splitting.sealed_chunks import SealedChunks
from chunking.text.whitespace import is_white, visible_edges


class EveryHeading(PlanningStrategy):
    """Each heading with its own text up to the next heading; a preamble is its own chunk. No
    settings, no limit.

    A heading without text is a chunk here: that is what this strategy is there to show.
    """

    name: ClassVar[str] = "every-heading"
    title: ClassVar[str] = "Every heading"
    summary: ClassVar[str] = "One chunk for each heading, however small or large: the baseline to compare with."
    family: ClassVar[Family] = "headings"
    rules: ClassVar[dict[str, str]] = {"heading": "the next heading begins"}

    def plan(self, document: Document, tools: SplitContext) -> Plan[Reason]:
        """The front matter as a skip, then one chunk per section, in source order."""
        return Plan(document, self._steps(document, tools), partial(_boundary, document))

    def _steps(self, document: Document, tools: SplitContext) -> Iterator[Skip | tuple[Sealed, Reason]]:
        start, text = (yield from front_matter(document)), document.text
        known = SealedChunks(document, tools, self.name)
        for section in document.sections:
            begin, end = max(section.span.start, start), _own_end(section)
            if begin >= end:
                continue
            if is_white(text, begin, end):
                yield Skip(Span(begin, end), BLANK)
                continue
            sealed = known.known(begin, end)
            if sealed is None:
                kept, breadcrumb = visible_edges(text, begin, end), section.breadcrumb
                metadata: Metadata = {"chunk_index": 0, "anchor": section.anchor}
                sealed = tools.sealed(document, begin, end, breadcrumb=breadcrumb, kept=kept, metadata=metadata)
                known.keep(end, sealed)
            yield sealed, Reason("heading" if end < len(text) else END.rule, end)


class Reason(NamedTuple):
    """Why a chunk ends."""

    rule: str
    end: int
    """Where."""


def _own_end(section: Section) -> int:
    """Where the section's own text ends: at its first child's heading, or at its end."""
    return section.children[0].span.start if section.children else section.span.end


def _boundary(document: Document, reason: Reason) -> Boundary:
    if reason.rule == END.rule:
        return END
    return Boundary(reason.rule, f"the next heading begins on line {document.line_of(reason.end)}")
