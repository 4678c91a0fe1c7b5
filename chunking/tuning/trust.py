"""How reliable the result of auto-tune is, given that it is chosen and scored by the same
questions.

The best of many configs is partly best by luck. So configs are chosen by some of the questions and
measured on the others (repeated cross-validation), and every config that is not shown to be worse
than the best is reported too.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from math import sqrt
from types import MappingProxyType

import numpy as np

from chunking.config.config import Config
from chunking.config.url import query_of
from chunking.retrieval.statistics import (
    Floats,
    Interval,
    assumed_maximum,
    assumption_words,
    interval,
    minimum_sample_size,
    shown_worse,
)
from chunking.text.display import be, counted, shown_text
from chunking.tuning.goal import REWARDS_SMALL, Point, Tuning
from chunking.tuning.summary import Invariant

FOLDS = 5
REPEATS = 20
"""How many times the questions are divided into folds at random."""
_WIDER = sqrt(1 + FOLDS / (FOLDS - 1))
"""Factor of the half-width of an interval over folds, see `_together`."""
_SEED = 20_240_703


@dataclass(frozen=True)
class Evidence:
    """What the questions show about the configs that meet all requirements."""

    questions: int
    held_out: Interval | None
    """What the config that some questions choose is worth on the others; None with one question
    alone."""
    not_worse: tuple[Point, ...]
    """The best and all that are not shown to be worse, in the order of the search."""
    most: float
    """The highest value that a question is taken to reach."""

    def interval(self, point: Point) -> Interval:
        """A config's mean over the questions, which it may have been chosen by."""
        return interval(point.values, self.most)


def evidence(found: Tuning) -> Evidence | None:
    """What the questions show, for a goal that needs questions; None for other goals, and where no
    config meets all requirements."""
    best, meeting = found.best, [point for point in found.eligible if point.values]
    if best is None or not best.values:
        return None
    columns = np.array([point.values for point in meeting], dtype=np.float64).T
    most = assumed_maximum(float(columns.max()), len(columns)) if found.goal.objective == "iou" else 1.0
    # Which configs cut the fewest answers is also found by some of the questions alone, where the
    # cuts are known for each question.
    every = [point for point in found.meeting if point.values]
    sparing = found.goal.objective in REWARDS_SMALL and all(point.cuts for point in every)
    held_out = _held_out(every if sparing else meeting, sparing=sparing)
    worse = shown_worse(columns, meeting.index(best), most)
    not_worse = tuple(point for point, below in zip(meeting, worse, strict=True) if not below)
    return Evidence(len(columns), _together(held_out, most), not_worse, most)


def _together(held_out: Floats, most: float) -> Interval | None:
    """The mean of the held-out values, and the mean low and high ends of the repeats' intervals: a
    mean of several varies less than any one of them.

    The ends are moved out by a half: every question has helped to choose for others, so that the
    folds are no independent measurements. With 5 of them the variance is 2.25 times as large.
    Source: Nadeau and Bengio (2003), Inference for the Generalization Error.
    """
    if not held_out.size:
        return None
    each = [interval(row.tolist(), most) for row in held_out]
    mean, low, high, std = np.mean([(of.mean, of.low, of.high, of.std) for of in each], axis=0).tolist()
    return Interval(mean, max(0.0, mean - _WIDER * (mean - low)), min(most, mean + _WIDER * (high - mean)), std)


def _held_out(points: Sequence[Point], *, sparing: bool) -> Floats:
    """For each repeat and each question, the value there of the config that is best on the other
    folds; shape (repeats, questions), (0, 0) with fewer than two questions.

    With `sparing`, the config is the best of those that cut the fewest answers to the other folds'
    questions. Of equal configs the one that cuts fewer counts as best, then the one with fewer
    tokens.
    """
    # A row for each question, a column for each config.
    columns = np.array([point.values for point in points], dtype=np.float64).T
    rows = len(columns)
    if rows < 2:
        return np.zeros((0, 0))
    cuts = np.array([point.cuts or (0,) * rows for point in points], dtype=np.int64).T
    tokens = np.array([point.tokens for point in points])
    drawn, found = np.random.default_rng(_SEED), np.zeros((REPEATS, rows))
    for repeat in range(REPEATS):
        for fold in np.array_split(drawn.permutation(rows), min(FOLDS, rows)):
            # Rounded: sums of the same values in another order must not decide.
            others = np.round(columns.sum(axis=0) - columns[fold].sum(axis=0), 9)
            cut = cuts.sum(axis=0) - cuts[fold].sum(axis=0)
            keys = (tokens, -others, cut) if sparing else (tokens, cut, -others)
            found[repeat, fold] = columns[fold, int(np.lexsort(keys)[0])]
    return found


def certain_words(found: Tuning, of: Evidence) -> str:
    """Whether the best is shown to be better than the others, in one plain sentence; "" where it
    is the only one."""
    others, equals = len(found.eligible) - 1, len(of.not_worse) - 1
    if found.best is None or not others:
        return ""
    questions = counted(of.questions, "question")
    if not equals:
        return f"It is shown to be better than {'the other' if others == 1 else f'each of the {others:,} others'}."
    share = "The other" if others == 1 else f"{equals:,} of the {others:,} others"
    too_few = f"{questions} {be(of.questions)} too few to tell"
    return f"That it is the best is not certain: {share[:1].lower()}{share[1:]} may be as good ({too_few})."


def trust_words(found: Tuning, of: Evidence, named: Callable[[Config], str] | None = None) -> str:
    """What the best is worth on other questions, and how many are as good for all that is known.
    `named` says a config in a few words; left out, as a YAML names it."""
    best = found.best
    if best is None:
        return ""
    sentences, met = [], len(found.eligible)
    questions = counted(of.questions, "question")
    if of.held_out:
        estimate = of.held_out
        others = f"{estimate.mean:.3f} ({estimate.low:.3f} to {estimate.high:.3f})"
        sentences.append(f"Chosen by some of the questions and measured on the others (cross-validation): {others};")
        sentences.append(f"the best has {best.quality:.3f} on the {questions} that it was chosen by.")
    equals = len(of.not_worse) - 1
    which = ("cuts or leaves out as few answers", "cut or leave out as few answers")
    if met == len(found.meeting):
        which = ("meets all requirements", "meet all requirements")
    sentences.append(_not_worse(met - 1, equals, which))
    sentences.append(_cutting_less(best, of, named or config_words))
    sentences.append(_cutting_more(best, found, named or config_words))
    highest = max(value for point in found.eligible for value in point.values)
    sentences.append(assumption_words("token IoU", highest, of.most))
    least = minimum_sample_size(met)
    if of.questions < least:
        sentences.append(f"Fewer than {least} questions show nothing between {met:,} configs.")
    elif met > 1 and 2 * equals > met:
        sentences.append(f"{questions} {be(of.questions)} too few to tell most of them apart.")
    return " ".join(each for each in sentences if each)


def _not_worse(others: int, equals: int, which: tuple[str, str]) -> str:
    """How many of the other configs are as good for all that is known; `which` they are, of one and
    of several."""
    one, several = which
    if not others:
        return f"No other config {one}."
    if others == 1:
        return f"The only other config that {one} is {'not ' if equals else ''}shown to be worse."
    count = {0: "all are", 1: "1 is not"}.get(equals, f"{equals:,} are not")
    return f"Of the {others:,} other configs that {several}, {count} shown to be worse."


def _cutting_more(best: Point, found: Tuning, named: Callable[[Config], str]) -> str:
    """The config that is better by the goal's own measure, and is not recommended for cutting more
    answers."""
    more = [point for point in found.meeting if point.answers_cut > best.answers_cut and point.quality > best.quality]
    if found.goal.objective not in REWARDS_SMALL or not more:
        return ""
    first = max(more, key=lambda point: point.quality)
    has = f"{named(first.config)} has {first.quality:.3f}, but cuts or leaves out {answer_words(first.answers_cut)}"
    return f"{has}: not recommended for that."


def _cutting_less(best: Point, of: Evidence, named: Callable[[Config], str]) -> str:
    """The config that cuts fewer answers and is not shown to be worse, where there is one."""
    cut = best.answers_cut
    fewer = min(of.not_worse, key=lambda point: (point.answers_cut, -point.quality, point.tokens))
    if fewer.answers_cut >= cut:
        return f"The best cuts or leaves out {answer_words(cut)}."
    counts = f"The best cuts or leaves out {answer_words(cut)}; {named(fewer.config)} has {fewer.answers_cut or 'none'}"
    return f"{counts} of these and is not shown to be worse ({fewer.quality:.3f})."


def nearly_words(found: Tuning) -> str:
    """What the config that is nearly as good has, and what it saves: `0.861 at 16,522 tokens (19%
    fewer)`; "" where there is none."""
    best, point, goal = found.best, found.nearly_as_good, found.goal
    if best is None or point is None:
        return ""
    has = goal.sentence(point.quality) if goal.counted else goal.shown(point.quality)
    return f"{has} at {point.tokens:,} tokens ({1 - point.tokens / best.tokens:.0%} fewer)"


def answer_words(count: int) -> str:
    """`no answer`, `1 answer`, `12 answers`."""
    return counted(count, "answer") if count else "no answer"


def config_words(config: Config) -> str:
    """A config in a few words: `fixed chunkSize=40`."""
    strategy = config.strategy
    changed = {name: value for name, value in query_of(strategy).items() if name != "strategy"}
    return " ".join([strategy.name, *(f"{name}={shown_text(value, 60)}" for name, value in changed.items())])


def near_misses_words(found: Tuning, names: Mapping[Invariant, str] = MappingProxyType({})) -> str:
    """What the cheaper configs of at least the best value do not meet: "3 configs of at least this
    value are cheaper, but miss: code whole (2), lists whole (1)."; "" where there are none. `names`
    are the requirements' names in it."""
    near, goal = found.near_misses, found.goal
    if not near:
        return ""
    missed = Counter(names.get(name, name) for point in near for name in point.summary.broken if name in goal.must)
    if goal.max_chunks is not None:  # at most so many tokens is never missed by less than the best has
        missed[f"at most {goal.max_chunks:,} chunks"] += sum(each.summary.chunks > goal.max_chunks for each in near)
    what = ", ".join(f"{name} ({count:,})" for name, count in missed.most_common() if count)
    value = "" if goal.is_cost else " of at least this value"
    miss = "misses" if len(near) == 1 else "miss"
    return f"{counted(len(near), 'config')}{value} {be(len(near))} cheaper, but {miss}: {what}."
