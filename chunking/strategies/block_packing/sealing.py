"""The packed chunks of block-packing, sealed: with their context, what they repeat of the chunk
before, and what of their headings is left out."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import NamedTuple

from chunking.core.chunk import PASSED_OVER, Boundary, Skip, kept_spans
from chunking.core.sealed import Sealed
from chunking.document import Span
from chunking.splitting.blank_edges import blank, blank_edges
from chunking.splitting.breadcrumbs import arrow
from chunking.splitting.document_cache import Memo, once_per_counter
from chunking.splitting.known_limits import KnownLimits
from chunking.strategies.block_packing.lending import Lending, Lent, lent_by
from chunking.strategies.block_packing.packing import Packed, Packing, Reason, Stretch
from chunking.strategies.block_packing.units import BlockDraft, Path, path_of

Step = Skip | tuple[Sealed, Reason]
_Range = tuple[float, float]
"""From the one up to but not including the other."""


class SealedStretch(NamedTuple):
    """The chunks from a block that begins one up to the next block that begins one."""

    steps: list[Step]
    following: int | None
    """The number of that block; None after the last one."""
    end: int
    """Where the last of their bodies ends."""
    lent: Lent | None
    """What the last of them may lend."""


class _Known(NamedTuple):
    """A stretch, of what it was made, and with which settings it comes out as it did."""

    sealed: SealedStretch
    first: Span
    """The first body."""
    before: Lent | None
    scope: str
    budget: _Range
    fill: _Range
    half: _Range
    reserve: _Range
    maximum: float
    """The least."""


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
        self._lending = Lending(packing)
        self._known = once_per_counter(self._document, self._tools.counter, _SealedStretches)
        self._before: Lent | None = None
        self._reserve, self._least_maximum = KnownLimits(), 0.0
        """With which reserves, and from which maximum on, the stretch that is being sealed is the
        same; math.inf where that is not followed."""

    def stretches(self, number: int | None, start: int) -> Iterator[SealedStretch]:
        """All chunks from the block of this number on, whose first body begins at `start`."""
        if not self._packing.remembers:
            while number is not None:
                sealed = self._sealed(self._packing.stretch_from(number), start)
                number, start = sealed.following, sealed.end
                yield sealed
            return
        headings, known_from, passes_over = self._packing.include_headings, self._known.get, self._tools.passes_over
        packing, scope, maximum, fill = self._packing, self._scope, self._maximum, self._fill
        budget, reserve, half = packing.budget, packing.reserve, maximum // 2
        while number is not None:
            known = known_from(key := (number, headings))
            # Nearly all are known while a threshold moves: asked for each in a function of its own,
            # or by the names of its parts, this would take a third longer.
            if known is not None:
                sealed, first, before, of_scope, (b_0, b_1), (f_0, f_1), (h_0, h_1), (r_0, r_1), least = known
                if (
                    b_0 <= budget < b_1
                    and r_0 <= reserve < r_1
                    and (before is self._before or before == self._before)
                    and h_0 <= half < h_1
                    and f_0 <= fill < f_1
                    and least <= maximum
                    and of_scope == scope
                    and not passes_over(first)
                ):
                    number, start, self._before = sealed.following, sealed.end, sealed.lent
                    yield sealed
                    continue
            sealed = self._sealed_to_remember(key, start)
            number, start = sealed.following, sealed.end
            yield sealed

    def _sealed_to_remember(self, key: tuple[int, bool], start: int) -> SealedStretch:
        before, stretch = self._before, self._packing.stretch_from(key[0])
        budget, fill, half = stretch.budget, stretch.fill, KnownLimits()
        self._packing.lines.half, self._reserve, self._least_maximum = half, KnownLimits(), 0.0
        sealed = self._sealed(stretch, start)
        if stretch.packed and self._least_maximum < math.inf:
            known = _Known(
                sealed,
                Span(start, stretch.packed[0].end),
                before,
                self._scope,
                (budget.least, budget.below),
                (fill.least, fill.below),
                (max(half.least, stretch.half.least), min(half.below, stretch.half.below)),
                (self._reserve.least, self._reserve.below),
                self._least_maximum,
            )
            self._known.keep(key, known)
        return sealed

    def _sealed(self, stretch: Stretch, start: int) -> SealedStretch:
        steps: list[Step] = []
        for packed in stretch.packed:
            steps.append(self._step(packed, start))
            start = packed.end
        return SealedStretch(steps, stretch.following, start, self._before)

    def _step(self, packed: Packed, start: int) -> Step:
        draft, end, reason = packed
        if self._tools.passes_over(body := Span(start, end)):
            self._before, self._least_maximum = None if self._tools.boundaries_only else lent_by(draft), math.inf
            return Skip(body, PASSED_OVER)
        context = self._packing.lines.of(draft.context_path)
        with self._tools.untraced():  # what is repeated, and what is said of it, moves no boundary
            place, limits, together = self._lending.overlap(self._before, draft, context.text)
            flags = (*context.flags, *self._unsplittable(draft, context.text, place))
        if flags or limits is None:
            self._least_maximum = math.inf
        else:
            self._reserve.also(limits)
            self._least_maximum = max(self._least_maximum, together, draft.tokens + max(0, limits.least))
        self._before = lent_by(draft)
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
            metadata={
                "chunk_index": 0,
                "section_path": arrow(draft.context_path),
                "overlap_tokens": self._packing.index.count(*place),
            },
            body_tokens=draft.tokens,
            context_tokens=None if context.flags else context.tokens,
        )
        return sealed, reason

    def _holes(self, start: int, draft: BlockDraft, end: int) -> tuple[Skip, ...] | None:
        """What is left out of the body; None where that is white space at its edges."""
        left_out = draft.leading
        if draft.inside:
            return blank_edges(self._document, Span(start, end), (*left_out, *draft.inside))
        if not left_out:
            return None
        edges = blank(start, draft.begin), blank(left_out[-1].body.end, draft.kept_start), blank(draft.end, end)
        return (*edges[0], *left_out, *edges[1], *edges[2])

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
