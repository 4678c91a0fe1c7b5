"""Exact token counts of any span of a text after one pass over it, so that re-cutting is fast.

`TokenIndex` serves any counter: it counts slices and caches the counts. `SummingIndex` is the base
of those with prefix sums: bpe_index.py, heuristic_index.py and tokenizer_index.py. `token_index` in
registry.py chooses one.
"""

from __future__ import annotations

from abc import abstractmethod
from array import array
from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterator, Sequence
from itertools import chain

import numpy as np
import numpy.typing as npt

from chunking.text.spans import Span, join_touching
from chunking.tracing import is_traced, plain, stays_between

Offsets = npt.NDArray[np.int64]
Flags = npt.NDArray[np.bool_]

_MAX_SLICES = 1 << 18
"""Maximum counts of slices in one index's cache, which is then emptied."""
_WINDOW = 64
"""How many stops `last_within` examines at once in its first step."""
_FEW = 512
"""Stops of which all levels are computed in about the time of `_WINDOW`."""
_MAX_STOPS = 1 << 21
"""Maximum stops, over all arrays, whose levels are in one index's cache, which is then emptied."""
UNSURE = 1 << 40
"""The level (see `SummingIndex`) of a stop whose span must be counted instead."""
_ARRAY_COST = 32
"""The fixed cost of a cached array, expressed as a number of stops."""


class TokenIndex:
    """Counts spans of a text by any counter: each slice is counted once and remembered."""

    def __init__(self, text: str, counter: Callable[[str], int]) -> None:
        self.text = text
        self.counter = counter
        self._counted: dict[tuple[int, int], int] = {}

    def count(self, start: int, end: int) -> int:
        """Tokens of `text[start:end]`, equal to the counter's result."""
        return self._count_slice(start, end) if start < end else 0

    def counts(self, starts: Offsets, ends: Offsets) -> Offsets:
        """`count` of each of the spans."""
        counts = map(self.count, starts.tolist(), ends.tolist())
        return np.fromiter(counts, np.int64, len(starts))

    def exceeds(self, start: int, end: int, limit: int) -> bool:
        """Whether `text[start:end]` has more than `limit` tokens."""
        return self.count(start, end) > limit

    def count_to_compare(self, start: int, end: int, limit: int) -> int:  # noqa: ARG002
        """The tokens of `text[start:end]`; where these are over the limit and counting would take
        long, a smaller number that is over it too."""
        return self.count(start, end)

    def halve_to_end(self, start: int, good: int, over: int, limit: int) -> int:
        """Where a span from `start` ends that is within `limit` tokens, found by halving what is
        between `good`, which is within it or where none is looked for, and `over`, which is not."""
        while over - good > 1:
            middle = (good + over) // 2
            good, over = (middle, over) if self.count(start, middle) <= limit else (good, middle)
        return good

    def halve_to_start(self, end: int, good: int, over: int, limit: int) -> int:
        """Where a span up to `end` begins, as `halve_to_end`; `over` is before `good`."""
        while good - over > 1:
            middle = (good + over) // 2
            good, over = (middle, over) if self.count(middle, end) <= limit else (good, middle)
        return good

    def count_quickly(self, start: int, end: int) -> int:
        """`count` for a message. Where counting would take long, the tokens of the whole text that
        begin in the span."""
        return self.count(start, end)

    def count_parts(self, parts: Sequence[str | Span]) -> int:
        """Tokens of the concatenation of strings and spans of the text, equal to the counter's
        result."""
        joined = join_touching(parts)
        if len(joined) == 1 and isinstance(joined[0], Span):
            return self.count(joined[0].start, joined[0].end)
        return self._count_joined(joined) if joined else 0

    def tokens_before(self, offset: int) -> int:
        """How many tokens of the whole text begin before an offset.

        Differences of these numbers add up over adjacent spans, which counts of spans may not.
        """
        return self.count(0, offset)

    def sums_at(self, stops: Offsets) -> Offsets | None:  # noqa: ARG002
        """For each of the stops, which ascend, a number: the tokens between any two of them are the
        difference of their numbers. None where that is not so, or not known."""
        return None

    def sums_at_most(self, stops: Offsets) -> Offsets | None:  # noqa: ARG002
        """For each of the stops a number that, less that of an offset in `sums_at`, is at least the
        tokens from there up to the stop. None where none is known."""
        return None

    def sums_around(self, starts: Offsets, ends: Offsets) -> tuple[Offsets, Offsets, Flags] | None:  # noqa: ARG002
        """For each of the starts a number, for each of the ends another one, and of each start
        whether it is sure: then the tokens from it up to any end behind it are the difference. At
        either edge of such a span is a visible character. None where no such numbers are known, or
        a token may have less than a byte."""
        return None

    def bounds_at(self, stops: Offsets) -> tuple[Offsets, Offsets] | None:  # noqa: ARG002
        """For each of the stops, which ascend, two numbers. Less that of an offset before them
        (`bound_from`), up to the stop and all behind it are at least so many tokens as the first
        one says, and up to it and all before it at most as many as the second. None where none are
        known."""
        return None

    def bound_from(self, start: int) -> tuple[int, int]:
        """The number of an offset for `bounds_at`, and from which offset on it is good; what says
        of a stop that at least so many tokens are before it is good above four for each character
        up to there."""
        return 0, start

    def next_firm(self, start: int, end: int) -> int:  # noqa: ARG002
        """An offset from `start` to `end`: what is counted from any offset before it, up to `end`,
        has at least one token more than what is counted from it."""
        return start

    def last_over(self, low: int, end: int, limit: int) -> int:  # noqa: ARG002
        """An offset from `low` on: what is counted up to `end`, from it and from any offset before
        it, is over the limit; the last one of which that is known, -1 where none is."""
        return -1

    def adds_up(self, before: str, start: int) -> bool:  # noqa: ARG002
        """Whether a string in front of what is counted from `start` on adds its own tokens,
        wherever that ends; False where it is not known."""
        return False

    def count_behind(self, before: str, tokens: int, parts: Sequence[str | Span]) -> int:  # noqa: ARG002
        """Tokens of a string, which has so many, followed by the parts: `count_parts` of all."""
        return self.count_parts([before, *parts])

    def count_after(
        self,
        before: str,
        start: int,
        end: int,
        inside: int | None = None,
        outside: int | None = None,  # noqa: ARG002
    ) -> int:
        """Tokens of a string followed by `text[start:end]`: `count_parts`, for callers that ask
        often.

        `inside` is the span's own count and `outside` the string's, if they are known.
        """
        return inside if inside is not None and not before else self.count_parts([before, Span(start, end)])

    def last_within(self, start: int, stops: Sequence[int] | Offsets, limit: int, first: int = 0) -> int:
        """How far a span from `start` may extend within `limit` tokens, as an index into `stops`.

        `stops` are the offsets where the span may end: ascending and, from index `first` on, after
        `start`. An array of them must not be changed afterwards. Returns the index before that of
        the first stop over the limit, so `first - 1` if all are. Later stops do not matter,
        although a longer span may have fewer tokens.
        """
        at = first
        while at < len(stops) and self.count(start, int(stops[at])) <= limit:
            at += 1
        return at - 1

    def text_of(self, part: str | Span) -> str:
        """A string as it is; the text of a span."""
        return part if isinstance(part, str) else self.text[part.start : part.end]

    def _count_joined(self, parts: Sequence[str | Span]) -> int:
        """`count_parts` of non-empty parts of which no two adjacent spans touch."""
        return self.counter("".join(map(self.text_of, parts)))

    def _count_slice(self, start: int, end: int) -> int:
        counted = self._counted.get((start, end))
        if counted is None:
            if len(self._counted) >= _MAX_SLICES:
                self._counted.clear()
            counted = self._counted[start, end] = self.counter(self.text[start:end])
        return counted


class SummingIndex(TokenIndex):
    """Base of the indexes with prefix sums: `last_within` compares many stops with the limit at
    once.

    It does so by levels. The level of a stop is an upper bound of the tokens from a fixed origin to
    the stop; less the level of `start`, it is an upper bound of the tokens between the two.
    """

    def __init__(self, text: str, counter: Callable[[str], int]) -> None:
        super().__init__(text, counter)
        self._stops: dict[int, tuple[Offsets, _Levels | None]] = {}
        self._stops_size = 0

    @abstractmethod
    def _anchor(self, start: int) -> int:
        """The first stop for which `_levels` is valid in a span from `start`; at least `start`."""

    @abstractmethod
    def _level(self, start: int, anchor: int) -> int:
        """The level of `start`: what to subtract from levels after the anchor for counts from
        `start`."""

    @abstractmethod
    def _levels(self, stops: Offsets) -> Offsets:
        """For each stop, a number that less `_level` is at least the count up to it, at best
        equal."""

    def last_within(self, start: int, stops: Sequence[int] | Offsets, limit: int, first: int = 0) -> int:
        """As TokenIndex.last_within; fast for an int64 array of stops, faster still if it is passed
        again."""
        if is_traced(limit):
            return self._last_within_traced(start, stops, limit, first)
        if not isinstance(stops, np.ndarray):
            return super().last_within(start, stops, limit, first)
        at, anchor = first, self._anchor(start)
        known = self._known_levels(stops)
        places = known.stops if known else stops
        while at < len(places) and places[at] < anchor:
            if self.exceeds(start, int(places[at]), limit):
                return at - 1
            at += 1
        if at >= len(places):
            return at - 1
        max_level = limit + self._level(start, anchor)
        return (
            known.last_within(self, start, limit, max_level, at)
            if known
            else self._search(start, stops, limit, max_level, at)
        )

    def _last_within_traced(self, start: int, stops: Sequence[int] | Offsets, limit: int, first: int) -> int:
        """`last_within` for a traced limit (`chunking.tracing`).

        The search uses the plain number; then only the counts that decide the result are compared
        with the traced one.
        """
        at = self.last_within(start, stops, plain(limit), first)
        stays_between(
            limit,
            self._largest_count(start, stops, first, at) if at >= first else None,
            self.count_to_compare(start, int(stops[at + 1]), limit) if at + 1 < len(stops) else None,
        )
        return at

    def _largest_count(self, start: int, stops: Sequence[int] | Offsets, first: int, last: int) -> int:
        """The largest count from `start` to any of these stops; usually that to the last one."""
        most, anchor = self.count(start, int(stops[last])), self._anchor(start)
        known = self._known_levels(stops) if isinstance(stops, np.ndarray) and anchor >= 0 else None
        if known:
            more = known.perhaps_over(first, last, anchor, most + self._level(start, anchor))
            return max([most, *(self.count(start, known.stops[at]) for at in more)])
        beyond = np.asarray(stops[first:last], dtype=np.int64)
        sure = (beyond >= anchor) & (anchor >= 0)
        doubtful = np.ones(len(beyond), dtype=np.bool_)
        if sure.any():
            doubtful[sure] = self._levels(beyond[sure]) > most + self._level(start, anchor)
        return max([most, *(self.count(start, stop) for stop in beyond[doubtful].tolist())])

    def _search(self, start: int, stops: Offsets, limit: int, max_level: int, at: int) -> int:
        """`last_within` from index `at` on, for an array of stops not seen before, in growing
        windows.

        `max_level` is the limit as a level.
        """
        window = _WINDOW
        while at < len(stops):
            over = self._levels(stops[at : at + window]) > max_level
            step = int(over.argmax())
            if not over[step]:
                at, window = at + len(over), window * 4
                continue
            at += step
            if self.exceeds(start, int(stops[at]), limit):
                return at - 1
            at += 1
        return at - 1

    def _known_levels(self, stops: Offsets) -> _Levels | None:
        """The levels of a whole array of stops, computed when it is passed for the second time, or
        at once where they are few."""
        known = self._stops.get(id(stops))
        if known is None or known[0] is not stops:
            if len(stops) > _FEW:
                self._keep(stops, None)
                return None
        elif known[1] is not None:
            return known[1]
        return self._keep_levels(stops, self._levels(stops))

    def _keep_levels(self, stops: Offsets, levels: Offsets) -> _Levels:
        """Remember the levels of an array of stops."""
        found = _Levels(stops, levels)
        self._keep(stops, found)
        return found

    def _keep(self, stops: Offsets, levels: _Levels | None) -> None:
        known = self._stops.get(id(stops))
        if known is None or known[0] is not stops:
            if self._stops_size > _MAX_STOPS:
                self._stops.clear()
                self._stops_size = 0
            self._stops_size += len(stops) + _ARRAY_COST
        self._stops[id(stops)] = (stops, levels)


class _Levels:
    """The levels of an array of stops, made ascending so that a binary search finds those over a
    limit.

    A level made too high this way costs one count at most: a stop is counted before it ends a span.
    """

    __slots__ = ("_rising", "_unsure", "stops")

    def __init__(self, stops: Offsets, levels: Offsets) -> None:
        unsure = levels >= UNSURE
        rising = np.maximum.accumulate(np.where(unsure, 0, levels))
        self._rising = _searchable(rising)
        self._unsure = _searchable(np.flatnonzero(unsure))
        self.stops = _searchable(stops)

    def perhaps_over(self, first: int, last: int, anchor: int, max_level: int) -> Iterator[int]:
        """The stops from `first` up to but not including `last`, as indexes, that are not known to
        be within a limit."""
        sure = bisect_left(self.stops, anchor, first, last)
        over = bisect_right(self._rising, max_level, sure, last)
        unsure = self._unsure[bisect_left(self._unsure, sure) : bisect_left(self._unsure, over)]
        return chain(range(first, sure), unsure, range(over, last))

    def last_within(self, index: TokenIndex, start: int, limit: int, max_level: int, at: int) -> int:
        """`TokenIndex.last_within` from index `at` on."""
        rising, unsure, stops = self._rising, self._unsure, self.stops
        while at < len(stops):
            over = bisect_right(rising, max_level, at)
            if unsure:
                next_unsure = bisect_left(unsure, at)
                over = min(over, unsure[next_unsure] if next_unsure < len(unsure) else over)
            if over == len(stops):
                return over - 1
            if index.exceeds(start, stops[over], limit):
                return over - 1
            at = over + 1
        return at - 1


def _searchable(ascending: Offsets) -> array[int]:
    """An array of the standard library, which `bisect` reads five times as fast as numpy's; of half
    the size where the numbers allow."""
    code = "i" if not len(ascending) or ascending[-1] < 1 << 31 else "q"
    return array(code, ascending.astype(code).tobytes())
