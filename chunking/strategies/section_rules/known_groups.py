"""The chunks of sections that depend on nothing around them, as an earlier cut of the document made
them: while a threshold moves, most come again as they are."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

from chunking.core.chunk import Skip
from chunking.core.sealed import Sealed
from chunking.document import Span
from chunking.splitting.document_cache import Memo
from chunking.splitting.known_limits import KnownLimits
from chunking.strategies.section_rules.sections import Ending

Step = Skip | tuple[Sealed, Ending]


@dataclass(frozen=True, slots=True)
class Sizes:
    """The settings that sizes are compared with, in tokens."""

    split_above: int
    target_high: int
    min_tokens: int


class KnownSizes:
    """The sizes with which a result is the same; mutable while it is worked out."""

    __slots__ = ("limit", "minimum", "target")

    def __init__(self) -> None:
        self.limit, self.target, self.minimum = KnownLimits(), KnownLimits(), KnownLimits()

    def hold(self, sizes: Sizes) -> bool:
        """Whether the result is the same with these."""
        return (
            self.limit.hold(sizes.split_above)
            and self.minimum.hold(sizes.min_tokens)
            and self.target.hold(sizes.target_high)
        )

    def also(self, other: KnownSizes) -> None:
        """The result depends on another one, which is the same with its own sizes."""
        self.limit.also(other.limit)
        self.target.also(other.target)
        self.minimum.also(other.minimum)


class Others(NamedTuple):
    """All else that a group's chunks are made of, besides the document and the sizes."""

    exclude: tuple[str, ...]
    prefix_labels: tuple[str, ...]
    overlap_tokens: int
    small: str


class Group(NamedTuple):
    """Some sections that follow each other, of whose pieces none is joined with one before or
    behind."""

    others: Others
    known: KnownSizes
    before: Span | None
    """What is kept last of the chunk before."""
    steps: list[Step]
    end: int
    """The number of the section behind them."""
    reached: int
    """Where the last chunk ends."""
    last: Span | None
    """What is kept last of it."""


class KnownGroups(Memo[int, Group]):
    """By the number of the first section what was made last."""
