"""When more trials cannot matter: no config that there could be would be shown to be better than
the best, and the frontier has not moved for a while.

Only a goal with questions ends so, for its trials are slow. Those of the others are quick, and a
cheaper config may still come where none can be better."""

from __future__ import annotations

from collections.abc import Sequence

from chunking.retrieval.statistics import difference
from chunking.text import counted
from chunking.tuning.goal import NEED_QUESTIONS, Goal, Point, Tuning

PATIENCE = 30
"""Trials without a change of the frontier: a cheaper config may still come."""


class Settling:
    """Watches a search, point by point."""

    def __init__(self, goal: Goal) -> None:
        self._goal = goal
        self._points: list[Point] = []
        self._frontier: tuple[Point, ...] = ()
        self._unmoved = 0

    def settled(self, point: Point) -> bool:
        """Whether more trials cannot matter, now that this point is measured."""
        self._points.append(point)
        found = Tuning(self._goal, tuple(self._points), 0, exhaustive=False)
        before, self._frontier = self._frontier, found.frontier
        self._unmoved = self._unmoved + 1 if self._frontier == before else 0
        return self._unmoved >= PATIENCE and bool(nothing_better(found))


def nothing_better(found: Tuning) -> str:
    """Why no config could be shown to be better than the best, as a sentence; "" where one
    could, and for a goal without questions."""
    best = found.best
    return _no_perfect_one(best.values) if best and found.goal.objective in NEED_QUESTIONS else ""


def _no_perfect_one(values: Sequence[float]) -> str:
    """By comparing the best with a config that would be perfect on every question."""
    of = difference(values, (1.0,) * len(values))
    if of.verdict == "higher":
        return ""
    if of.verdict == "same":
        return "No config can be better: every question has the highest value."
    questions = counted(len(values), "question")
    return (
        f"With {questions} even a config that is perfect on each could not be shown to be better "
        f"({of.mean:.3f} above the best, with 95% confidence {of.low:.3f} to {of.high:.3f})."
    )
