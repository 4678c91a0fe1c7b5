"""The sizes under the thresholds: on what axis, and how many chunks in each bin. No Streamlit.

The axis fits the thresholds, so that they can be told apart whatever the largest chunk is: what is
beyond its end is one bin.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from chunking.analysis import OpenBins
from chunking.core import Numbers

BINS = 40
_NICE = (1, 1.2, 1.5, 2, 2.5, 3, 4, 5, 6, 8, 10)
_LOG_BOTTOM = 10
"""Tokens at the left end of a logarithmic axis."""


@dataclass(frozen=True)
class Histogram:
    """Tokens of each chunk, of the run on screen and of its baseline."""

    current: Sequence[int] | Numbers
    baseline: Sequence[int] | Numbers = ()
    lower: int | None = None
    """The limits of the run on screen: chunks outside them are hatched, and no others."""
    upper: int | None = None
    outside: Numbers | None = None
    """The tokens of the chunks to hatch, where not all of them have the same limits."""


@dataclass(frozen=True)
class Axis:
    """Where the axis ends, in tokens, by scale."""

    linear: int
    log: int


def fitted_axis(histogram: Histogram, limits: Sequence[float], baseline_limits: Sequence[float] = ()) -> Axis:
    """The axis for these thresholds: they are in its first two thirds, and 99 of 100 chunks are on
    it where that leaves the thresholds a quarter."""
    largest = max(limits, default=0)
    least = max(1.6 * largest, *(1.04 * limit for limit in baseline_limits), 10)
    sizes = np.asarray(histogram.current, np.int64)
    most = int(np.percentile(sizes, 99, method="lower")) if len(sizes) else 0
    linear = max(least, min(most, 4 * largest) if largest else most)
    both = [int(max(each)) for each in (histogram.current, histogram.baseline) if len(each)]
    return Axis(_nice(linear), _nice(max(least, *both, 10 * _LOG_BOTTOM)))


def binned(histogram: Histogram, axis: Axis) -> dict[str, object]:
    """Counts in equal bins up to the axis's end, and in one bin beyond it, on either scale."""
    current, baseline = np.asarray(histogram.current, np.int64), np.asarray(histogram.baseline, np.int64)
    outside = current[_outside(current, histogram)] if histogram.outside is None else histogram.outside

    def counted(bins: OpenBins) -> dict[str, object]:
        return {
            "bottom": bins.bottom,
            "top": bins.top,
            "current": bins.counts(current),
            "outside": bins.counts(outside),
            "baseline": bins.counts(baseline) if len(baseline) else [],
        }

    return {
        "linear": counted(OpenBins(BINS, axis.linear)),
        "log": counted(OpenBins(BINS, axis.log, _LOG_BOTTOM)),
        "largest": int(current.max()) if len(current) else 0,
        "largestBaseline": int(baseline.max()) if len(baseline) else 0,
    }


def _outside(sizes: Numbers, histogram: Histogram) -> npt.NDArray[np.bool_]:
    under = np.zeros(len(sizes), np.bool_) if histogram.lower is None else sizes < histogram.lower
    return under if histogram.upper is None else under | (sizes > histogram.upper)


def _nice(value: float) -> int:
    """The next round number, so that the axis does not change with every step of a threshold."""
    power = 10.0 ** math.floor(math.log10(value))
    return round(next(step * power for step in _NICE if value <= step * power * (1 + 1e-9)))
