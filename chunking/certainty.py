"""Is a difference real: means with intervals, and paired differences, by bootstrap over the questions.

Seeded, so that the same values give the same intervals.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import ceil
from typing import Literal

import numpy as np
import numpy.typing as npt

RESAMPLES = 5_000
CONFIDENCE = 0.95
FEWEST = 6
"""Questions below which nothing is proven: of five, all may fall on one side by chance in 2 of 32 cases, above 5%."""
_SEED = 20_240_703
_DRAWS = 1_000_000
"""Numbers drawn at a time."""

Verdict = Literal["higher", "lower", "same", "inconclusive"]


@dataclass(frozen=True, slots=True)
class Interval:
    """A mean over questions, and between what it lies with 95% confidence."""

    mean: float
    low: float
    high: float
    std: float
    """Population standard deviation over the questions, as numpy gives it."""


@dataclass(frozen=True, slots=True)
class Difference:
    """How much higher the second of two is on the same questions."""

    mean: float
    low: float
    high: float
    verdict: Verdict
    questions: int
    questions_needed: int | None
    """About how many would tell, if the rest are like these; None where it is told already, or the means are equal."""


def interval(values: Sequence[float]) -> Interval:
    """The mean of one value for each question. Raises ValueError without any."""
    held = np.asarray(values, dtype=np.float64)
    if not len(held):
        raise ValueError("there is no mean of no questions")
    low, high = _bounds(held)
    return Interval(float(held.mean()), low, high, float(held.std()))


def difference(before: Sequence[float], after: Sequence[float]) -> Difference:
    """How much higher `after` is; both have one value for each question, in one order."""
    paired = np.asarray(after, dtype=np.float64) - np.asarray(before, dtype=np.float64)
    if not len(paired):
        raise ValueError("there is no difference over no questions")
    mean, (low, high) = float(paired.mean()), _bounds(paired)
    verdict = _verdict(paired, low, high)
    return Difference(mean, low, high, verdict, len(paired), _needed(paired) if verdict == "inconclusive" else None)


def _verdict(paired: npt.NDArray[np.float64], low: float, high: float) -> Verdict:
    if not paired.any():
        return "same"
    if len(paired) < FEWEST or low <= 0 <= high:
        return "inconclusive"
    return "higher" if low > 0 else "lower"


def _needed(paired: npt.NDArray[np.float64]) -> int | None:
    mean, std = float(paired.mean()), float(paired.std())
    if abs(mean) < 1e-12:
        return None
    return max(FEWEST, len(paired) + 1, ceil((1.96 * std / mean) ** 2))


def _bounds(values: npt.NDArray[np.float64]) -> tuple[float, float]:
    """The middle 95% of the means of resamples."""
    drawn, count = np.random.default_rng(_SEED), len(values)
    at_a_time = max(1, _DRAWS // count)
    means = [
        values[drawn.integers(0, count, (min(at_a_time, RESAMPLES - done), count))].mean(axis=1)
        for done in range(0, RESAMPLES, at_a_time)
    ]
    rest = (1 - CONFIDENCE) / 2
    low, high = np.quantile(np.concatenate(means), [rest, 1 - rest])
    return float(low), float(high)
