"""Chunks of hierarchical packing while they are built, and their exact text and token count.

`packing.py` decides where chunks end; white space, breadcrumbs and counting are dealt with here.
"""

from __future__ import annotations

from collections.abc import Generator, Sequence
from functools import partial
from itertools import takewhile
from typing import NamedTuple

from chunking.core.chunk import PASSED_OVER, Boundary, Skip
from chunking.core.context import SplitContext
from chunking.core.sealed import Sealed
from chunking.document import Document, Span
from chunking.splitting.breadcrumbs import arrow, shorten
from chunking.splitting.document_cache import Memo, once_per_counter
from chunking.splitting.known_limits import KnownLimits
from chunking.splitting.sealed_chunks import SealedChunks
from chunking.strategies.hierarchical.reasons import Reason
from chunking.strategies.hierarchical.units import Lines, Path, SectionReading, SectionUnit, UnitCounts, Units
from chunking.text.whitespace import last_visible

_FEW = 64
"""Units that are counted one by one faster than together."""


class ChunkHead(NamedTuple):
    """The beginning of the chunk being packed, with headings carried over from before its
    section."""

    start: int
    """Where the body begins."""
    lead: int
    """Where the kept text begins: after white space at the body's start."""
    opening: str = ""
    """What reopens a fence or repeats a table's header before the kept text."""
    carried: Path | None = None
    """The nearest section around the empty sections that were carried here (hi-4); None when there
    are none."""
    flags: tuple[Boundary, ...] = ()

    @classmethod
    def at(cls, unit: SectionUnit) -> ChunkHead:
        dropped = tuple(flag for flag in unit.flags if flag.rule == "header-dropped") if unit.flags else ()
        return cls(unit.span.start, unit.lead, unit.opening, flags=dropped)

    def in_pieces(self, unit: SectionUnit, pieces: Sequence[SectionUnit]) -> ChunkHead:
        """The head after its leaf was cut into pieces: the first piece may begin later or need an
        opening. Unchanged if the chunk begins before the leaf."""
        if not pieces or self.lead < unit.lead:
            return self
        return self._replace(lead=pieces[0].lead, opening=pieces[0].opening)

    def joined(self, path: Path) -> Path:
        """The nearest section around what was carried and `path` (hi-3)."""
        return path if self.carried is None else common_path(self.carried, path)

    def carrying(self, path: Path, bare: Sequence[SectionUnit], *, whole: bool) -> ChunkHead:
        """The head with heading-only units of the section at `path` added; `whole` if the section
        has no others. An empty section limits the chunk's breadcrumb to the sections around it; a
        heading whose text is still to come does not.
        """
        if whole:
            return self._replace(carried=self.joined(path))
        if any(unit.section for unit in bare):
            return self._replace(carried=self.joined(place(path, bare)))
        return self


class SectionDraft(NamedTuple):
    """A chunk whose span is decided but which is not sealed yet: the last one may still take in a
    heading that ends the document."""

    head: ChunkHead
    end: int
    """Where the body ends."""
    tail: int
    """Where the kept text ends: before white space at the body's end."""
    path: Path
    """The section whose breadcrumb it has, with all that are around it."""
    ended_by: Reason
    closing: str = ""
    flags: tuple[Boundary, ...] = ()
    lone: bool = False
    """Whether it is headings left over at the document's end."""


Drafts = Generator[SectionDraft, None, ChunkHead | None]
"""Yields drafts of chunks in order; returns headings with nothing under them, which begin the next
chunk (hi-4)."""


def place(path: Path, units: Sequence[SectionUnit]) -> Path:
    """The section path of a chunk of these units: their only child section, else the section itself
    (hi-3)."""
    below = [unit for unit in units if unit.section is not None or not unit.bare]
    child = below[0].section if len(below) == 1 else None
    return path if child is None else (*path, child)


def common_path(one: Path, other: Path) -> Path:
    """The ancestors two paths share, by identity: two sections may have the same title."""
    return tuple(a for a, _ in takewhile(lambda pair: pair[0] is pair[1], zip(one, other, strict=False)))


class Context(NamedTuple):
    """The breadcrumb's line before a chunk."""

    line: str
    tokens: int
    shortened: Boundary | None
    least: int
    """The hardCap from which on it is in full."""


class _SealedDrafts(Memo[int, tuple[SectionDraft, int, Sealed]]):
    """By where its body begins a draft of a section that was packed in an earlier cut, the hardCap
    from which on its context is in full, and the chunk."""


_NO_CONTEXT = Context("", 0, None, 0)


class Renderer:
    """Counts and seals drafts as they will be embedded: context, kept text and closing (hi-6)."""

    def __init__(self, reading: SectionReading, tools: SplitContext, hard_cap: int, *, embed_breadcrumb: bool) -> None:
        self.document: Document = reading.document
        self.reading = reading
        self.tools = tools
        self.index = tools.index(reading.document)
        self.hard_cap = hard_cap
        self.limits = KnownLimits()
        """The values of hardCap with which what is worked out at present comes out the same."""
        self.embed_breadcrumb = embed_breadcrumb
        self._counted = once_per_counter(reading.document, tools.counter, UnitCounts)
        self._lines = once_per_counter(reading.document, tools.counter, Lines)
        self._drafts = once_per_counter(reading.document, tools.counter, _SealedDrafts)
        self._known = SealedChunks(self.document, tools, "hierarchical")
        self._all_matter = not tools.passes_over(Span(0, 1))
        self._contexts: dict[tuple[tuple[str, ...], str], Context] = {}

    @property
    def remembers(self) -> bool:
        """Whether what is found is remembered for other cuts."""
        return self._known.remembers

    def within_cap(self, tokens: int) -> bool:
        """Whether so many tokens are within hardCap."""
        return self.limits.admit(tokens, self.hard_cap)

    def last_within(self, units: Units, first: int, start: int, room: int) -> int:
        """Of the units from `first` on the last one that `room` tokens from `start` on, a part of
        hardCap, are enough for; `first - 1` where there is none."""
        few = first if self.tools.tracing else min(first + _FEW, len(units))
        before = self.hard_cap - room
        for at in range(first, few):
            if not self.within_cap(before + self.index.count(start, units[at].tail)):
                return at - 1
        if few == len(units):
            return few - 1
        self.limits.pin(self.hard_cap)
        return units.last_within(self.index, start, room, first=few)

    def tokens(self, head: ChunkHead, tail: int, path: Path, closing: str = "") -> int:
        """Exact tokens of the chunk that begins with `head` and ends at `tail`."""
        before = self.context(path, head.opening + closing).line + head.opening
        if closing:
            return self.index.count_parts([before, Span(head.lead, tail), closing])
        return self.count_after(before, head.lead, tail)

    def count_after(self, before: str, start: int, end: int) -> int:
        """Exact tokens of a text and the document from `start` to `end` behind it."""
        key = (before, start, end)
        tokens = self._counted.get(key)
        if tokens is None:
            tokens = self.index.count_after(before, start, end) if before else self.index.count(start, end)
            self._counted.keep(key, tokens)
        return tokens

    def tokens_before(self, path: Path, opening: str) -> int:
        """An estimate of the tokens of context and opening; `tokens` counts exactly."""
        return self.context(path, opening).tokens + (self.tools.count(opening) if opening else 0)

    def context(self, path: Path, wrapper: str = "") -> Context:
        """The breadcrumb's line with a blank line, and the flag `context-shortened` or None.
        Together with `wrapper`, the repeated opening and closing, it takes at most half of hardCap
        (DECISIONS all-6).
        """
        key = (path[-1].breadcrumb, wrapper)
        if self.tools.tracing and self.embed_breadcrumb:
            return self.tools.remembered(("context", *key), partial(self._context, *key))
        known = self._contexts.get(key)
        if known is None:
            known = self._contexts[key] = self._context(*key) if self.embed_breadcrumb else _NO_CONTEXT
        if known.shortened is not None:
            self.limits.pin(self.hard_cap)
        elif known.least > self.limits.least:
            self.limits.least = known.least
        return known

    def _context(self, breadcrumb: tuple[str, ...], wrapper: str) -> Context:
        count = self.tools.count
        line, tokens = self._lines.get(breadcrumb) or self._lines.keep(breadcrumb, self._full_line(breadcrumb))
        around = count(wrapper) if wrapper else 0
        limit = self.hard_cap // 2 - around
        if tokens <= limit:
            return Context(line, tokens, None, 2 * (tokens + around))
        line, _ = shorten(breadcrumb, self._line, limit, count)
        detail = (
            f"the breadcrumb has {tokens} tokens, more than half of hardCap ({self.hard_cap}), so only its end is kept"
        )
        flag = Boundary("context-shortened", detail, held=tokens, limit=self.hard_cap, settings=("hard_cap",))
        return Context(line, count(line) if line else 0, flag, 0)

    def _line(self, breadcrumb: Sequence[str]) -> str:
        return arrow(breadcrumb) + self.document.line_ending * 2

    def _full_line(self, breadcrumb: Sequence[str]) -> tuple[str, int]:
        line = self._line(breadcrumb)
        return line, self.tools.count(line)

    def breadcrumb_within_cap(self, head: ChunkHead, tail: int, *paths: Path, closing: str = "") -> Path:
        """The breadcrumb of a chunk: the first of `paths` with which the chunk is within hardCap.

        One path is not enough: `fitting.py` counts its first unit with the path of that unit alone,
        and more units with the path of all together (hi-3); and common ancestors, though shorter,
        may take more tokens than a deeper path, as counts depend on the line in front. Where none
        of `paths` fits, the sections that the chunk begins and ends in are tried; if these do not
        fit either, the first path is kept."""
        for path in paths:
            if self.within_cap(self.tokens(head, tail, path, closing)):
                return path
        for offset in (head.lead, tail - 1):
            path = self._path_at(offset)
            if self.within_cap(self.tokens(head, tail, path, closing)):
                return path
        return paths[0]

    def _path_at(self, offset: int) -> Path:
        """The section at an offset with all that are around it."""
        path = [self.document.outline]
        while inner := next((each for each in path[-1].children if each.span.contains(offset)), None):
            path.append(inner)
        return tuple(path)

    def tail_before(self, head: ChunkHead, unit: SectionUnit) -> int:
        """Where the kept text ends of a chunk that begins with `head` and ends before the unit."""
        return last_visible(self.document.text, head.lead, unit.span.start)

    def step(self, draft: SectionDraft) -> Skip | tuple[Sealed, Reason]:
        """The draft as a part; the chunk as an earlier cut sealed it where that is known."""
        if not self._all_matter and self.tools.passes_over(body := Span(draft.head.start, draft.end)):
            return Skip(body, PASSED_OVER)
        return self._sealed(draft), draft.ended_by

    def _sealed(self, draft: SectionDraft) -> Sealed:
        head, section = draft.head, draft.path[-1]
        before = self._drafts.get(head.start)
        if before is not None and before[0] is draft and before[1] <= self.hard_cap:
            return before[2]
        context, _, shortened, least = self.context(draft.path, head.opening + draft.closing)
        flags = (*draft.flags, *head.flags, *([shortened] if shortened else []))
        made_of = (
            draft.end,
            head.lead,
            draft.tail,
            context,
            head.opening,
            draft.closing,
            section.anchor,
            section.breadcrumb,
        )
        known = self._known.known(head.start, made_of) if not flags else None
        if known is not None:
            self._drafts.keep(head.start, (draft, least, known))
            return known
        sealed = self.tools.sealed(
            self.document,
            head.start,
            draft.end,
            breadcrumb=section.breadcrumb,
            kept=(head.lead, draft.tail),
            context=context + head.opening,
            closing=draft.closing,
            body_tokens=self.count_after("", head.lead, draft.tail),
            flags=flags,
            metadata={"chunk_index": 0, "anchor": section.anchor},
        )
        return sealed if flags else self._known.keep(made_of, sealed)
