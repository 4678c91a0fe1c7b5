"""The parts of a run as a sequence whose chunks are made when they are read: most of what is asked
of a run, such as its sizes, needs none of them.

    plan = Plan(document, steps, boundary)
    plan.at_once(self.name)    # for a run
    plan.one_by_one(tools)     # for a cut that is asked for no more than its first parts
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from bisect import bisect_left
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import chain
from operator import attrgetter, itemgetter
from typing import Generic, Protocol, TypeVar, overload

import numpy as np

from chunking.core.chunk import PASSED_OVER, Boundary, Chunk, Part, Skip
from chunking.core.chunk_table import Columns, Numbers, ordinals
from chunking.core.context import SplitContext
from chunking.core.sealed import Metadata, Sealed
from chunking.document import Document, Span
from chunking.errors import StrategyError

Item = TypeVar("Item")


class Ruled(Protocol):
    """Why a chunk ends, without what the settings say: `Boundary` itself, or what one is made
    of."""

    @property
    def rule(self) -> str: ...


Reason = TypeVar("Reason", bound=Ruled)


def numbered(sealed: Sealed, number: int) -> Metadata:
    """The chunk's metadata with its number."""
    return {**sealed.metadata, "chunk_index": number}


class StepsInColumns(ABC, Generic[Reason]):
    """Parts in source order, found as they are asked for, or all at once."""

    @abstractmethod
    def __iter__(self) -> Iterator[Skip | tuple[Sealed, Reason]]: ...

    @abstractmethod
    def all_at_once(self) -> tuple[SealedColumns, Sequence[Reason], list[tuple[int, Skip]]]:
        """The chunks, why each ends, and the skips, each with how many chunks are before it."""


@dataclass(frozen=True)
class Plan(Generic[Reason]):
    """How a strategy cuts a document."""

    document: Document
    steps: Iterable[Skip | tuple[Sealed, Reason]]
    """The parts in source order, found as they are asked for."""
    boundary: Callable[[Reason], Boundary]
    metadata: Callable[[Sealed, int], Metadata] = numbered
    """By what was sealed and the chunk's number, from 0."""
    returned: Callable[[int, int], Span] | None = None
    """By where what is kept of a chunk begins and ends, what a hit on it gives back; None
    where that is the chunk itself."""

    def one_by_one(self, tools: SplitContext) -> Iterator[Part]:
        """The parts, each made as soon as it is found."""
        number = 0
        for step in self.steps:
            if isinstance(step, Skip):
                number += step.because is PASSED_OVER
                yield step
                continue
            sealed, reason = step
            yield tools.numbered(self.chunk(sealed, reason, number))
            number += 1

    def chunk(self, sealed: Sealed, reason: Reason, number: int, ordinal: int = 0) -> Chunk:
        """The chunk of this number, from 0."""
        returned = self.returned(sealed.kept_start, sealed.kept_end) if self.returned else None
        ended_by, metadata = self.boundary(reason), self.metadata(sealed, number)
        return sealed.chunk(self.document, ended_by, metadata, ordinal, returned)

    def at_once(self, strategy: str) -> CutParts:
        """All parts, proven to tile the document. Raises StrategyError, with the strategy's name,
        where they do not."""
        if isinstance(self.steps, StepsInColumns):
            columns, why, skipped = self.steps.all_at_once()
            self._prove(strategy, columns, skipped)
            return CutParts(CutChunks(self, columns, why), skipped)
        sealed, reasons, skips, reached = list[Sealed](), list[Reason](), list[tuple[int, Skip]](), 0
        for step in self.steps:
            if isinstance(step, Skip):
                start, end = step.body.start, step.body.end
                skips.append((len(sealed), step))
            else:
                made, reason = step
                start, end = made.start, made.end
                sealed.append(made)
                reasons.append(reason)
            if start != reached or end <= start:
                raise untiled(strategy, self.document, reached, start, end)
            reached = end
        if reached != len(self.document.text):
            raise stopped(strategy, self.document, reached)
        return CutParts(CutChunks(self, sealed, reasons), skips)

    def _prove(self, strategy: str, sealed: SealedColumns, skips: Sequence[tuple[int, Skip]]) -> None:
        """Raise StrategyError where chunks and skips do not tile the document."""
        places = [before for before, _ in skips]
        starts = np.insert(sealed.numbers[0], places, [skip.body.start for _, skip in skips])
        ends = np.insert(sealed.numbers[1], places, [skip.body.end for _, skip in skips])
        reached = np.concatenate(([0], ends))
        wrong = np.flatnonzero((starts != reached[:-1]) | (ends <= starts))
        if len(wrong):
            first = wrong[0]
            raise untiled(strategy, self.document, int(reached[first]), int(starts[first]), int(ends[first]))
        if reached[-1] != len(self.document.text):
            raise stopped(strategy, self.document, int(reached[-1]))


def untiled(strategy: str, document: Document, reached: int, start: int, end: int) -> StrategyError:
    """What is said of a part that does not begin where the one before it ended, or is empty."""
    return StrategyError(f"{strategy} left {document.name} untiled at {reached}: its next part is {start} to {end}")


def stopped(strategy: str, document: Document, reached: int) -> StrategyError:
    """What is said where the parts end before the document does."""
    return StrategyError(f"{strategy} stopped at {reached} of {len(document.text)} in {document.name}")


class ReadWhenAsked(Sequence[Item]):
    """A sequence whose items are made when they are read. Equal to a tuple of the same items;
    pickled as one."""

    @abstractmethod
    def item(self, at: int) -> Item:
        """The item at an index from 0."""

    @overload
    def __getitem__(self, at: int) -> Item: ...
    @overload
    def __getitem__(self, at: slice) -> tuple[Item, ...]: ...
    def __getitem__(self, at: int | slice) -> Item | tuple[Item, ...]:
        if isinstance(at, slice):
            return tuple(map(self.item, range(*at.indices(len(self)))))
        return self.item(range(len(self))[at])

    def __iter__(self) -> Iterator[Item]:
        return map(self.item, range(len(self)))

    def __eq__(self, other: object) -> bool:
        if self is other:
            return True
        return isinstance(other, tuple | ReadWhenAsked) and len(self) == len(other) and all(map(_equal, self, other))

    def __hash__(self) -> int:
        return hash(tuple(self))

    def __reduce__(self) -> tuple[type[tuple[Item, ...]], tuple[list[Item]]]:
        return tuple, (list(self),)

    def __repr__(self) -> str:
        return repr(tuple(self))


def _equal(one: object, other: object) -> bool:
    return one is other or one == other


class SealedColumns(ReadWhenAsked[Sealed]):
    """Sealed chunks that are made when they are read."""

    @property
    @abstractmethod
    def numbers(self) -> tuple[Numbers, ...]:
        """The nine that a sealed chunk begins with, as columns."""

    @property
    @abstractmethod
    def breadcrumbs(self) -> tuple[tuple[str, ...], ...]: ...

    @property
    @abstractmethod
    def flags(self) -> Iterable[tuple[Boundary, ...]]: ...

    @property
    def holes(self) -> Iterable[tuple[Skip, ...] | None]:
        """None of them has any unless it is said here."""
        return ()


class ListedColumns(SealedColumns):
    """Those of chunks that are sealed already."""

    def __init__(self, sealed: Sequence[Sealed]) -> None:
        self._sealed = sealed

    def __len__(self) -> int:
        return len(self._sealed)

    def item(self, at: int) -> Sealed:
        return self._sealed[at]

    @property
    def numbers(self) -> tuple[Numbers, ...]:
        numbers = chain.from_iterable(map(NUMBERS, self._sealed))
        flat = np.fromiter(numbers, np.int64, WIDTH * len(self._sealed))
        return tuple(flat.reshape(-1, WIDTH).T.copy())

    @property
    def breadcrumbs(self) -> tuple[tuple[str, ...], ...]:
        return tuple(map(_BREADCRUMB, self._sealed))

    @property
    def flags(self) -> Iterable[tuple[Boundary, ...]]:
        return map(_FLAGS, self._sealed)

    @property
    def holes(self) -> Iterable[tuple[Skip, ...] | None]:
        return map(_HOLES, self._sealed)


class CutChunks(ReadWhenAsked[Chunk], Generic[Reason]):
    """The chunks of a plan."""

    def __init__(self, plan: Plan[Reason], sealed: Sequence[Sealed], reasons: Sequence[Reason]) -> None:
        self._plan = plan
        self._sealed = sealed
        self._reasons = reasons
        self._made: list[Chunk | None] = [None] * len(sealed)

    def __len__(self) -> int:
        return len(self._sealed)

    def item(self, at: int) -> Chunk:
        made = self._made[at]
        if made is None:
            made = self._plan.chunk(self._sealed[at], self._reasons[at], at, self._ordinals[at])
            self._made[at] = made
        return made

    def endings(self, rows: slice) -> Iterator[Boundary]:
        """Why each of these ends, for which no chunk is made."""
        return map(self._plan.boundary, self._reasons[rows])

    def returned(self) -> list[Span]:
        """What a hit on each gives back; nothing where that is the chunk itself."""
        if self._plan.returned is None:
            return []
        return list(map(self._plan.returned, self.columns.kept_start.tolist(), self.columns.kept_end.tolist()))

    @cached_property
    def _ordinals(self) -> list[int]:
        listed = isinstance(self._sealed, list) and "columns" not in self.__dict__
        if listed and len(set(map(_SIZES, self._sealed))) == len(self._sealed):
            return [0] * len(self._sealed)  # no two can have the same text
        ordinals: list[int] = self.columns.ordinal.tolist()
        return ordinals

    @cached_property
    def columns(self) -> Columns:
        """Their places and sizes, for which no chunk is made."""
        sealed = self._sealed if isinstance(self._sealed, SealedColumns) else ListedColumns(self._sealed)
        start, end, kept_start, kept_end, overlap_start, overlap_end, tokens, body_tokens, characters = sealed.numbers
        breadcrumbs = sealed.breadcrumbs
        return Columns(
            start=start,
            end=end,
            kept_start=kept_start,
            kept_end=kept_end,
            tokens=tokens,
            body_tokens=body_tokens,
            cut_tokens=tokens,
            ordinal=ordinals((tokens, characters, _hashes(breadcrumbs)), self._named),
            overlap_start=overlap_start,
            overlap_end=overlap_end,
            rules=tuple(map(_RULE, self._reasons)),
            breadcrumbs=breadcrumbs,
            flagged=tuple(row for row, flags in enumerate(sealed.flags) if flags),
            holes={row: holes for row, holes in enumerate(sealed.holes) if holes is not None},
        )

    def _named(self, row: int) -> tuple[tuple[str, ...], str]:
        return self._sealed[row].breadcrumb, self._sealed[row].text(self._plan.document)


WIDTH = 9
NUMBERS = itemgetter(slice(WIDTH))
_SIZES = attrgetter("tokens", "characters", "breadcrumb")
_RULE, _BREADCRUMB, _FLAGS, _HOLES = map(attrgetter, ("rule", "breadcrumb", "flags", "holes"))


def _hashes(values: Sequence[object]) -> Numbers:
    return np.fromiter(map(hash, values), np.int64, len(values))


class CutParts(ReadWhenAsked[Part]):
    """Chunks with the skips between them."""

    def __init__(self, chunks: CutChunks[Reason], skips: Sequence[tuple[int, Skip]]) -> None:
        """Each of the `skips` comes after so many chunks."""
        self.chunks: ReadWhenAsked[Chunk] = chunks
        self.skips = tuple(skip for _, skip in skips)
        self._places = [after + number for number, (after, _) in enumerate(skips)]
        self._cut = chunks

    @property
    def columns(self) -> Columns:
        """The columns of the chunks."""
        return self._cut.columns

    def endings(self, rows: slice) -> Iterator[Boundary]:
        """Why each of these chunks ends, for which none is made."""
        return self._cut.endings(rows)

    def returned(self) -> list[Span]:
        """What a hit on each chunk gives back; nothing where that is the chunk itself."""
        return self._cut.returned()

    def __len__(self) -> int:
        return len(self.chunks) + len(self.skips)

    def item(self, at: int) -> Part:
        before = bisect_left(self._places, at)
        skipped = before < len(self._places) and self._places[before] == at
        return self.skips[before] if skipped else self.chunks.item(at - before)
