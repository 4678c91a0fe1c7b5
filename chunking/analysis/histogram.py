"""The histogram of chunk sizes in tokens, binned in one way for all who draw it."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Literal

import numpy as np
import numpy.typing as npt

CHART_BINS = 40
"""About the number of bins in a chart."""
_WIDTHS = (1, 2, 5, 10, 20, 25, 50, 100, 200, 250, 500, 1000, 2500, 5000, 10000, 25000, 50000, 100000)

Sizes = Sequence[int] | npt.NDArray[np.integer]
Side = Literal["under", "inside", "over"]


@dataclass(frozen=True, slots=True)
class Bins:
    """`count` equal bins from 0 to `top`, which is excluded."""

    count: int
    top: float

    @property
    def width(self) -> float:
        """In tokens; whole where the bins are round."""
        whole, rest = divmod(self.top, self.count)
        return whole if not rest else self.top / self.count

    @property
    def edges(self) -> list[float]:
        """The start of each bin, then the end of the last one."""
        return [at * self.top / self.count for at in range(self.count)] + [self.top]

    def counts(self, sizes: Sizes) -> list[int]:
        """The number of sizes in each bin; larger ones count in the last bin."""
        places = np.floor_divide(np.asarray(sizes, np.int64) * self.count, self.top).astype(np.int64)
        found = np.bincount(np.minimum(places, self.count - 1), minlength=self.count)
        return [int(each) for each in found]


@dataclass(frozen=True, slots=True)
class OpenBins:
    """`count` bins from 0 to `top`, which is excluded, and one bin for all beyond.

    They are equal on a linear scale, or, with a `bottom` above 0, on a logarithmic one from there,
    with all that is less in the first bin.
    """

    count: int
    top: int
    bottom: int = 0

    def counts(self, sizes: Sizes) -> list[int]:
        """The number of sizes in each bin."""
        sizes = np.asarray(sizes, np.int64)
        if self.bottom:
            each = self.count / np.log(self.top / self.bottom)
            places = (np.log(np.maximum(sizes, self.bottom) / self.bottom) * each + 1e-9).astype(np.int64)
        else:
            places = sizes * self.count // self.top
        found: list[int] = np.bincount(np.minimum(places, self.count), minlength=self.count + 1).tolist()
        return found


@dataclass(frozen=True, slots=True)
class Bar:
    """The chunks of one bin that are on one side of the limits."""

    start: int
    end: int
    """Exclusive."""
    count: int
    side: Side


def round_bins(largest: int, about: int = CHART_BINS) -> Bins:
    """About the requested number of bins, of a round width, with the largest size in the last
    one."""
    largest = max(largest, 1)
    width = next((each for each in _WIDTHS if each * about >= largest), -(-largest // about))
    count = largest // width + 1
    return Bins(count, count * width)


def bars(sizes: Sizes, bins: Bins, minimum: int | None, maximum: int | None) -> tuple[Bar, ...]:
    """A bar for each bin, split where a limit lies inside it."""
    ordered = np.sort(np.asarray(sizes, np.int64)).tolist()
    turns = {at for at in (minimum, None if maximum is None else maximum + 1) if at is not None and 0 < at < bins.top}
    found = []
    for start, end in pairwise(sorted({*map(int, bins.edges), *turns})):
        count = bisect_left(ordered, end) - bisect_left(ordered, start)
        found.append(Bar(start, end, count, _side(start, minimum, maximum)))
    return tuple(found)


def _side(start: int, minimum: int | None, maximum: int | None) -> Side:
    if minimum is not None and start < minimum:
        return "under"
    return "over" if maximum is not None and start > maximum else "inside"
