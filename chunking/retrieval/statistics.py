"""Whether a difference is real: means and paired differences over questions, their confidence
intervals, and how many questions would be needed.

Two things have to agree before a difference is said to be shown:

- **The order of the configs could not have come about by chance.** Signs of the differences are
  flipped at random, question by question and in all pairs alike; the largest studentised difference
  of any two configs is what each is held against (max-T, Westfall and Young 1993). So one of
  several differences that looks large by luck is not taken for real.
- **No question that was not asked would undo it.** Scores pile up at 0 and at 1: of 20 questions
  that all go one way by a tenth, one that goes the other way by 1 was perhaps only not drawn. The
  bound of Gaffke (2005; Learned-Miller and Thomas 2020) gives each question a random weight, and
  one more question the worst value that is possible; for values of 0 and 1 that is the bound of
  Clopper and Pearson. Bootstraps and permutations alone are wrong up to 77 times in 100 there
  (`python -m benchmarks.certainty`).

Questions are taken to be drawn independently of each other. The same values give the same numbers,
always.
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
"""Random sets of weights for the range of how many questions would be needed."""
_RANGE = (0.1, 0.9)
_BEYOND = 10
"""Times the highest value that was seen, divided by the questions: so intervals of skewed scores
hold 95 in 100."""
_MOST_QUESTIONS = 10_000_000
"""More questions than this count as never."""
_HALVINGS = 14
"""Of the range in which an end of an interval is looked for; what is left is interpolated."""
_SEED = 20_240_703

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
    """About how many would tell, if the rest are like these; None where it is told already, or the
    means are equal."""
    needed_from: int | None = None
    """Between this and `needed_to` that number lies 8 times in 10: it rests on the same few
    questions."""
    needed_to: int | None = None
    """None also where there may be no difference, which no number of questions would show."""
    together: int = 2
    """How many configs are compared: the intervals of all their differences hold together with 95%
    confidence."""


def within_reach(highest: float, questions: int) -> float:
    """What a question may reach of a metric that never comes near 1, where `highest` is all that
    was seen of it.

    The fewer were asked, the farther above may be what the next one has: with one alone eleven
    times as high.
    """
    return min(1.0, highest * (1 + _BEYOND / questions)) if highest > 0 and questions else 1.0


def reach_words(metric: str, highest: float, most: float) -> str:
    """What is taken for granted where `most` is below 1: the intervals hold for questions that come
    no higher."""
    if most >= 1:
        return ""
    article = "an" if metric[0] in "aeiouI" else "a"
    return f"This assumes that no question has {article} {metric} above {most:.3f} (the highest here is {highest:.3f})."


def interval(values: Sequence[float], most: float = 1.0) -> Interval:
    """The mean of one value for each question, each from 0 to `most`. Raises ValueError without
    any."""
    held = np.asarray(values, dtype=np.float64)
    if not len(held):
        raise ValueError("there is no mean of no questions")
    rest, most = (1 - CONFIDENCE) / 2, max(most, float(held.max()))
    low, below = _lowest(np.column_stack([held, most - held]), 0.0, rest)
    high = most - below
    mean = float(held.mean())
    return Interval(mean, min(mean, float(low)), max(mean, float(high)), float(held.std()))


def difference(before: Sequence[float], after: Sequence[float], most: float = 1.0) -> Difference:
    """How much higher `after` is; both have one value from 0 to `most` for each question, in one
    order."""
    return differences({"before": before, "after": after}, most)["before", "after"]


def differences(values: Mapping[str, Sequence[float]], most: float = 1.0) -> dict[tuple[str, str], Difference]:
    """How much higher each config is than each one named before it, in pairs `(before, after)`, all
    held together.

    Each has one value from 0 to `most` for each question, in one order. Raises ValueError without
    any.
    """
    names = list(combinations(values, 2))
    columns = np.array([list(each) for each in values.values()], dtype=np.float64).T
    if not names:
        return {}
    if not len(columns):
        raise ValueError("there is no difference over no questions")
    before, after = np.array(list(combinations(range(len(values)), 2))).T
    paired = columns[:, after] - columns[:, before]
    most = max(most, float(np.abs(paired).max()))
    rest = _rest(len(values))
    mean, error = paired.mean(axis=0), _standard_errors(paired)
    reach = _critical(paired) * error
    lowest, of_minus = np.split(_lowest(np.hstack([paired, -paired]), -most, rest), 2)
    low, high = np.minimum(lowest, mean - reach), np.maximum(-of_minus, mean + reach)
    found = {}
    for at, pair in enumerate(names):
        ends = max(-most, float(low[at])), min(most, float(high[at]))
        found[pair] = _difference(paired[:, at], ends, most, len(values))
    return found


def shown_below(columns: Floats, best: int, most: float = 1.0) -> npt.NDArray[np.bool_]:
    """Of many configs, a column each and a row for each question: which are shown to be worse than
    the best.

    As `differences`, but that the largest difference of any two is not studentised: so thousands
    can be held together.
    """
    rows, count = columns.shape
    if count < 2 or not rows:
        return np.zeros(count, dtype=np.bool_)
    behind = columns[:, [best]] - columns
    most = max(most, float(np.abs(behind).max()))
    spread = columns - columns.mean(axis=1, keepdims=True)  # makes no difference between two columns
    sums = np.concatenate([np.ptp(_signs(rows)[at : at + 500] @ spread, axis=1) for at in range(0, FLIPS, 500)])
    by_chance = float(np.quantile(sums, 1 - BY_CHANCE, method="higher")) * (1 + 1e-9)
    undone = np.vstack([behind, np.full(count, -most)])
    below: npt.NDArray[np.bool_] = (behind.sum(axis=0) > by_chance) & (_tail(undone) <= _rest(count))
    return below


def minimum_sample_size(configs: int = 2) -> int:
    """Questions below which nothing is shown: that all of them fall on one side is too likely by
    chance.

    Of five that is 6%, of six 3%; between more configs than two it has to be less likely.
    """
    return ceil(log2(1 / _rest(configs)) - 1e-9)


def needed_words(of: Difference) -> str:
    """`about 228 (90 to 1,800) questions would be needed`; "" where there is no such number."""
    if of.questions_needed is None:
        return ""
    end = f"to {of.needed_to:,}" if of.needed_to else "or far more"
    return f"about {of.questions_needed:,} ({of.needed_from:,} {end}) questions would be needed"


def _rest(configs: int) -> float:
    """What is left on one side for the bound: one config is compared with each of the others."""
    return (1 - CONFIDENCE) / 2 / max(1, configs - 1)


def _difference(paired: Floats, ends: tuple[float, float], most: float, configs: int) -> Difference:
    low, high = ends
    verdict: Verdict = "inconclusive"
    if not paired.any():
        verdict = "same"
    elif low > 0 or high < 0:
        verdict = "higher" if low > 0 else "lower"
    about, first, last = _needed(paired, most, configs) if verdict == "inconclusive" else (None, None, None)
    return Difference(float(paired.mean()), low, high, verdict, len(paired), about, first, last, configs)


# ---- chance: signs flipped ----


@lru_cache(maxsize=4)
def _signs(rows: int) -> Floats:
    return np.random.default_rng(_SEED).integers(0, 2, (FLIPS, rows)).astype(np.float64) * 2 - 1


def _standard_errors(paired: Floats) -> Floats:
    rows = len(paired)
    squares = (paired**2).mean(axis=0)
    errors: Floats = np.sqrt(_variance(squares, paired.mean(axis=0)) / max(1, rows - 1))
    return errors


def _variance(squares: Floats, means: Floats) -> Floats:
    """Never quite nothing: where all differences are equal, all that are flipped alike are as large
    as they."""
    kept: Floats = np.maximum(squares - means**2, squares * 1e-12 + 1e-300)
    return kept


def _critical(paired: Floats) -> float:
    """How many standard errors the largest difference stays within by chance, but for 4 times in
    100."""
    rows, squares = len(paired), (paired**2).mean(axis=0)
    told = squares > 0
    if not told.any():
        return 0.0
    means = _signs(rows) @ paired[:, told] / rows
    flipped = np.abs(means) / np.sqrt(_variance(squares[told], means) / max(1, rows - 1))
    return float(np.quantile(flipped.max(axis=1), 1 - BY_CHANCE, method="higher")) * (1 + 1e-9)


# ---- what was not drawn: Gaffke's bound ----


def _lowest(columns: Floats, worst: float, rest: float) -> Floats:
    """For each column the lowest mean that is not excluded: of all that may be, so much lies below.

    `worst` is the lowest value that a question can have.
    """
    low, high = np.full(columns.shape[1], worst), columns.mean(axis=0)
    below, above = np.zeros(len(low)), np.full(len(low), 0.5)
    worsts = np.full((1, len(low)), worst)
    for _ in range(_HALVINGS):
        middle = (low + high) / 2
        found = _tail(np.vstack([columns, worsts]) - middle)
        excluded = found <= rest
        low, below = np.where(excluded, middle, low), np.where(excluded, found, below)
        high, above = np.where(excluded, high, middle), np.where(excluded, above, found)
    with np.errstate(divide="ignore", invalid="ignore"):
        part = np.log(rest / below) / np.log(above / below)
    return np.asarray(low + (high - low) * np.where(np.isfinite(part), np.clip(part, 0, 1), 0.0))


def _tail(weighted: Floats) -> Floats:
    """For each column, how likely its sum is at most 0 when each value has a random weight,
    exponentially distributed.

    By the saddlepoint approximation of Lugannani and Rice (1980), good to a hundredth of the
    probability.
    """
    largest = np.abs(weighted).max(axis=0)
    weighted = weighted / np.where(largest > 0, largest, 1.0)  # only their proportions matter
    total, least, size = weighted.sum(axis=0), weighted.min(axis=0), 1e-12 * np.abs(weighted).sum(axis=0)
    found = np.where(total > 0, np.where(least < -size, 0.5, 0.0), 1.0)
    told = (total > size) & (least < -size)
    if told.any():
        found[told] = _saddlepoint(weighted[:, told])
    return found


def _saddlepoint(weighted: Floats) -> Floats:
    """`_tail` where the sum is positive and one value at least is negative."""
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


def _needed(paired: Floats, most: float, configs: int) -> tuple[int | None, int | None, int | None]:
    """About how many questions would be needed, and the range: weighed anew, with one more that
    makes no difference."""
    mean, std = float(paired.mean()), float(paired.std())
    if abs(mean) < 1e-12:
        return None, None, None
    least = max(minimum_sample_size(configs), len(paired) + 1)
    weights = _weights(len(paired) + 1)
    values = np.append(paired * np.sign(mean), 0.0)
    means = weights @ values
    stds = np.sqrt(np.maximum(weights @ values**2 - means**2, 0.0))
    many = _enough(np.append(means, abs(mean)), np.append(stds, std), most, configs)
    about, (first, last) = many[-1], np.quantile(many[:-1], _RANGE)
    never = last >= 0.999 * _MOST_QUESTIONS
    return (
        max(least, ceil(about)),
        max(least, ceil(min(about, first))),
        None if never else max(least, ceil(max(about, last))),
    )


def _enough(means: Floats, stds: Floats, most: float, configs: int) -> Floats:
    """How many questions show a mean: enough for chance, and for the one that was not drawn."""
    sure, often = NormalDist().inv_cdf(1 - _rest(configs)), NormalDist().inv_cdf(POWER)

    low, high = np.zeros(len(means)), np.full(len(means), np.log(_MOST_QUESTIONS))
    for _ in range(30):
        middle = (low + high) / 2
        count = np.exp(middle)
        enough = count * means - most >= sure * np.sqrt(count * stds**2 + most**2) + often * stds * np.sqrt(count)
        low, high = np.where(enough, low, middle), np.where(enough, middle, high)
    return np.asarray(np.exp(high))


@lru_cache(maxsize=4)
def _weights(rows: int) -> Floats:
    """Random weights that add up to 1, a row for each draw."""
    drawn = np.random.default_rng(_SEED).standard_exponential((_DRAWS, rows))
    return np.asarray(drawn / drawn.sum(axis=1, keepdims=True))
