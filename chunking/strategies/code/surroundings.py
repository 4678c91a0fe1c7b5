"""What stands around a chunk of code: the signatures of the definitions that it is in, and the ends
of a fence that is cut."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial

from chunking.core.chunk import Boundary
from chunking.core.context import SplitContext
from chunking.document import Document
from chunking.document.fenced_regions import FencedRegion
from chunking.splitting.breadcrumbs import shorten
from chunking.splitting.source_code.structure import Definition, Source
from chunking.text.whitespace import line_begin

_WIDEST_INDENT = 200
"""Characters in front of a signature that are looked at: a line may be megabytes long."""


@dataclass(frozen=True, slots=True)
class CodeContext:
    """What stands in front of a chunk, and what is odd about it."""

    text: str
    flags: tuple[Boundary, ...] = ()


class Surroundings:
    """Makes contexts and closings within a limit."""

    def __init__(self, document: Document, tools: SplitContext, limit: int, *, signatures: bool) -> None:
        self._document = document
        self._text = document.text
        self._tools = tools
        self._limit = limit
        self._signatures = signatures
        self._made: dict[tuple[object, ...], CodeContext] = {}

    def before(self, start: int, source: Source | None) -> str:
        """What stands in front of a chunk that begins at `start`."""
        return self.context(start, source).text if source else ""

    def context(self, start: int, source: Source) -> CodeContext:
        """The fence that a chunk begins in, opened again, and the signatures of the definitions
        around it that end before it: together at most half the limit."""
        above = source.structure.definitions_at(start) if self._signatures else []
        above = [each for each in above if each.signature.end <= start]
        reopened = source.fence if source.fence and source.fence.inside(start) else None
        key = "context", reopened.opener_end if reopened else -1, tuple(each.begins for each in above)
        make = partial(self._context, above, reopened)
        if self._tools.tracing:
            return self._tools.remembered(key, make)
        known = self._made.get(key)
        if known is None:
            known = self._made[key] = make()
        return known

    def _context(self, above: Sequence[Definition], reopened: FencedRegion | None) -> CodeContext:
        flags: list[Boundary] = []
        opening = reopened.opening if reopened and self._may_reopen(reopened) else ""
        if reopened and not opening:
            flags.append(self._too_long("header-dropped", "the fence to repeat takes"))
        ending = self._document.line_ending
        lines, shortened = shorten(
            [self._signature(each) for each in above],
            lambda parts: "".join(part + ending for part in parts),
            self._limit,
            lambda text: self._tools.count(opening + text) * 2,
        )
        if shortened:
            flags.append(self._too_long("context-shortened", "the signatures around the chunk take"))
        return CodeContext(opening + lines, tuple(flags))

    def closing(self, source: Source | None) -> str:
        """What ends a fence that a chunk may end in."""
        if source is None or source.fence is None or not self._may_reopen(source.fence):
            return ""
        return self._document.line_ending + source.fence.closing

    def closing_at(self, end: int, source: Source | None) -> str:
        """What stands behind a chunk that ends at `end`."""
        return self.closing(source) if source and source.fence and source.fence.inside(end) else ""

    def _may_reopen(self, fence: FencedRegion) -> bool:
        """Opening and closing may take at most half the limit (DECISIONS all-6)."""
        return (self._tools.count(fence.opening) + self._tools.count(fence.closing)) * 2 <= self._limit

    def _signature(self, definition: Definition) -> str:
        """A signature with its indentation."""
        start, end = definition.signature.start, definition.signature.end
        begin = line_begin(self._text, max(0, start - _WIDEST_INDENT), start)
        return self._text[begin if self._text[begin:start].isspace() else start : end]

    def _too_long(self, rule: str, what: str) -> Boundary:
        return Boundary(rule, f"{what} more than half of maxTokens {self._limit}", limit=self._limit)
