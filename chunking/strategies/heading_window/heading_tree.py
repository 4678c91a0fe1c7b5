"""The headings above any place in a document, as the context and the breadcrumb of a chunk that
begins there."""

from __future__ import annotations

from bisect import bisect_left
from functools import cached_property

from chunking.core.context import SplitContext
from chunking.document import Document
from chunking.splitting.breadcrumbs import heading_lines


class HeadingTree:
    """A document's headings by number, with their parents. Skipped levels nest by level (DECISIONS
    all-3)."""

    def __init__(self, document: Document) -> None:
        self._document = document
        self.headings = document.headings
        self.levels = [heading.level for heading in self.headings]
        self.starts = [heading.span.start for heading in self.headings]
        self._parents = _parents(self.levels)
        self._breadcrumbs: dict[int, tuple[str, ...]] = {-1: (document.base_name,)}

    @cached_property
    def firsts(self) -> list[int]:
        """The numbers of the headings of level 1."""
        return [number for number, level in enumerate(self.levels) if level == 1]

    @cached_property
    def tops(self) -> list[int]:
        """For each heading the number of the heading of level 1 it is or belongs under, -1 for
        none."""
        tops: list[int] = []
        for number, (level, parent) in enumerate(zip(self.levels, self._parents, strict=True)):
            tops.append(tops[parent] if parent >= 0 else number if level == 1 else -1)
        return tops

    @cached_property
    def section_ends(self) -> list[int]:
        """Where each heading's section ends: at the next heading of its level or a shallower one,
        or with the text."""
        ends = [len(self._document.text)] * len(self.levels)
        open_numbers: list[int] = []
        for number, level in enumerate(self.levels):
            while open_numbers and self.levels[open_numbers[-1]] >= level:
                ends[open_numbers.pop()] = self.starts[number]
            open_numbers.append(number)
        return ends

    def after(self, offset: int) -> int:
        """The number of the first heading at or after `offset`."""
        return bisect_left(self.starts, offset)

    def parent(self, number: int) -> int:
        """The number of the heading that encloses a heading, -1 for none."""
        return self._parents[number]

    def chain(self, number: int) -> list[int]:
        """A heading and all that enclose it, outermost first; nothing for -1."""
        chain = []
        while number >= 0:
            chain.append(number)
            number = self._parents[number]
        return chain[::-1]

    def breadcrumb(self, number: int) -> tuple[str, ...]:
        """The document's base name and the titles down to a heading; -1 is the place before any
        heading."""
        known = self._breadcrumbs.get(number)
        if known is None:
            known = (*self.breadcrumb(self._parents[number]), self.headings[number].title)
            self._breadcrumbs[number] = known
        return known

    def lines(self, number: int) -> str:
        """The heading lines down to a heading."""
        return heading_lines([self.headings[at] for at in self.chain(number)], self._document.line_ending)[0]

    def shortened(self, number: int, limit: int, tools: SplitContext) -> tuple[str, bool]:
        """The same in at most `limit` tokens, and whether they had to be shortened for it."""
        chain = [self.headings[at] for at in self.chain(number)]
        return heading_lines(chain, self._document.line_ending, limit, tools.count)


def _parents(levels: list[int]) -> list[int]:
    parents = []
    last = [-1] * 7
    """The last heading of each level so far."""
    for number, level in enumerate(levels):
        parents.append(max(last[:level]))
        last[level] = number
    return parents
