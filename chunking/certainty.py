"""Is a difference real: means with intervals, and paired differences, by bootstrap over the questions.

Seeded, so that the same values give the same intervals. Where several differences are looked at, of which one may look
large by chance alone, each interval is made wider, so that all of them hold together with 95% confidence (Bonferroni).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import ceil, log2
from statistics import NormalDist
from typing import Literal

import numpy as np
import numpy.typing as npt

RESAMPLES = 5_000
CONFIDENCE = 0.95
POWER = 0.8
"""How often the number of questions that is said to tell would tell, if the difference is what it seems to be."""
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
    confidence: float = CONFIDENCE
    """Of this interval alone: 95%, or more where several differences are to hold together."""


def interval(values: Sequence[float]) -> Interval:
    """The mean of one value for each question. Raises ValueError without any."""
    held = np.asarray(values, dtype=np.float64)
    if not len(held):
        raise ValueError("there is no mean of no questions")
    low, high = _bounds(held, CONFIDENCE)
    return Interval(float(held.mean()), low, high, float(held.std()))


def difference(before: Sequence[float], after: Sequence[float], *, comparisons: int = 1) -> Difference:
    """How much higher `after` is; both have one value for each question, in one order.

    `comparisons` is how many differences are looked at together: four configs have six.
    """
    paired = np.asarray(after, dtype=np.float64) - np.asarray(before, dtype=np.float64)
    if not len(paired):
        raise ValueError("there is no difference over no questions")
    confidence = 1 - (1 - CONFIDENCE) / max(1, comparisons)
    mean, (low, high) = float(paired.mean()), _bounds(paired, confidence)
    verdict = _verdict(paired, low, high, confidence)
    needed = _needed(paired, confidence) if verdict == "inconclusive" else None
    return Difference(mean, low, high, verdict, len(paired), needed, confidence)


def pairs(configs: int) -> int:
    """How many differences there are between that many configs; at least one."""
    return max(1, configs * (configs - 1) // 2)


def fewest(confidence: float = CONFIDENCE) -> int:
    """Questions below which nothing is proven: all of them fall on one side by chance in 2 of 2 ** n cases.

    Of five that is 6%, of six 3%.
    """
    return ceil(log2(2 / (1 - confidence)) - 1e-9)


def _verdict(paired: npt.NDArray[np.float64], low: float, high: float, confidence: float) -> Verdict:
    if not paired.any():
        return "same"
    if len(paired) < fewest(confidence) or low <= 0 <= high:
        return "inconclusive"
    return "higher" if low > 0 else "lower"


def _needed(paired: npt.NDArray[np.float64], confidence: float) -> int | None:
    """The usual sample size of a paired comparison: ((z of the confidence + z of the power) * std / mean) squared."""
    mean, std = float(paired.mean()), float(paired.std())
    if abs(mean) < 1e-12:
        return None
    z = NormalDist().inv_cdf(1 - (1 - confidence) / 2) + NormalDist().inv_cdf(POWER)
    return max(fewest(confidence), len(paired) + 1, ceil((z * std / mean) ** 2))


def _bounds(values: npt.NDArray[np.float64], confidence: float) -> tuple[float, float]:
    """The middle of the means of resamples: as much of it as the confidence says."""
    drawn, count = np.random.default_rng(_SEED), len(values)
    at_a_time = max(1, _DRAWS // count)
    means = [
        values[drawn.integers(0, count, (min(at_a_time, RESAMPLES - done), count))].mean(axis=1)
        for done in range(0, RESAMPLES, at_a_time)
    ]
    rest = (1 - confidence) / 2
    low, high = np.quantile(np.concatenate(means), [rest, 1 - rest])
    return float(low), float(high)
