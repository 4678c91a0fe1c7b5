"""Lengths of spans in characters or in tokens: the farthest offset within a length, and a limit in
either unit. Offsets that are returned are boundaries of grapheme clusters."""

from __future__ import annotations

from array import array
from bisect import bisect_right
from collections.abc import Sequence
from operator import sub
from typing import Literal, Protocol

import numpy as np

from chunking.core.context import SplitContext
from chunking.core.strategy import Limits
from chunking.document import Document
from chunking.splitting.known_limits import KnownLimits
from chunking.text.graphemes import grapheme_ceiling, grapheme_floor

Unit = Literal["characters", "tokens"]


class Lengths(Protocol):
    """Lengths of spans of one document, in one unit. `low` must be a cluster boundary."""

    def length(self, start: int, end: int) -> int:
        """The length of the span."""

    def lengths(self, starts: Sequence[int], ends: Sequence[int]) -> array[int]:
        """`length` of each of the spans; 0 or less of what is empty."""

    def farthest(self, start: int, low: int, limit: int) -> int:
        """The last cluster boundary up to which a span from `start` is within `limit`; `low` if
        none is."""

    def farthest_back(self, end: int, low: int, limit: int) -> int:
        """The first cluster boundary, from `low` on, from which a span to `end` is within `limit`;
        else `end`."""

    def last_within(self, start: int, ends: Sequence[int], limit: int, first: int, known: KnownLimits) -> int:
        """Up to which of the ascending `ends`, as an index from `first` on, a span from `start` is
        within `limit`, one after the other; `first` where the next one is not. `known` is narrowed
        to the limits with the same answer."""


def lengths_in(document: Document, unit: Unit, tools: SplitContext) -> Lengths:
    """The length functions of a document in a unit."""
    return CharacterLengths(document) if unit == "characters" else TokenLengths(document, tools)


def hard_limit(size: int, setting: str, unit: Unit) -> Limits:
    """A hard limit for the whole text of a chunk, from a setting: in characters nothing is promised
    of tokens."""
    if unit == "characters":
        return Limits(maximum_characters=size, maximum_characters_setting=setting)
    return Limits(maximum=size, maximum_setting=setting, counts="text")


class CharacterLengths:
    """Lengths in code points."""

    def __init__(self, document: Document) -> None:
        self._text = document.text

    def length(self, start: int, end: int) -> int:
        return end - start

    def lengths(self, starts: Sequence[int], ends: Sequence[int]) -> array[int]:
        return array("q", map(sub, ends, starts))

    def farthest(self, start: int, low: int, limit: int) -> int:
        return grapheme_floor(self._text, max(low, start + int(limit)), low)

    def farthest_back(self, end: int, low: int, limit: int) -> int:
        return min(end, grapheme_ceiling(self._text, max(low, end - int(limit)), low))

    def last_within(self, start: int, ends: Sequence[int], limit: int, first: int, known: KnownLimits) -> int:
        last = bisect_right(ends, start + limit, first + 1) - 1
        for end in ends[max(last, first + 1) : last + 2]:
            known.admit(end - start, limit)
        return last


class TokenLengths:
    """Exact lengths in tokens of the run's counter. The farthest offset is found by doubling a
    step, then halving: few counts, each of a short span."""

    def __init__(self, document: Document, tools: SplitContext) -> None:
        self._text = document.text
        self._index = tools.index(document)

    def length(self, start: int, end: int) -> int:
        return self._index.count(start, end)

    def lengths(self, starts: Sequence[int], ends: Sequence[int]) -> array[int]:
        return array("q", self._index.counts(np.array(starts), np.array(ends)).tobytes())

    def farthest(self, start: int, low: int, limit: int) -> int:
        good, step, last = low, 4 * int(limit) + 1, len(self._text)
        over = min(last, good + step)
        while good < last and self._index.count(start, over) <= limit:
            good, step = over, step * 2
            over = min(last, good + step)
        good = self._index.halve_to_end(start, good, over, limit)
        end = grapheme_floor(self._text, good, low)
        # Counts need not grow with the stretch: what is returned is known to be within the limit.
        while low < end != good and self._index.count(start, end) > limit:
            end = grapheme_floor(self._text, end - 1, low)
        if end == low < last:
            # Half a character may count more than all of it, so that halving passed it by.
            whole = grapheme_ceiling(self._text, low + 1, low)
            return whole if self._index.count(start, whole) <= limit else low
        return end

    def farthest_back(self, end: int, low: int, limit: int) -> int:
        return self.looked_back(end, low, limit)[0]

    def looked_back(self, end: int, low: int, limit: int) -> tuple[int, int]:
        """`farthest_back`, and how far back was looked: from any `low` up to there it is the
        same, unless that is `low` itself."""
        good, step = end, 4 * int(limit) + 1
        over = max(low, good - step)
        while good > low and self._index.count(over, end) <= limit:
            good, step = over, step * 2
            over = max(low, good - step)
        good = self._index.halve_to_start(end, good, over, limit)
        start = min(end, grapheme_ceiling(self._text, good, low))
        while good != start < end and self._index.count(start, end) > limit:
            start = min(end, grapheme_ceiling(self._text, start + 1, low))
        return start, over

    def bound_from(self, start: int) -> tuple[int, int]:
        """As TokenIndex.bound_from."""
        return self._index.bound_from(start)

    def last_within(self, start: int, ends: Sequence[int], limit: int, first: int, known: KnownLimits) -> int:
        last = first
        while last + 1 < len(ends) and (
            ends[last + 1] == ends[last] or known.admit(self._index.count(start, ends[last + 1]), limit)
        ):
            last += 1
        return last
