"""The range of a setting's values for which a cut goes exactly as with its present value."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Hashable, Iterator
from contextlib import contextmanager
from typing import Any, TypeVar

from chunking.tracing.turning import Number

Made = TypeVar("Made")
Memory = dict[Hashable, tuple[list[Number], list[tuple[Number, Any]]]]
"""Computed values by key. For each key, ranges of the setting in which the value is the same: their
lower ends in order, and for each its upper end with the value."""


class Trace:
    """The range `low` to `high` of a setting's values with which every comparison so far came out
    the same. It narrows while a document is cut."""

    __slots__ = ("_begun", "_memory", "_pinned", "foreign", "high", "low", "of_text", "paused", "value", "work")

    def __init__(
        self,
        value: Number,
        low: Number,
        high: Number,
        *,
        of_text: bool = False,
        foreign: bool = False,
        memory: Memory | None = None,
    ) -> None:
        """`low` and `high` are the lowest and highest legal value to consider. `of_text`: chunks
        must have the same text, not only end at the same offsets. `foreign`: a plug-in cuts, which
        may count a text that it writes the number into. `memory`: values computed while the same
        document was cut with other values of this setting.
        """
        self.of_text = of_text
        self.foreign = foreign
        self._memory: Memory = memory if memory is not None else {}
        self._begun: tuple[Number, Number] | None = None
        self.value = value
        self.low = low
        self.high = high
        self.paused = 0
        self._pinned = False
        self.work = 0
        """Number of comparisons and look-ups so far: a measure of the cut's cost."""

    def pin(self) -> None:
        """Narrow the range to the present value: something was done that cannot be followed."""
        if not self.paused:
            self.low = self.high = self.value
            self._pinned = True

    @property
    def is_lost(self) -> bool:
        """Whether something was done that cannot be followed, and nothing was remembered: only the
        one value can come out of this cut."""
        return self._pinned and not self._memory

    def remembered(self, key: Hashable, make: Callable[[], Made]) -> Made:
        """`make()`, or its result for another value of the setting if that is proven to be the
        same. The result may depend on the key, the document and the settings only, and on values
        computed from these before the first call of this method. Whatever is computed later and
        kept must be computed within this method too.
        """
        self.work += 1
        if self.paused:
            return make()
        if self._begun is None:
            self._begun = self.low, self.high  # what was worked out up to here holds between these
        lows, results = self._memory.setdefault(key, ([], []))
        at = bisect_right(lows, self.value) - 1
        if at >= 0 and results[at][0] >= self.value:
            self.low, self.high = max(self.low, lows[at]), min(self.high, results[at][0])
            return results[at][1]  # type: ignore[no-any-return]
        before = self.low, self.high
        self.low, self.high = self._begun
        try:
            made = make()
            lows.insert(at + 1, self.low)
            results.insert(at + 1, (self.high, made))
        finally:
            self.low, self.high = max(self.low, before[0]), min(self.high, before[1])
        return made

    @contextmanager
    def untraced(self) -> Iterator[None]:
        """Within this context nothing is narrowed, unless `of_text`: for work that moves no
        boundary."""
        self.paused += not self.of_text
        try:
            yield
        finally:
            self.paused -= not self.of_text


def is_ours(module: str) -> bool:
    """Whether a module belongs to this library, whose strategies use a traced number in text only
    for people."""
    return module.startswith("chunking.")
