"""Recall and IoU against the tokens that are retrieved: a curve for each config, and its area as
one number.

One budget favours chunks that happen to fill it; a curve shows what every budget buys. Budgets are
spaced evenly on a logarithmic axis, as the area is.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from math import log

from chunking.document import Document
from chunking.errors import GoldError
from chunking.gold.questions import Question
from chunking.retrieval.ir_metrics import in_characters, scores
from chunking.retrieval.passages import Mode, Passage
from chunking.retrieval.ranking import Searcher
from chunking.retrieval.returned import GiveBack, Retrieved, span_tokens
from chunking.retrieval.statistics import Difference, Interval, assumed_maximum, differences, interval
from chunking.text.spans import Length
from chunking.tokens.registry import EXACT

BUDGETS = (250, 500, 1_000, 2_000, 4_000, 8_000)
"""Tokens that may be retrieved for a question."""
CURVES = ("recall", "iou")
"""The metrics that have curves, in characters."""


@dataclass(frozen=True)
class Curve:
    """What one config finds at each budget."""

    budgets: tuple[int, ...]
    """In tokens, ascending."""
    values: Mapping[str, tuple[tuple[float, ...], ...]]
    """By metric of `CURVES`: for each budget one value from 0 to 1 for each question."""
    tokens: tuple[float, ...]
    """For each budget, the mean of the tokens that are retrieved: at most the budget."""

    def areas(self, metric: str) -> tuple[float, ...]:
        """For each question, the mean height of its curve over the logarithm of the budget, from 0
        to 1: the area under it, of an axis of length 1."""
        columns = zip(*self.values[metric], strict=True)
        return tuple(_mean_height(self.budgets, column) for column in columns)

    def highest(self, metric: str) -> float:
        """The highest value of any question at any budget."""
        return max(map(max, self.values[metric]))


@dataclass(frozen=True, slots=True)
class CurvePoint:
    """One budget: the mean over the questions, with its interval."""

    budget: int
    tokens: float
    """Retrieved, mean over the questions."""
    value: Interval


def curve(
    passages: Sequence[Passage],
    questions: Sequence[Question],
    documents: Sequence[Document],
    searcher: Searcher,
    *,
    mode: Mode = "strict",
    counted_by: str = EXACT,
    budgets: Sequence[int] = BUDGETS,
    give_back: GiveBack | None = None,
    progress: Callable[[int, int], None] | None = None,
) -> Curve:
    """Measure passages at every budget; for each question as many are retrieved, best first, as fit
    in it.

    `counted_by` is what counts the passages' tokens; `give_back` is as of `evaluate`; `progress` is
    called with the questions done and their number. Raises ModelError, and GoldError for budgets
    that do not rise.
    """
    if len(budgets) < 2 or budgets[0] < 1 or any(a >= b for a, b in pairwise(budgets)):
        raise GoldError(f"budgets {', '.join(map(str, budgets))}: give at least two, each more than the one before")
    sizes = span_tokens(documents, counted_by)
    lengths: dict[str, Length] = {document.name: in_characters for document in documents}
    searcher.embed_questions([question.text for question in questions])
    recall: list[list[float]] = [[] for _ in budgets]
    iou: list[list[float]] = [[] for _ in budgets]
    spent = [0] * len(budgets)
    for number, question in enumerate(questions, start=1):
        taken, filled = Retrieved(passages, sizes, give_back), 0
        given, before = list[Passage](), 0
        for at in searcher.ranking(question.text):
            now = taken.add(at)
            while filled < len(budgets) and now > budgets[filled]:
                found = scores(question, given, lengths, mode)
                recall[filled].append(found.recall)
                iou[filled].append(found.iou)
                spent[filled] += before
                filled += 1
            if filled == len(budgets):
                break
            given, before = taken.given, now
        found = scores(question, given, lengths, mode)
        for rest in range(filled, len(budgets)):  # all that was ranked fits
            recall[rest].append(found.recall)
            iou[rest].append(found.iou)
            spent[rest] += before
        if progress:
            progress(number, len(questions))
    values = {"recall": tuple(map(tuple, recall)), "iou": tuple(map(tuple, iou))}
    return Curve(tuple(budgets), values, tuple(tokens / len(questions) for tokens in spent))


def curve_points(curves: Mapping[str, Curve], metric: str) -> dict[str, tuple[CurvePoint, ...]]:
    """The curve of each config with its band: a 95% interval at each budget, by itself."""
    most = curve_maximum(curves, metric)
    return {
        name: tuple(
            CurvePoint(budget, tokens, interval(values, most))
            for budget, tokens, values in zip(of.budgets, of.tokens, of.values[metric], strict=True)
        )
        for name, of in curves.items()
    }


def areas(curves: Mapping[str, Curve], metric: str) -> dict[str, Interval]:
    """The area under each config's curve, with its 95% interval."""
    most = curve_maximum(curves, metric)
    return {name: interval(of.areas(metric), most) for name, of in curves.items()}


def areas_compared(curves: Mapping[str, Curve], metric: str) -> dict[tuple[str, str], Difference]:
    """How much larger each config's area is than that of each one named before it, on the same
    questions; all intervals hold together."""
    values = {name: of.areas(metric) for name, of in curves.items()}
    return differences(values, curve_maximum(curves, metric))


def curve_maximum(curves: Mapping[str, Curve], metric: str) -> float:
    """The highest value that a question may have: 1, or what is assumed of IoU, which never comes
    near 1."""
    if metric != "iou":
        return 1.0
    questions = max(len(of.values[metric][0]) for of in curves.values())
    return assumed_maximum(max(of.highest(metric) for of in curves.values()), questions)


def _mean_height(budgets: Sequence[int], values: Sequence[float]) -> float:
    """The trapezoids under the points over the logarithm of the budget, by the width of all."""
    ends = [log(budget) for budget in budgets]
    parts = [(b - a) * (low + high) / 2 for (a, b), (low, high) in zip(pairwise(ends), pairwise(values), strict=True)]
    return min(1.0, sum(parts) / (ends[-1] - ends[0]))
