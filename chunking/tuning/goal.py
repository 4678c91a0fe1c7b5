"""The goal of auto-tune, an objective and requirements; and its result, measured points and their
Pareto frontier."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal, get_args

from chunking.analysis.metric_table import share_text
from chunking.config.config import Config
from chunking.errors import GoldError
from chunking.gold.questions import Question
from chunking.retrieval.ranking import Search
from chunking.tuning.summary import INVARIANTS, ConfigSummary, Invariant

Objective = Literal["recall", "iou", "precision-omega", "whole-blocks", "even-sizes", "few-tokens"]
OBJECTIVES: dict[Objective, str] = {
    "recall": "what is retrieved for a question has as much of its answers as possible, in tokens",
    "iou": "what is retrieved has the answers and little else (intersection over union, in tokens)",
    "precision-omega": "chunks that contain whole answers contain little else; what is cut counts nothing",
    "whole-blocks": "as few blocks cut in two as possible, of any kind; each boundary inside a block counts",
    "even-sizes": "as many chunks as possible have a size between the two that are given",
    "few-tokens": "as few tokens to embed as possible",
}
SEARCHED: tuple[Objective, ...] = ("recall", "iou")
"""Objectives that retrieve, and so need a search."""
NEED_QUESTIONS: tuple[Objective, ...] = (*SEARCHED, "precision-omega")
"""Objectives that need questions with known answers."""
REWARDS_SMALL: tuple[Objective, ...] = ("iou", "precision-omega")
"""Objectives that are better for small chunks, even where these cut answers."""
_OBJECTIVES: tuple[Objective, ...] = get_args(Objective)
NEARLY, CHEAPER = 5, 10
"""Nearly as good is what comes within so many percent of the best value and takes at least so many
percent fewer tokens."""
NEARLY_AS_GOOD = (
    f"within {NEARLY}% of the best value, with at least {CHEAPER}% fewer tokens and no more answers cut or left out"
)


@dataclass(frozen=True, slots=True)
class Goal:
    """An objective and the requirements. Sizes are tokens by the counter of the configs."""

    objective: Objective = "recall"
    max_chunks: int | None = None
    max_tokens: int | None = None
    """Limit of the tokens to embed of all documents together."""
    must: tuple[Invariant, ...] = ("nothing-left-out",)
    """Conditions. By default text may not be left out: that would be the cheapest way to save
    tokens."""
    retrieved_tokens: int = 1000
    """Maximum retrieved for a question, so that all configs are compared at the same cost."""
    sizes: tuple[int, int] = (200, 800)
    """For `even-sizes`: the smallest and largest, both included."""
    search: Search = "bm25"
    provider: str = "local"
    model: str = ""
    """The embedder, for a search by vectors."""

    @property
    def unit(self) -> str:
        """The name of the quality, in a few words."""
        names: dict[Objective, str] = {
            "recall": f"token recall within {self.retrieved_tokens:,} retrieved tokens",
            "iou": f"token IoU within {self.retrieved_tokens:,} retrieved tokens",
            "precision-omega": "precision-omega of answers kept whole",
            "whole-blocks": "boundaries inside blocks",
            "even-sizes": f"share of chunks of {self.sizes[0]:,} to {self.sizes[1]:,} tokens",
            "few-tokens": "tokens to embed",
        }
        return names[self.objective]

    @property
    def counted(self) -> bool:
        """Whether fewer is better: the quality is then a count with a minus in front."""
        return self.objective in ("whole-blocks", "few-tokens")

    @property
    def is_cost(self) -> bool:
        """Whether its quality is the cost itself, the tokens to embed."""
        return self.objective == "few-tokens"

    def shown(self, quality: float) -> str:
        """A quality as a number for people."""
        if self.objective == "even-sizes":
            return share_text(quality, 1)
        return f"{-quality:,.0f}" if self.counted else f"{quality:.3f}"

    def sentence(self, quality: float) -> str:
        """A quality with its unit: `3 boundaries inside blocks`, `token recall ... 0.412`."""
        return f"{self.shown(quality)} {self.unit}" if self.counted else f"{self.unit} {self.shown(quality)}"

    def checked(self, questions: Sequence[Question]) -> None:
        """Raises GoldError for a goal that cannot be measured: no questions, or sizes out of
        order."""
        if self.objective in NEED_QUESTIONS and not questions:
            raise GoldError(
                f"goal {self.objective}: needs questions with known answers; give some, or take one of "
                f"{', '.join(each for each in _OBJECTIVES if each not in NEED_QUESTIONS)}"
            )
        if self.sizes[0] > self.sizes[1]:
            raise GoldError(f"sizes: {self.sizes[0]} is more than {self.sizes[1]}; write the smaller one first")

    def violations(self, summary: ConfigSummary) -> tuple[tuple[str, ...], float]:
        """The requirements that are not met, one phrase each, and by how much in all; 0.0 where all
        are met."""
        broken: list[str] = []
        off = 0.0
        limits = (("chunks", summary.chunks, self.max_chunks), ("tokens", summary.tokens_to_embed, self.max_tokens))
        for what, count, most in limits:
            if most is not None and count > most:
                broken.append(f"{count:,} {what if count > 1 else what[:-1]}, more than {most:,}")
                off += 1 + (count - most) / max(most, 1)
        for name in INVARIANTS:
            count, _ = summary.violation(name) if name in self.must else (0, "")
            if count:
                broken.append(summary.violation_words(name))
                off += 1 + count / max(summary.chunks, 1)
        return tuple(broken), off


@dataclass(frozen=True, slots=True)
class Point:
    """One config, measured against a goal."""

    config: Config
    quality: float
    """Higher is better, whatever the objective."""
    summary: ConfigSummary
    broken: tuple[str, ...]
    """The requirements that are not met, one phrase each."""
    off: float
    """How far the requirements are from being met in all; 0 where all are."""
    values: tuple[float, ...] = ()
    """The value of each question, of which the quality is the mean; empty without questions."""
    cuts: tuple[int, ...] = ()
    """For each question, the number of its answers that no chunk contains whole."""

    @property
    def tokens(self) -> int:
        """Tokens to embed."""
        return self.summary.tokens_to_embed

    @property
    def answers_cut(self) -> int:
        """Answers that no chunk contains whole; 0 without questions."""
        return self.summary.answers_cut or 0


@dataclass(frozen=True)
class Tuning:
    """The configs that were tried for a goal. The result is a frontier and not one config: a person
    decides what quality may cost."""

    goal: Goal
    points: tuple[Point, ...]
    """Every config that was measured, in that order."""
    possible: int
    """The number of configs in the space, illegal ones included."""
    exhaustive: bool
    """Whether all of them were tried."""
    settled: bool = False
    """Whether the search ended because more trials could not matter (settled.py)."""

    def point_of(self, config: Config) -> Point | None:
        """The point of this config; None where it was not tried."""
        return next((point for point in self.points if point.config == config), None)

    @property
    def meeting(self) -> tuple[Point, ...]:
        """The points that meet all requirements."""
        return tuple(point for point in self.points if not point.broken)

    @property
    def eligible(self) -> tuple[Point, ...]:
        """The points that may be the best: those that meet all requirements and, where the
        objective is better for small chunks, cut the fewest answers.
        """
        meeting = self.meeting
        if self.goal.objective not in REWARDS_SMALL or not meeting:
            return meeting
        fewest = min(point.answers_cut for point in meeting)
        return tuple(point for point in meeting if point.answers_cut == fewest)

    @property
    def frontier(self) -> tuple[Point, ...]:
        """The Pareto-optimal eligible points by quality and tokens to embed, fewest tokens first.

        Of the points with the highest quality, only those that cut the fewest answers.
        """
        eligible = self.eligible
        highest = max((point.quality for point in eligible), default=0.0)
        fewest = min((point.answers_cut for point in eligible if point.quality == highest), default=0)
        return frontier_of([each for each in eligible if each.quality < highest or each.answers_cut == fewest])

    @property
    def best(self) -> Point | None:
        """The point of the highest quality, then the fewest answers cut, then the fewest tokens;
        None where no config meets all requirements."""
        return self.frontier[-1] if self.frontier else None

    @property
    def nearly_as_good(self) -> Point | None:
        """The eligible point of the fewest tokens within `NEARLY` of the best value, with at least
        `CHEAPER` fewer tokens than the best and no more answers cut; of several the better, then
        the first that was measured. None where there is no such point."""
        best = self.best
        if best is None:
            return None
        good = best.quality - abs(best.quality) * NEARLY / 100
        found = (
            point
            for point in self.eligible
            if point.quality >= good
            and 100 * point.tokens <= (100 - CHEAPER) * best.tokens
            and point.answers_cut <= best.answers_cut
        )
        return min(found, key=lambda point: (point.tokens, -point.quality), default=None)

    @property
    def near_misses(self) -> tuple[Point, ...]:
        """The points of at least the best value that need fewer tokens and do not meet all
        requirements; where the objective is better for small chunks, only those that cut no more
        answers."""
        best = self.best
        if best is None:
            return ()
        rewards_small = self.goal.objective in REWARDS_SMALL
        return tuple(
            point
            for point in self.points
            if point.broken
            and point.quality >= best.quality
            and point.tokens < best.tokens
            and not (rewards_small and point.answers_cut > best.answers_cut)
        )

    @property
    def nearest(self) -> Point | None:
        """The point that is nearest to meeting all requirements; None where one meets them, or
        nothing was measured."""
        if self.meeting or not self.points:
            return None
        return min(self.points, key=lambda point: (point.off, -point.quality, point.tokens))


def frontier_of(points: Sequence[Point]) -> tuple[Point, ...]:
    """The Pareto-optimal points by quality and tokens, fewest tokens first.

    Of equal ones the first that was measured.
    """
    best: list[Point] = []
    for point in sorted(points, key=lambda each: (each.tokens, -each.quality)):
        if not best or point.quality > best[-1].quality:
            best.append(point)
    return tuple(best)
