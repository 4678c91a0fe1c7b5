"""What a chunk of block-packing repeats of the chunk before: its last whole sentences."""

from __future__ import annotations

from typing import NamedTuple

from chunking.core.chunk import kept_spans
from chunking.core.sealed import NO_OVERLAP
from chunking.document import Span
from chunking.splitting.document_cache import Memo, once_per_counter
from chunking.splitting.known_limits import KnownLimits
from chunking.splitting.overlap import last_sentences, with_blanks_after
from chunking.splitting.sealed_chunks import SealedChunks
from chunking.strategies.block_packing.packing import Packing
from chunking.strategies.block_packing.units import BlockDraft, Path


class Lent(NamedTuple):
    """What a chunk may lend to the one after it: the last stretch of its kept text."""

    start: int
    end: int
    path: Path


def lent_by(draft: BlockDraft) -> Lent:
    """What the chunk of this draft may lend."""
    return Lent(draft.inside[-1].body.end if draft.inside else draft.kept_start, draft.end, draft.path)


class Overlap(NamedTuple):
    """What is repeated, and with which limits it is the same."""

    place: tuple[int, int]
    limits: KnownLimits | None
    """None where more depends on the maximum."""
    together: int
    """The tokens of it and the text."""


NOTHING = Overlap(NO_OVERLAP, KnownLimits(), 0)


class _Overlaps(Memo[tuple[int, int, int, int, int, bool], Overlap]):
    """By what a chunk may lend, by where the one after it begins, is kept from and ends, and by
    whether headings within it are kept."""


class Lending:
    """What the chunks of one cut repeat."""

    def __init__(self, packing: Packing) -> None:
        self._packing = packing
        self._document = packing.document
        self._tools = packing.tools
        self._index = packing.index
        self._scope = packing.strategy.overlap_scope
        self._count_context = packing.strategy.count_context
        self._known = once_per_counter(self._document, self._tools.counter, _Overlaps)
        self._again = SealedChunks(self._document, self._tools, "what block-packing repeats").remembers

    def overlap(self, before: Lent | None, draft: BlockDraft, context: str) -> Overlap:
        """Whole sentences of the chunk before, at most the reserve, and the whole within the
        maximum (bp-0, bp-4)."""
        if before is None or self._tools.boundaries_only or not self.related(before.path, draft.path):
            return NOTHING
        return self.repeated(before, draft, context)

    def repeated(self, before: Lent, draft: BlockDraft, context: str) -> Overlap:
        """As `overlap`, of a chunk that may lend."""
        maximum, place = self._packing.maximum, (draft.begin, draft.kept_start, draft.end)
        key = (before.start, before.end, *place, self._packing.include_headings)
        if self._packing.remembers and (known := self._known.get(key)) and known.limits:
            limit = min(self._packing.reserve, maximum - draft.tokens)
            if known.limits.hold(limit) and known.together <= maximum:
                return known
        kept = kept_spans(Span(draft.kept_start, draft.end), draft.inside)
        in_front = [context] if self._count_context else []
        counted = self._index.count_parts([*in_front, *kept]) if in_front else draft.tokens
        limit = min(self._packing.reserve, maximum - counted)
        if not self._packing.remembers:
            return self._that_fits(before, draft, in_front, kept, limit)
        limits = KnownLimits()
        found = last_sentences(
            self._document, Span(before.start, before.end), limit, self._tools, limits, again=self._again
        )
        overlap = with_blanks_after(self._document, found, draft.begin)
        if overlap is None:
            return self._known.keep(key, Overlap(NO_OVERLAP, limits, 0))
        together = self._index.count_parts([overlap, *kept])
        if together > maximum:
            return self._that_fits(before, draft, in_front, kept, limit)
        return self._known.keep(key, Overlap((overlap.start, overlap.end), limits, together))

    def _that_fits(self, before: Lent, draft: BlockDraft, in_front: list[str], kept: list[Span], limit: int) -> Overlap:
        """The most sentences within the limit with which the whole is within the maximum."""
        while True:
            found = last_sentences(self._document, Span(before.start, before.end), limit, self._tools)
            overlap = with_blanks_after(self._document, found, draft.begin)
            if found is None or overlap is None:
                return Overlap(NO_OVERLAP, None, 0)
            together = self._index.count_parts([*in_front, overlap, *kept])
            if together <= self._packing.maximum:
                return Overlap((overlap.start, overlap.end), None, together)
            limit = self._index.count(found.start, found.end) - 1

    def alike(self, one: Lent | None, other: Lent | None, path: Path) -> bool:
        """Whether it makes no difference to a chunk of this path which of the two is before it."""
        if one is other or one == other:
            return True
        return not any(lent and self.related(lent.path, path) for lent in (one, other))

    def related(self, before: Path, path: Path) -> bool:
        """Whether a chunk of the one path may lend to a chunk of the other, by overlapScope
        (bp-4)."""
        if self._scope == "anywhere":
            return True
        if self._scope == "top-level":
            return bool(before) and bool(path) and before[0] == path[0]
        shared = min(len(before), len(path))
        if len(before) == len(path):
            return before == path
        return shared > 0 and before[:shared] == path[:shared]
