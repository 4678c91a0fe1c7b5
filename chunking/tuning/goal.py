"""What auto-tune is asked for: one number to make as good as it gets, and conditions that must be
met."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal, get_args

from chunking.config.config import Config
from chunking.errors import GoldError
from chunking.gold.questions import Question
from chunking.retrieval.ranking import Search
from chunking.tuning.summary import INVARIANTS, Invariant, Numbers

Objective = Literal["recall", "iou", "precision-omega", "whole-blocks", "even-sizes", "few-tokens"]
OBJECTIVES: dict[Objective, str] = {
    "recall": "what is retrieved for a question says as much of its answers as possible, in tokens",
    "iou": "what is retrieved says the answers and little else (intersection over union, in tokens)",
    "precision-omega": "chunks that hold answers whole hold little else; what is cut counts nothing",
    "whole-blocks": "as few cuts inside blocks as possible",
    "even-sizes": "as many chunks as possible have a size between the two that are given",
    "few-tokens": "as few tokens to embed as possible",
}
SEARCHED: tuple[Objective, ...] = ("recall", "iou")
"""Those that retrieve, and so need a search."""
ASKED: tuple[Objective, ...] = (*SEARCHED, "precision-omega")
"""Those that need questions with known answers."""
REWARDS_SMALL: tuple[Objective, ...] = ("iou", "precision-omega")
"""Those that small chunks are better at, though they cut the answers."""
_OBJECTIVES: tuple[Objective, ...] = get_args(Objective)


@dataclass(frozen=True, slots=True)
class Goal:
    """An objective, and the conditions. Sizes are tokens by the counter of the configs that are
    tried."""

    objective: Objective = "recall"
    max_chunks: int | None = None
    max_tokens: int | None = None
    """Of the tokens to embed, all documents together."""
    must: tuple[Invariant, ...] = ("nothing-left-out",)
    """By default text may not be left out: that would be the cheapest way to save tokens."""
    retrieved_tokens: int = 1000
    """What is retrieved for a question, at most: every config is asked at the same cost."""
    sizes: tuple[int, int] = (200, 800)
    """For `even-sizes`: the smallest and largest, both included."""
    search: Search = "bm25"
    provider: str = "local"
    model: str = ""
    """The embedder, for a search by vectors."""

    @property
    def unit(self) -> str:
        """What the quality is, in a word or two."""
        names: dict[Objective, str] = {
            "recall": f"token recall within {self.retrieved_tokens:,} retrieved tokens",
            "iou": f"token IoU within {self.retrieved_tokens:,} retrieved tokens",
            "precision-omega": "precision-omega of answers kept whole",
            "whole-blocks": "cuts inside blocks",
            "even-sizes": f"share of chunks of {self.sizes[0]:,} to {self.sizes[1]:,} tokens",
            "few-tokens": "tokens to embed",
        }
        return names[self.objective]

    @property
    def counted(self) -> bool:
        """Whether fewer is better: the quality is then a count with a minus in front."""
        return self.objective in ("whole-blocks", "few-tokens")

    def shown(self, quality: float) -> str:
        """A quality as people write it."""
        return f"{-quality:,.0f}" if self.counted else f"{quality:.3f}"

    def said(self, quality: float) -> str:
        """A quality with its unit: `3 cuts inside blocks`, `token recall ... 0.412`."""
        return f"{self.shown(quality)} {self.unit}" if self.counted else f"{self.unit} {self.shown(quality)}"

    def checked(self, questions: Sequence[Question]) -> None:
        """Raises GoldError for a goal that cannot be measured with what is known."""
        if self.objective in ASKED and not questions:
            raise GoldError(
                f"goal {self.objective}: needs questions with known answers; give some, or take one of "
                f"{', '.join(each for each in _OBJECTIVES if each not in ASKED)}"
            )
        if self.sizes[0] > self.sizes[1]:
            raise GoldError(f"sizes: {self.sizes[0]} is more than {self.sizes[1]}; write the smaller one first")

    def against(self, numbers: Numbers) -> tuple[tuple[str, ...], float]:
        """Which conditions are not met, one phrase each, and how far off they are together; 0.0
        where all are."""
        broken: list[str] = []
        off = 0.0
        limits = (("chunks", numbers.chunks, self.max_chunks), ("tokens", numbers.tokens_to_embed, self.max_tokens))
        for what, count, most in limits:
            if most is not None and count > most:
                broken.append(f"{count:,} {what if count > 1 else what[:-1]}, more than {most:,}")
                off += 1 + (count - most) / max(most, 1)
        for name in INVARIANTS:
            count, _ = numbers.against(name) if name in self.must else (0, "")
            if count:
                broken.append(numbers.against_words(name))
                off += 1 + count / max(numbers.chunks, 1)
        return tuple(broken), off


@dataclass(frozen=True, slots=True)
class Point:
    """One config, measured against a goal."""

    config: Config
    quality: float
    """Higher is better, whatever the objective."""
    numbers: Numbers
    broken: tuple[str, ...]
    """The conditions that it does not meet, one phrase each."""
    off: float
    """How far off they are together; 0 where all are met."""
    values: tuple[float, ...] = ()
    """What the quality is the mean of, for each question in their order; empty for a goal that asks
    none."""
    cuts: tuple[int, ...] = ()
    """For each question, how many of its answers no chunk says whole."""

    @property
    def tokens(self) -> int:
        """To embed."""
        return self.numbers.tokens_to_embed

    @property
    def answers_cut(self) -> int:
        """0 without questions."""
        return self.numbers.answers_cut or 0


@dataclass(frozen=True)
class Tuning:
    """What was tried for a goal. The answer is a frontier and not one config: what quality costs is
    for a person."""

    goal: Goal
    points: tuple[Point, ...]
    """Every config that was measured, in that order."""
    possible: int
    """How many there are in the space, illegal ones included."""
    exhaustive: bool
    """Whether all of them were tried."""

    @property
    def meeting(self) -> tuple[Point, ...]:
        """Those that meet all conditions."""
        return tuple(point for point in self.points if not point.broken)

    @property
    def eligible(self) -> tuple[Point, ...]:
        """Those of them that may be the best: where small chunks are better, only those that cut
        the fewest answers.

        They hold little beside an answer, and cut it: none is recommended for that.
        """
        meeting = self.meeting
        if self.goal.objective not in REWARDS_SMALL or not meeting:
            return meeting
        fewest = min(point.answers_cut for point in meeting)
        return tuple(point for point in meeting if point.answers_cut == fewest)

    @property
    def frontier(self) -> tuple[Point, ...]:
        """Of those, the ones that no other betters in quality without more tokens to embed; fewest
        tokens first.

        None has the highest quality that cuts more answers than another of the same quality.
        """
        eligible = self.eligible
        highest = max((point.quality for point in eligible), default=0.0)
        fewest = min((point.answers_cut for point in eligible if point.quality == highest), default=0)
        return frontier_of([each for each in eligible if each.quality < highest or each.answers_cut == fewest])

    @property
    def best(self) -> Point | None:
        """The highest quality there is, of these what cuts the fewest answers, for the fewest
        tokens; None where no config meets all conditions."""
        return self.frontier[-1] if self.frontier else None

    @property
    def nearest(self) -> Point | None:
        """Where none meets all conditions: the one that is off by least. None where nothing was
        measured."""
        if self.meeting or not self.points:
            return None
        return min(self.points, key=lambda point: (point.off, -point.quality, point.tokens))


def frontier_of(points: Sequence[Point]) -> tuple[Point, ...]:
    """The points that no other betters in one of quality and tokens without losing in the other,
    fewest tokens first.

    Of equals the first that was measured.
    """
    best: list[Point] = []
    for point in sorted(points, key=lambda each: (each.tokens, -each.quality)):
        if not best or point.quality > best[-1].quality:
            best.append(point)
    return tuple(best)
