"""Whether a difference is real: means and paired differences over questions, their confidence
intervals, and how many questions would be needed.

Two tests have to agree before a difference counts as shown:

- **The order of the configs could not have come about by chance.** Signs of the differences are
  flipped at random, question by question and in all pairs alike; each difference is compared with
  the largest studentised one of any two configs (max-T [1]). So one of several differences that
  looks large by luck does not count as real.
- **No question that was not asked would reverse it.** Scores pile up at 0 and at 1: where 20
  questions all differ by 0.1 in one direction, one that differs by 1 in the other may be missing by
  chance. Gaffke's bound [2, 3] gives each question a random weight, and one more question the worst
  value that is possible; for values of 0 and 1 that is the bound of Clopper and Pearson [4].
  Bootstraps and permutations alone are wrong up to 77 times in 100 there
  (`python -m benchmarks.certainty`).

Questions are taken to be drawn independently of each other. The same values give the same numbers,
always.

1. Westfall and Young (1993), Resampling-Based Multiple Testing.
2. Gaffke (2005), Three Test Statistics for a Nonparametric One-Sided Hypothesis on the Mean of a
   Nonnegative Variable.
3. Learned-Miller and Thomas (2020), A New Confidence Interval for the Mean of a Bounded Random
   Variable.
4. Clopper and Pearson (1934), The Use of Confidence or Fiducial Limits Illustrated in the Case of
   the Binomial.
5. Lugannani and Rice (1980), Saddle Point Approximation for the Distribution of the Sum of
   Independent Random Variables.
6. Rubin (1981), The Bayesian Bootstrap.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import combinations
from math import ceil, erf, log2, sqrt
from statistics import NormalDist
from typing import Literal

import numpy as np
import numpy.typing as npt

CONFIDENCE = 0.95
POWER = 0.8
"""Probability that the number of questions said to be needed shows a difference of the size
seen."""
BY_CHANCE = 0.04
"""Significance level: 0.05, less 0.01 for the error of drawing signs at random."""
FLIPS = 4_000
"""Number of random sets of signs in the permutation test."""
_DRAWS = 1_000
"""Number of random sets of weights for the range of how many questions would be needed."""
_RANGE = (0.1, 0.9)
"""Quantiles of the numbers of questions needed: the range holds 8 times in 10."""
_BEYOND = 10
"""Factor of `assumed_maximum`, over the number of questions: so that intervals of skewed scores
hold 95 times in 100."""
_MOST_QUESTIONS = 10_000_000
"""More questions than this count as never."""
_MOST_NAMED = 10_000
"""More questions than this are not named: nobody asks so many."""
_HALVINGS = 14
"""Bisection steps in the search for an end of an interval; the rest is interpolated."""
SEED = 20_240_703
"""Of all random signs and weights: the same values give the same numbers."""

Floats = npt.NDArray[np.float64]
Verdict = Literal["higher", "lower", "same", "inconclusive"]


@dataclass(frozen=True, slots=True)
class Interval:
    """A mean over questions, with its 95% confidence interval."""

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
    """`low` and `high` are on one side of 0 where, and only where, the verdict is `higher` or
    `lower`."""
    verdict: Verdict
    questions: int
    questions_needed: int | None
    """About how many would decide it, if the rest are like these; None where it is decided, or the
    means are equal."""
    needed_from: int | None = None
    """Between this and `needed_to` that number lies 8 times in 10: it is estimated from few
    questions itself."""
    needed_to: int | None = None
    """None also where there may be no difference at all, which no number of questions would
    show."""
    together: int = 2
    """How many configs are compared: the intervals of all their differences hold together with 95%
    confidence."""


def assumed_maximum(highest: float, questions: int) -> float:
    """The maximum that is assumed of a metric that never comes near 1, from the highest value seen.

    The fewer questions were asked, the higher the next one may be: with one question 11 times as
    high.
    """
    return min(1.0, highest * (1 + _BEYOND / questions)) if highest > 0 and questions else 1.0


def assumption_words(metric: str, highest: float, maximum: float) -> str:
    """The sentence that states an assumed maximum below 1; "" for 1."""
    if maximum >= 1:
        return ""
    article = "an" if metric[0] in "aeiouI" else "a"
    return (
        f"This assumes that no question has {article} {metric} above {maximum:.3f} (the highest here is {highest:.3f})."
    )


def interval(values: Sequence[float], maximum: float = 1.0) -> Interval:
    """The mean of one value for each question, each from 0 to `maximum`, with Gaffke's bound [2] on
    both sides. Raises ValueError without any."""
    array = np.asarray(values, dtype=np.float64)
    if not len(array):
        raise ValueError("there is no mean of no questions")
    level, maximum = (1 - CONFIDENCE) / 2, max(maximum, float(array.max()))
    low, below = _lower_bounds(np.column_stack([array, maximum - array]), 0.0, level)
    high = maximum - below
    mean = float(array.mean())
    return Interval(mean, min(mean, float(low)), max(mean, float(high)), float(array.std()))


def difference(before: Sequence[float], after: Sequence[float], maximum: float = 1.0) -> Difference:
    """How much higher `after` is; both have one value from 0 to `maximum` for each question, in one
    order."""
    return differences({"before": before, "after": after}, maximum)["before", "after"]


def differences(values: Mapping[str, Sequence[float]], maximum: float = 1.0) -> dict[tuple[str, str], Difference]:
    """How much higher each config is than each one named before it, in pairs `(before, after)`; all
    intervals hold together.

    Each has one value from 0 to `maximum` for each question, in one order. An interval holds what
    neither test of this module's head excludes. Raises ValueError without any values.
    """
    names = list(combinations(values, 2))
    columns = np.array([list(each) for each in values.values()], dtype=np.float64).T
    if not names:
        return {}
    if not len(columns):
        raise ValueError("there is no difference over no questions")
    before, after = np.array(list(combinations(range(len(values)), 2))).T
    paired = columns[:, after] - columns[:, before]
    maximum = max(maximum, float(np.abs(paired).max()))
    level = _one_sided_level(len(values))
    mean, error = paired.mean(axis=0), _standard_errors(paired)
    reach = _critical_value(paired) * error
    lowest, of_minus = np.split(_lower_bounds(np.hstack([paired, -paired]), -maximum, level), 2)
    low, high = np.minimum(lowest, mean - reach), np.maximum(-of_minus, mean + reach)
    found = {}
    for at, pair in enumerate(names):
        ends = max(-maximum, float(low[at])), min(maximum, float(high[at]))
        found[pair] = _difference(paired[:, at], ends, maximum, len(values))
    return found


def shown_worse(columns: Floats, best: int, maximum: float = 1.0) -> npt.NDArray[np.bool_]:
    """Which of many configs are shown to be worse than the best; a column for each config, a row
    for each question.

    As `differences`, but the largest difference of any two is not studentised, so that thousands
    can be tested together.
    """
    rows, count = columns.shape
    if count < 2 or not rows:
        return np.zeros(count, dtype=np.bool_)
    behind = columns[:, [best]] - columns
    maximum = max(maximum, float(np.abs(behind).max()))
    spread = columns - columns.mean(axis=1, keepdims=True)  # makes no difference between two columns
    sums = np.concatenate([np.ptp(_signs(rows)[at : at + 500] @ spread, axis=1) for at in range(0, FLIPS, 500)])
    by_chance = float(np.quantile(sums, 1 - BY_CHANCE, method="higher")) * (1 + 1e-9)
    undone = np.vstack([behind, np.full(count, -maximum)])
    below: npt.NDArray[np.bool_] = (behind.sum(axis=0) > by_chance) & (
        _probability_below_zero(undone) <= _one_sided_level(count)
    )
    return below


def minimum_sample_size(configs: int = 2) -> int:
    """The number of questions below which no difference is shown: that all fall on one side is too
    likely by chance.

    For five questions that probability is 6%, for six 3%; with more than two configs it must be
    lower.
    """
    return ceil(log2(1 / _one_sided_level(configs)) - 1e-9)


def needed_words(of: Difference) -> str:
    """`about 230 (90 to 1,800) questions would be needed`; "" where there is no such number."""
    return f"{number} questions would be needed" if (number := needed_number(of)) else ""


def needed_number(of: Difference) -> str:
    """`about 230 (90 to 1,800)`, `about 250 (35 or far more)` or `more than 10,000`; "" where there
    is no such number."""
    if of.questions_needed is None:
        return ""
    if of.questions_needed > _MOST_NAMED:
        return f"more than {_MOST_NAMED:,}"
    bounded = of.needed_to is not None and of.needed_to <= _MOST_NAMED
    end = f"to {rounded_up(of.needed_to or 0):,}" if bounded else "or far more"
    return f"about {rounded_up(of.questions_needed):,} ({rounded_up(of.needed_from or 0):,} {end})"


def rounded_up(number: int) -> int:
    """An estimated number of questions, rounded up to two digits: 228 to 230."""
    unit = int("1" + "0" * (len(str(number)) - 2))
    return -(-number // unit) * unit


def _one_sided_level(configs: int) -> float:
    """The significance level on one side, for one config compared with each of the others."""
    return (1 - CONFIDENCE) / 2 / max(1, configs - 1)


def _difference(paired: Floats, ends: tuple[float, float], maximum: float, configs: int) -> Difference:
    low, high = ends
    verdict: Verdict = "inconclusive"
    if not paired.any():
        verdict = "same"
    elif low > 0 or high < 0:
        verdict = "higher" if low > 0 else "lower"
    about, first, last = _needed(paired, maximum, configs) if verdict == "inconclusive" else (None, None, None)
    return Difference(float(paired.mean()), low, high, verdict, len(paired), about, first, last, configs)


# ---- the permutation test: signs flipped ----


@lru_cache(maxsize=4)
def _signs(rows: int) -> Floats:
    """Random signs, 1.0 or -1.0: a row for each flip, a column for each question."""
    return np.random.default_rng(SEED).integers(0, 2, (FLIPS, rows)).astype(np.float64) * 2 - 1


def _standard_errors(paired: Floats) -> Floats:
    """The standard error of the mean of each column; a row for each question."""
    rows = len(paired)
    squares = (paired**2).mean(axis=0)
    errors: Floats = np.sqrt(_variance(squares, paired.mean(axis=0)) / max(1, rows - 1))
    return errors


def _variance(squares: Floats, means: Floats) -> Floats:
    """The variance from the means of squares and of values, never quite 0: where all differences
    are equal, a flip of all of them is as large as they are."""
    variance: Floats = np.maximum(squares - means**2, squares * 1e-12 + 1e-300)
    return variance


def _critical_value(paired: Floats) -> float:
    """The number of standard errors that the largest of all differences exceeds by chance
    `BY_CHANCE` of the time: a quantile over random flips of the signs (max-T [1])."""
    rows, squares = len(paired), (paired**2).mean(axis=0)
    varies = squares > 0
    if not varies.any():
        return 0.0
    means = _signs(rows) @ paired[:, varies] / rows
    flipped = np.abs(means) / np.sqrt(_variance(squares[varies], means) / max(1, rows - 1))
    return float(np.quantile(flipped.max(axis=1), 1 - BY_CHANCE, method="higher")) * (1 + 1e-9)


# ---- Gaffke's bound ----


def _lower_bounds(columns: Floats, worst: float, level: float) -> Floats:
    """For each column the lowest mean that is not excluded at a one-sided level: Gaffke's bound
    [2], found by bisection.

    `worst` is the lowest value that a question can have.
    """
    low, high = np.full(columns.shape[1], worst), columns.mean(axis=0)
    below, above = np.zeros(len(low)), np.full(len(low), 0.5)
    worsts = np.full((1, len(low)), worst)
    for _ in range(_HALVINGS):
        middle = (low + high) / 2
        found = _probability_below_zero(np.vstack([columns, worsts]) - middle)
        excluded = found <= level
        low, below = np.where(excluded, middle, low), np.where(excluded, found, below)
        high, above = np.where(excluded, high, middle), np.where(excluded, above, found)
    with np.errstate(divide="ignore", invalid="ignore"):
        part = np.log(level / below) / np.log(above / below)
    return np.asarray(low + (high - low) * np.where(np.isfinite(part), np.clip(part, 0, 1), 0.0))


def _probability_below_zero(weighted: Floats) -> Floats:
    """For each column, the probability that its sum is at most 0 when each value has a random,
    exponentially distributed weight.

    By the saddlepoint approximation of Lugannani and Rice [5], good to a hundredth of the
    probability.
    """
    largest = np.abs(weighted).max(axis=0)
    weighted = weighted / np.where(largest > 0, largest, 1.0)  # only their proportions matter
    total, least, size = weighted.sum(axis=0), weighted.min(axis=0), 1e-12 * np.abs(weighted).sum(axis=0)
    found = np.where(total > 0, np.where(least < -size, 0.5, 0.0), 1.0)
    mixed = (total > size) & (least < -size)
    if mixed.any():
        found[mixed] = _saddlepoint(weighted[:, mixed])
    return found


def _saddlepoint(weighted: Floats) -> Floats:
    """`_probability_below_zero` where the sum is positive and at least one value is negative.

    `at` is the saddlepoint, where the slope of the cumulant generating function is 0: found by
    Newton's steps, each kept between the ends by bisection. `root` and `slant` are w and u of the
    paper's formula.
    """
    low, high = 1 / weighted.min(axis=0), np.zeros(weighted.shape[1])  # the sum's moments exist between these
    at = low / 2
    for _ in range(60):
        parts = weighted / (1 - at * weighted)
        slope = parts.sum(axis=0)
        low, high = np.where(slope < 0, at, low), np.where(slope < 0, high, at)
        step = at - slope / (parts**2).sum(axis=0)
        nearer = np.where((step > low) & (step < high), step, (low + high) / 2)
        near = np.abs(nearer - at) <= 1e-9 * np.abs(at)
        at = nearer
        if near.all():
            break
    parts = weighted / (1 - at * weighted)
    height = -np.log1p(-at * weighted).sum(axis=0)
    root = -np.sqrt(np.maximum(-2 * height, 1e-12))
    slant = at * np.sqrt((parts**2).sum(axis=0))
    density = np.exp(-(root**2) / 2) / sqrt(2 * np.pi)
    below = np.array([(1 + erf(each / sqrt(2))) / 2 for each in root])
    found: Floats = np.clip(below + density * (1 / root - 1 / slant), 0.0, 0.5)
    return found


# ---- how many questions would be needed ----


def _needed(paired: Floats, maximum: float, configs: int) -> tuple[int | None, int | None, int | None]:
    """About how many questions would be needed, and the ends of the range of that number.

    The range is that of samples like this one: the mean and the spread under random weights (the
    Bayesian bootstrap [6]) over the questions and one more without a difference.
    """
    mean, std = float(paired.mean()), float(paired.std())
    if abs(mean) < 1e-12:
        return None, None, None
    least = max(minimum_sample_size(configs), len(paired) + 1)
    weights = _weights(len(paired) + 1)
    values = np.append(paired * np.sign(mean), 0.0)
    means = weights @ values
    stds = np.sqrt(np.maximum(weights @ values**2 - means**2, 0.0))
    many = _questions_for_power(np.append(means, abs(mean)), np.append(stds, std), maximum, configs)
    about, (first, last) = many[-1], np.quantile(many[:-1], _RANGE)
    never = last >= 0.999 * _MOST_QUESTIONS
    return (
        max(least, ceil(about)),
        max(least, ceil(min(about, first))),
        None if never else max(least, ceil(max(about, last))),
    )


def _questions_for_power(means: Floats, stds: Floats, maximum: float, configs: int) -> Floats:
    """The number of questions that show each mean with probability `POWER`, by the permutation test
    and by Gaffke's bound: the smallest that makes the sum of the differences, less the worst value,
    large enough; by bisection of its logarithm."""
    sure, often = NormalDist().inv_cdf(1 - _one_sided_level(configs)), NormalDist().inv_cdf(POWER)
    low, high = np.zeros(len(means)), np.full(len(means), np.log(_MOST_QUESTIONS))
    for _ in range(30):
        middle = (low + high) / 2
        count = np.exp(middle)
        enough = count * means - maximum >= sure * np.sqrt(count * stds**2 + maximum**2) + often * stds * np.sqrt(count)
        low, high = np.where(enough, low, middle), np.where(enough, middle, high)
    return np.asarray(np.exp(high))


@lru_cache(maxsize=4)
def _weights(rows: int) -> Floats:
    """Random weights that add up to 1, a row for each draw (the Bayesian bootstrap [6])."""
    drawn = np.random.default_rng(SEED).standard_exponential((_DRAWS, rows))
    return np.asarray(drawn / drawn.sum(axis=1, keepdims=True))
