"""How far what auto-tune found can be trusted: the questions that it chooses by are the ones that it is scored on.

The best of many configs is best by luck as well. So what is chosen by some of the questions is measured on the others,
again and again (cross-validation), and every config is named that is not shown to be worse than the best.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from chunking.certainty import Floats, Interval, fewest, interval, shown_below
from chunking.config_url import query_of
from chunking.showing import shown_text
from chunking.tuning_goal import Point, Tuning

FOLDS = 5
REPEATS = 20
"""How often the questions are dealt out anew."""
_SEED = 20_240_703


@dataclass(frozen=True)
class Evidence:
    """What the questions say, and do not say, of the configs that meet all conditions."""

    questions: int
    held_out: Interval | None
    """What the config that some questions choose is worth on the others; None with one question alone."""
    not_worse: tuple[Point, ...]
    """The best and all that are not shown to be worse, in the order of the search."""
    most: float
    """The highest value that a question is taken to reach."""

    def interval(self, point: Point) -> Interval:
        """A config's mean over the questions, which it may have been chosen by."""
        return interval(point.values, self.most)


def evidence(found: Tuning) -> Evidence | None:
    """Of a goal that asks questions; None for others, and where no config meets all conditions."""
    best, meeting = found.best, [point for point in found.eligible if point.values]
    if best is None or not best.values:
        return None
    columns = np.array([point.values for point in meeting], dtype=np.float64).T
    most = 1.0 if found.goal.objective == "recall" else float(columns.max()) or 1.0
    held_out = _held_out(columns, [point.tokens for point in meeting])
    worse = shown_below(columns, meeting.index(best), most)
    kept = tuple(point for point, below in zip(meeting, worse, strict=True) if not below)
    return Evidence(len(columns), interval(held_out, most) if len(held_out) else None, kept, most)


def _held_out(columns: Floats, tokens: Sequence[int]) -> list[float]:
    """For each question, the mean over the repeats of what the config has on it that is best on the other folds.

    `columns` has a row for each question, a column for each config; of equal configs the one with fewer tokens.
    """
    rows = len(columns)
    if rows < 2:
        return []
    order = np.argsort(tokens, kind="stable")
    drawn, total = np.random.default_rng(_SEED), np.zeros(rows)
    for _ in range(REPEATS):
        for fold in np.array_split(drawn.permutation(rows), min(FOLDS, rows)):
            others = columns.sum(axis=0) - columns[fold].sum(axis=0)
            # Rounded: sums of the same values in another order must not decide.
            chosen = order[int(np.argmax(np.round(others[order], 9)))]
            total[fold] += columns[fold, chosen]
    return [float(value) for value in total / REPEATS]


def trust_words(found: Tuning, of: Evidence) -> str:
    """What the best is worth on other questions, and how many are as good for all that is known."""
    best = found.best
    if best is None:
        return ""
    said, met = [], len(found.eligible)
    asked = f"{of.questions:,} question{'' if of.questions == 1 else 's'}"
    if of.held_out:
        held = of.held_out
        others = f"{held.mean:.3f} ({held.low:.3f} to {held.high:.3f})"
        said.append(f"Chosen by some of the questions and measured on the others (cross-validation): {others};")
        said.append(f"the best has {best.quality:.3f} on the {asked} that it was chosen by.")
    equals = len(of.not_worse) - 1
    which = "cut as few answers" if met < len(found.meeting) else "meet all conditions"
    said.append(f"Of the {met - 1:,} other configs that {which}, {equals:,} are not shown to be worse.")
    said.append(_cutting_less(best, of))
    said.append(_cutting_more(best, found))
    least = fewest(met)
    if of.questions < least:
        said.append(f"Fewer than {least} questions show nothing between {met:,} configs.")
    elif met > 1 and 2 * equals > met:
        said.append(f"{asked} are too few to tell most of them apart.")
    return " ".join(each for each in said if each)


def _cutting_more(best: Point, found: Tuning) -> str:
    """The config that is better by the goal's own measure, and is not recommended for cutting more answers."""
    more = [point for point in found.meeting if point.answers_cut > best.answers_cut and point.quality > best.quality]
    if found.goal.objective != "precision-omega" or not more:
        return ""
    first = max(more, key=lambda point: point.quality)
    return f"{config_words(first)} has {first.quality:.3f}, but cuts {first.answers_cut:,}: not recommended for that."


def _cutting_less(best: Point, of: Evidence) -> str:
    """The config that cuts fewer answers and is not shown to be worse, where there is one."""
    cut = best.answers_cut
    fewer = min(of.not_worse, key=lambda point: (point.answers_cut, -point.quality, point.tokens))
    if fewer.answers_cut >= cut:
        return f"The best cuts {cut:,} answers." if cut else "The best cuts no answer."
    counts = f"The best cuts {cut:,} answers; {config_words(fewer)} cuts {fewer.answers_cut:,}"
    return f"{counts} and is not shown to be worse ({fewer.quality:.3f})."


def config_words(point: Point) -> str:
    """A config in a few words: `fixed chunkSize=40`."""
    strategy = point.config.strategy
    changed = {name: value for name, value in query_of(strategy).items() if name != "strategy"}
    return " ".join([strategy.name, *(f"{name}={shown_text(value, 60)}" for name, value in changed.items())])
