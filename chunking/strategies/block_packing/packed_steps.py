"""The parts of block-packing one by one, or all at once: then a cut takes over from the one before
it what stays the same, which is most of it while a threshold moves."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import accumulate

import numpy as np
import numpy.typing as npt

from chunking.core.chunk import PASSED_OVER, Skip, front_matter
from chunking.core.chunk_table import Numbers
from chunking.core.cut_parts import WIDTH, ListedColumns, StepsInColumns
from chunking.core.sealed import Sealed
from chunking.document import Span
from chunking.splitting.blank_edges import blank, is_blank
from chunking.splitting.document_cache import once_per_counter
from chunking.strategies.block_packing.lending import Lent
from chunking.strategies.block_packing.meeting import first_that_matters
from chunking.strategies.block_packing.packing import Packing, Reason
from chunking.strategies.block_packing.sealing import NEVER, SealedStretch, Sealing, Step
from chunking.strategies.block_packing.unit_columns import NOT_KNOWN, Ends
from chunking.strategies.block_packing.units import LEFT_OUT


@dataclass(frozen=True)
class _Cut:
    """A whole cut, in columns and lists that do not change: threads share it."""

    rules: tuple[bool, str]
    """The settings for which it is: whether headings are included, and the overlap's scope."""
    stretches: list[SealedStretch]
    blocks: list[int]
    """The number of the block from which each stretch is."""
    counts: list[int]
    """How many chunks each has."""
    first: list[int]
    """The number of the first of them, and last the number of all chunks."""
    ranges: npt.NDArray[np.float64]
    """`SealedStretch.ranges` of each, a row for each number of these."""
    foreseen: Numbers
    """`SealedStretch.foreseen` and `following` of each, a row for either; in place of None how many
    blocks there are."""
    sealed: list[Sealed]
    reasons: list[Reason]
    numbers: Numbers
    """Of the chunks, as `SealedColumns.numbers`."""

    def behind(self, at: int) -> tuple[Lent | None, SealedStretch]:
        """What the chunk before a stretch may lend, and the stretch."""
        return self.stretches[at - 1].lent if at else None, self.stretches[at]

    def changed(self, sizes: tuple[int, ...], ends: Ends | None) -> list[int]:
        """Which of the stretches may come out otherwise, and last how many there are. `ends` are
        those for these sizes."""
        budget, fill, half, reserve, maximum = sizes
        b_0, b_1, f_0, f_1, h_0, h_1, r_0, r_1, least = self.ranges
        holds = (b_0 <= budget) & (budget < b_1) & (f_0 <= fill) & (fill < f_1) & (least <= maximum)
        holds &= (h_0 <= half) & (half < h_1) & (r_0 <= reserve) & (reserve < r_1)
        rules, following = self.foreseen
        if ends is not None:
            blocks = np.array(self.blocks, np.int64)
            holds &= (rules == ends.rules[blocks]) & ((rules == NOT_KNOWN) | (following == ends.following[blocks]))
        return [*np.flatnonzero(~holds).tolist(), len(self.stretches)]


class _Last:
    """What the cuts of a document share."""

    def __init__(self) -> None:
        self.was_cut = False
        self.cut: _Cut | None = None
        """The last one; none before the second, as most documents are cut once."""


class _Sealed(ListedColumns):
    """Chunks whose numbers are known."""

    def __init__(self, cut: _Cut) -> None:
        super().__init__(cut.sealed)
        self._numbers = cut.numbers

    @property
    def numbers(self) -> tuple[Numbers, ...]:
        """As SealedColumns.numbers."""
        return tuple(self._numbers)


class PackedSteps(StepsInColumns[Reason]):
    """The chunks of one cut, and what is left out."""

    def __init__(self, packing: Packing) -> None:
        self._packing = packing
        self._document = packing.document
        self._end = len(packing.document.text)
        self._last = once_per_counter(packing.document, packing.tools.counter, _Last)

    @property
    def takes_over(self) -> bool:
        """Whether it is of use to find all parts at once: the document was cut before, and all of
        it is asked for."""
        packing = self._packing
        if not packing.remembers or packing.tools.passes_over(Span(0, 1)):
            return False
        again, self._last.was_cut = self._last.was_cut, True
        return again and not self._is_empty()

    def _is_empty(self) -> bool:
        return is_blank(self._document, Span(self._document.content_start, self._end))

    def __iter__(self) -> Iterator[Step]:
        start = yield from front_matter(self._document)
        if self._is_empty():
            yield from blank(start, self._end)
            return
        packing, sealing = self._packing, Sealing(self._packing)
        following: int | None = first_that_matters(packing)
        if following:
            reached = packing.blocks[following].begin
            yield Skip(Span(start, reached), PASSED_OVER)
            start = reached
        while following is not None:
            stretch = sealing.stretch_from(following, start)
            yield from stretch.steps
            following, start = stretch.following, stretch.end
        if start < self._end:
            yield Skip(Span(start, self._end), LEFT_OUT)

    def all_at_once(self) -> tuple[_Sealed, list[Reason], list[tuple[int, Skip]]]:
        """As StepsInColumns.all_at_once."""
        rules = self._packing.include_headings, self._packing.strategy.overlap_scope
        last = self._last.cut if self._last.cut and self._last.cut.rules == rules else _nothing(rules)
        skips = [(0, skip) for skip in front_matter(self._document)]
        cut, end = self._next(last, self._document.content_start)
        if end < self._end:
            skips.append((len(cut.sealed), Skip(Span(end, self._end), LEFT_OUT)))
        self._last.cut = cut
        return _Sealed(cut), cut.reasons, skips

    def _next(self, last: _Cut, start: int) -> tuple[_Cut, int]:
        """The cut, and where its last body ends; `start` is where the first one begins."""
        sealing = Sealing(self._packing)
        changed = last.changed(sealing.sizes, self._packing.ends)
        stretches, blocks, counts = list[SealedStretch](), list[int](), list[int]()
        sealed, reasons = list[Sealed](), list[Reason]()
        taken, own = list[tuple[int, int, int]](), list[int]()
        number: int | None = 0
        at = 0
        while number is not None:
            at = bisect_left(last.blocks, number, at)
            until = changed[bisect_left(changed, at)]
            # In front of the first that is taken over stands what stood there; so of all others.
            if at < until and last.blocks[at] == number and sealing.stands_behind(*last.behind(at)):
                taken.append((at, until, len(stretches)))
                stretches += last.stretches[at:until]
                blocks += last.blocks[at:until]
                counts += last.counts[at:until]
                sealed += last.sealed[last.first[at] : last.first[until]]
                reasons += last.reasons[last.first[at] : last.first[until]]
                at, sealing.before = until, stretches[-1].lent
            else:
                own.append(len(stretches))
                stretch = sealing.stretch_from(number, start)
                chunks = [step for step in stretch.steps if not isinstance(step, Skip)]
                stretches.append(stretch)
                blocks.append(number)
                counts.append(len(chunks))
                sealed += [each for each, _ in chunks]
                reasons += [reason for _, reason in chunks]
            number, start = stretches[-1].following, stretches[-1].end
        first = [0, *accumulate(counts)]
        ranges, numbers = np.empty((len(NEVER), len(stretches))), np.empty((WIDTH, len(sealed)), np.int64)
        foreseen, every = np.empty((2, len(stretches)), np.int64), len(self._packing.blocks)
        for at, until, here in taken:
            beyond = here + until - at
            ranges[:, here:beyond] = last.ranges[:, at:until]
            foreseen[:, here:beyond] = last.foreseen[:, at:until]
            numbers[:, first[here] : first[beyond]] = last.numbers[:, last.first[at] : last.first[until]]
        if own:
            ranges[:, own] = np.array([stretches[each].ranges for each in own]).T
            of = [stretches[each].following for each in own]
            foreseen[0, own] = [stretches[each].foreseen for each in own]
            foreseen[1, own] = [every if number is None else number for number in of]
            rows = [row for each in own for row in range(first[each], first[each + 1])]
            numbers[:, rows] = ListedColumns([sealed[row] for row in rows]).numbers
        return _Cut(
            rules=last.rules,
            stretches=stretches,
            blocks=blocks,
            counts=counts,
            first=first,
            ranges=ranges,
            foreseen=foreseen,
            sealed=sealed,
            reasons=reasons,
            numbers=numbers,
        ), start


def _nothing(rules: tuple[bool, str]) -> _Cut:
    """Of a document that was not cut by these rules."""
    numbers = np.empty((WIDTH, 0), np.int64)
    return _Cut(rules, [], [], [], [0], np.empty((len(NEVER), 0)), np.empty((2, 0), np.int64), [], [], numbers)
