"""Exact counts of any span of a text, after one pass over it: moving a threshold re-cuts without re-tokenising.

`TokenIndex` serves any counter, by counting slices and remembering. encoding_index.py and rule_indexes.py add prefix
sums for the counters we know. `tokens.token_index` picks.
"""

from __future__ import annotations

from abc import abstractmethod
from array import array
from bisect import bisect_left, bisect_right
from collections.abc import Callable, Sequence

import numpy as np
import numpy.typing as npt

from chunking.text.spans import Span, merged
from chunking.tracing import is_traced, plain, stays_between

Offsets = npt.NDArray[np.int64]

_REMEMBERED = 1 << 18
"""Counts of slices that one index remembers before it starts afresh."""
_WINDOW = 64
"""Stops that `reach` looks at together, at first."""
_STOPS_HELD = 1 << 21
"""Stops, over all arrays, whose levels one index remembers before it starts afresh."""
UNSURE = 1 << 40
"""The level of a stop that has to be counted."""
_ARRAY = 32
"""What an array takes besides its stops, as stops."""


class TokenIndex:
    """Counts spans of a text by any counter: each slice is counted once and remembered."""

    def __init__(self, text: str, counter: Callable[[str], int]) -> None:
        self.text = text
        self.counter = counter
        self._counted: dict[tuple[int, int], int] = {}

    def count(self, start: int, end: int) -> int:
        """The count of `text[start:end]`, equal to the counter's."""
        return self._count_slice(start, end) if start < end else 0

    def count_parts(self, parts: Sequence[str | Span]) -> int:
        """The count of strings and spans of the text joined together, equal to the counter's of the joined text."""
        joined = merged(parts)
        if len(joined) == 1 and isinstance(joined[0], Span):
            return self.count(joined[0].start, joined[0].end)
        return self._count_joined(joined) if joined else 0

    def tokens_before(self, offset: int) -> int:
        """How many tokens of the whole text begin before an offset: differences of it add up, as counts may not."""
        return self.count(0, offset)

    def count_after(self, before: str, start: int, end: int, inside: int | None = None) -> int:
        """The count of a string and `text[start:end]` joined: `count_parts` of these two, for who asks it often.

        `inside` is the span's own count, where it is known.
        """
        return inside if inside is not None and not before else self.count_parts([before, Span(start, end)])

    def reach(self, start: int, stops: Sequence[int] | Offsets, limit: int, first: int = 0) -> int:
        """How far a span from `start` may go: the index of the last stop before the first one that is over `limit`.

        `stops` ascend and, from index `first` on, are beyond `start`; an array of them must not be changed afterwards.
        Returns `first - 1` when even the first is over. Counts need not grow with the span: the first stop over the
        limit ends it, whatever comes after.
        """
        at = first
        while at < len(stops) and self.count(start, int(stops[at])) <= limit:
            at += 1
        return at - 1

    def text_of(self, part: str | Span) -> str:
        """A string as it is; the text of a span."""
        return part if isinstance(part, str) else self.text[part.start : part.end]

    def _count_joined(self, parts: Sequence[str | Span]) -> int:
        """`count_parts` of parts that are not empty, with no two spans that touch."""
        return self.counter("".join(map(self.text_of, parts)))

    def _count_slice(self, start: int, end: int) -> int:
        counted = self._counted.get((start, end))
        if counted is None:
            if len(self._counted) >= _REMEMBERED:
                self._counted.clear()
            counted = self._counted[start, end] = self.counter(self.text[start:end])
        return counted


class SummingIndex(TokenIndex):
    """An index with prefix sums: finds how far a span may go from the sums at the stops, many stops at a time."""

    def __init__(self, text: str, counter: Callable[[str], int]) -> None:
        super().__init__(text, counter)
        self._stops: dict[int, tuple[Offsets, _Levels | None]] = {}
        self._stops_held = 0

    @abstractmethod
    def _anchor(self, start: int) -> int:
        """The first position that `_levels` can tell of for a span from `start`; at least `start`."""

    @abstractmethod
    def _level(self, start: int, anchor: int) -> int:
        """What to take from the levels beyond an anchor to have counts from `start`."""

    @abstractmethod
    def _levels(self, stops: Offsets) -> Offsets:
        """For each stop a number that is, less `_level`, at least the count up to the stop; and best equal to it."""

    def reach(self, start: int, stops: Sequence[int] | Offsets, limit: int, first: int = 0) -> int:
        """As TokenIndex.reach; fast for an int64 array of stops, and faster when the same array comes again."""
        if is_traced(limit):
            return self._reach_traced(start, stops, limit, first)
        if not isinstance(stops, np.ndarray):
            return super().reach(start, stops, limit, first)
        at, anchor = first, self._anchor(start)
        while at < len(stops) and stops[at] < anchor:
            if self.count(start, int(stops[at])) > limit:
                return at - 1
            at += 1
        if at >= len(stops):
            return at - 1
        room = limit + self._level(start, anchor)
        known = self._known_levels(stops)
        return known.reach(self, start, limit, room, at) if known else self._search(start, stops, limit, room, at)

    def _reach_traced(self, start: int, stops: Sequence[int] | Offsets, limit: int, first: int) -> int:
        """`reach` for a limit that is watched: found as ever, and then only what it depends on is compared with it."""
        at = self.reach(start, stops, plain(limit), first)
        stays_between(
            limit,
            self._most(start, stops, first, at) if at >= first else None,
            self.count(start, int(stops[at + 1])) if at + 1 < len(stops) else None,
        )
        return at

    def _most(self, start: int, stops: Sequence[int] | Offsets, first: int, last: int) -> int:
        """The largest count up to any of these stops; most often it is that of the last one."""
        most, anchor = self.count(start, int(stops[last])), self._anchor(start)
        beyond = np.asarray(stops[first:last], dtype=np.int64)
        sure = (beyond >= anchor) & (anchor >= 0)
        doubtful = np.ones(len(beyond), dtype=np.bool_)
        if sure.any():
            doubtful[sure] = self._levels(beyond[sure]) > most + self._level(start, anchor)
        return max([most, *(self.count(start, stop) for stop in beyond[doubtful].tolist())])

    def _search(self, start: int, stops: Offsets, limit: int, room: int, at: int) -> int:
        """`reach` from index `at` on for stops that come for the first time: windows of them, ever larger."""
        window = _WINDOW
        while at < len(stops):
            over = self._levels(stops[at : at + window]) > room
            step = int(over.argmax())
            if not over[step]:
                at, window = at + len(over), window * 4
                continue
            at += step
            if self.count(start, int(stops[at])) > limit:
                return at - 1
            at += 1
        return at - 1

    def _known_levels(self, stops: Offsets) -> _Levels | None:
        """The levels of a whole array of stops; worked out when it comes for the second time."""
        known = self._stops.get(id(stops))
        if known is None or known[0] is not stops:
            if self._stops_held > _STOPS_HELD:
                self._stops.clear()
                self._stops_held = 0
            self._stops[id(stops)] = (stops, None)
            self._stops_held += len(stops) + _ARRAY
            return None
        if known[1] is None:
            known = self._stops[id(stops)] = (stops, _Levels(stops, self._levels(stops)))
        return known[1]


class _Levels:
    """The levels of many stops as one rising line, on which the first that may be over a limit is found by halving.

    A stop is counted before it ends a span, so a line that is too high somewhere costs a count and nothing else.
    """

    __slots__ = ("_rising", "_stops", "_unsure")

    def __init__(self, stops: Offsets, levels: Offsets) -> None:
        unsure = levels >= UNSURE
        rising = np.maximum.accumulate(np.where(unsure, 0, levels))
        # Arrays of the standard library: `bisect` reads one number of them five times as fast as one of numpy's.
        self._rising = array("q", rising.tobytes())
        self._unsure = array("q", np.flatnonzero(unsure).astype(np.int64).tobytes())
        self._stops = array("q", stops.tobytes())

    def reach(self, index: TokenIndex, start: int, limit: int, room: int, at: int) -> int:
        """`TokenIndex.reach` from index `at` on."""
        rising, unsure, stops = self._rising, self._unsure, self._stops
        while at < len(stops):
            over = bisect_right(rising, room, at)
            if unsure:
                next_unsure = bisect_left(unsure, at)
                over = min(over, unsure[next_unsure] if next_unsure < len(unsure) else over)
            if over == len(stops):
                return over - 1
            if index.count(start, stops[over]) > limit:
                return over - 1
            at = over + 1
        return at - 1
