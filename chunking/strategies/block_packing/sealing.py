"""The packed chunks of block-packing, sealed: with their context, what they repeat of the chunk
before, and what of their headings is left out."""

from __future__ import annotations

import math
from typing import NamedTuple

from chunking.core.chunk import END, PASSED_OVER, Boundary, Skip, kept_spans
from chunking.core.sealed import NO_OVERLAP, Metadata, Sealed
from chunking.document import Span
from chunking.splitting.blank_edges import blank, blank_edges
from chunking.splitting.breadcrumbs import arrow
from chunking.splitting.document_cache import Memo, once_per_counter
from chunking.splitting.known_limits import KnownLimits
from chunking.strategies.block_packing.lending import Lending, Lent, lent_by
from chunking.strategies.block_packing.packing import Packed, Packing, Reason, Stretch
from chunking.strategies.block_packing.unit_columns import NOT_KNOWN, RULES
from chunking.strategies.block_packing.units import BlockDraft, Path, path_of

Step = Skip | tuple[Sealed, Reason]

Ranges = tuple[float, float, float, float, float, float, float, float, float]
"""With which settings a stretch comes out as it did: a budget from the first up to but not
including the second, so the next two of minFill percent of the budget, of half the maximum and of
the reserve, and the least maximum."""
NEVER: Ranges = (math.inf, 0, 0, 0, 0, 0, 0, 0, 0)
"""Where that is not followed."""


_END = RULES.index(END.rule)


class SealedStretch(NamedTuple):
    """The chunks from a block that begins one up to the next block that begins one."""

    steps: list[Step]
    following: int | None
    """The number of that block; None after the last one."""
    end: int
    """Where the last of their bodies ends."""
    lent: Lent | None
    """What the last of them may lend."""
    path: Path
    """Of the first of them."""
    ranges: Ranges
    foreseen: int
    """As `Stretch.foreseen`."""


class _Known(NamedTuple):
    """A stretch, and of what it was made."""

    sealed: SealedStretch
    first: Span
    """The first body."""
    before: Lent | None
    scope: str


class _SealedStretches(Memo[tuple[int, bool], _Known]):
    """The stretch sealed last from each block, with and without headings."""


class Sealing:
    """The chunks of one cut, a stretch at a time: as an earlier cut sealed it where that is
    known."""

    def __init__(self, packing: Packing) -> None:
        self._packing = packing
        self._document = packing.document
        self._tools = packing.tools
        self._maximum = packing.maximum
        self._fill = packing.strategy.min_fill * packing.budget
        self._scope = packing.strategy.overlap_scope
        self.lending = Lending(packing)
        self._known = once_per_counter(self._document, self._tools.counter, _SealedStretches)
        self.before: Lent | None = None
        """What the last chunk so far may lend."""
        self._reserve, self._least_maximum = KnownLimits(), 0.0
        """With which reserves, and from which maximum on, the stretch that is being sealed is the
        same; math.inf where that is not followed."""

    def stretch_from(self, number: int, start: int) -> SealedStretch:
        """The chunks of the stretch from the block of this number on, behind what was `before`."""
        if not self._packing.remembers:
            return self._sealed(self._packing.stretch_from(number), start)
        known = self._known.get((number, self._packing.include_headings))
        if (
            known is not None
            and self.stands_behind(known.before, known.sealed)
            and known.scope == self._scope
            and self._hold(known.sealed.ranges)
            and self._is_foreseen(number, known.sealed)
            and not self._tools.passes_over(known.first)
        ):
            self.before = known.sealed.lent
            return known.sealed
        return self._sealed_to_remember(number, start)

    def stands_behind(self, before: Lent | None, stretch: SealedStretch) -> bool:
        """Whether a stretch that was sealed behind this is the same behind what is `before` now."""
        return self.lending.alike(before, self.before, stretch.path)

    def _hold(self, ranges: Ranges) -> bool:
        budget, reserve, maximum = self._packing.budget, self._packing.reserve, self._maximum
        b_0, b_1, f_0, f_1, h_0, h_1, r_0, r_1, least = ranges
        return (
            b_0 <= budget < b_1
            and r_0 <= reserve < r_1
            and h_0 <= maximum // 2 < h_1
            and f_0 <= self._fill < f_1
            and least <= maximum
        )

    def _is_foreseen(self, number: int, stretch: SealedStretch) -> bool:
        """Whether sums of tokens say of a stretch from this block what they said, if anything."""
        following, rule = self._packing.foreseen(number)
        return rule == stretch.foreseen and (rule in (NOT_KNOWN, _END) or following == stretch.following)

    def _sealed_to_remember(self, number: int, start: int) -> SealedStretch:
        before, stretch = self.before, self._packing.stretch_from(number)
        budget, fill, half = stretch.budget, stretch.fill, KnownLimits()
        self._packing.lines.half, self._reserve, self._least_maximum = half, KnownLimits(), 0.0
        sealed = self._sealed(stretch, start)
        if stretch.packed and self._least_maximum < math.inf:
            half.also(stretch.half)
            reserve, least = self._reserve, self._least_maximum
            limits = budget.least, budget.below, fill.least, fill.below, half.least, half.below
            sealed = SealedStretch(*sealed[:5], (*limits, reserve.least, reserve.below, least), sealed.foreseen)
            known = _Known(sealed, Span(start, stretch.packed[0].end), before, self._scope)
            self._known.keep((number, self._packing.include_headings), known)
        return sealed

    def _sealed(self, stretch: Stretch, start: int) -> SealedStretch:
        steps: list[Step] = []
        for packed in stretch.packed:
            steps.append(self._step(packed, start))
            start = packed.end
        path = stretch.packed[0].draft.path if stretch.packed else ()
        return SealedStretch(steps, stretch.following, start, self.before, path, NEVER, stretch.foreseen)

    def _step(self, packed: Packed, start: int) -> Step:
        draft, end, reason = packed
        if self._tools.passes_over(body := Span(start, end)):
            self.before, self._least_maximum = None if self._tools.boundaries_only else lent_by(draft), math.inf
            return Skip(body, PASSED_OVER)
        context = self._packing.lines.of(draft.context_path)
        with self._tools.untraced():  # what is repeated, and what is said of it, moves no boundary
            place, limits, together = self.lending.overlap(self.before, draft, context.text)
            flags = context.flags + self._unsplittable(draft, context.text, place)
        if flags or limits is None:
            self._least_maximum = math.inf
        else:
            self._reserve.also(limits)
            self._least_maximum = max(self._least_maximum, together, draft.tokens + max(0, limits.least))
        self.before = lent_by(draft)
        sealed = self._tools.sealed(
            self._document,
            start,
            end,
            breadcrumb=(self._document.base_name, *self._section_path(draft)),
            kept=None if draft.inside else (draft.kept_start, draft.end),
            holes=self._holes(start, draft, end),
            overlap=place,
            context=context.text,
            flags=flags,
            metadata=self.metadata(draft.context_path, place),
            body_tokens=draft.tokens,
            context_tokens=None if context.flags else context.tokens,
        )
        return sealed, reason

    def metadata(self, path: Path, overlap: tuple[int, int]) -> Metadata:
        """Of a chunk whose context says this path."""
        return {
            "chunk_index": 0,
            "section_path": arrow(path),
            "overlap_tokens": self._packing.index.count(*overlap) if overlap != NO_OVERLAP else 0,
        }

    def _holes(self, start: int, draft: BlockDraft, end: int) -> tuple[Skip, ...] | None:
        """What is left out of the body; None where that is white space at its edges."""
        if draft.inside:
            return blank_edges(self._document, Span(start, end), (*draft.leading, *draft.inside))
        return around((start, end), draft.leading, (draft.kept_start, draft.end))

    def _section_path(self, draft: BlockDraft) -> Path:
        """The section path of a chunk: of the heading that its text begins with, else what its
        context says.

        Source: docs/formats/json-lines.md.
        """
        if not draft.begins_with_heading:
            return draft.context_path
        first = self._packing.reading.block_at(draft.kept_start)
        return path_of(first, self._packing.reading) if first.kind == "heading" else draft.context_path

    def _unsplittable(self, draft: BlockDraft, context: str, overlap: tuple[int, int]) -> tuple[Boundary, ...]:
        """The flag of a chunk over the maximum, which has a block that is kept whole."""
        counted, maximum = draft.tokens, self._maximum
        if self._packing.strategy.count_context:
            kept = kept_spans(Span(draft.kept_start, draft.end), draft.inside)
            counted = self._packing.index.count_parts([context, Span(*overlap), *kept])
        if counted <= maximum:
            return ()
        kind = "heading" if draft.only_headings else self._packing.reading.block_at(draft.kept_start).kind
        detail = f"the chunk has {counted} tokens, more than maxTokens ({maximum}), because its {kind} is kept whole"
        return (Boundary("unsplittable", detail, counted, None, maximum, ("max_tokens",)),)


def around(body: tuple[int, int], leading: tuple[Skip, ...], kept: tuple[int, int]) -> tuple[Skip, ...] | None:
    """The holes of a body that is `kept` in one stretch, behind headings that are left out; None
    where no heading is."""
    if not leading:
        return None
    before, between = blank(body[0], leading[0].body.start), blank(leading[-1].body.end, kept[0])
    return before + leading + between + blank(kept[1], body[1])
