"""Chunks with nothing around their text but what they repeat of the text right before it: counted
together, in a fraction of the time that one after the other takes, and kept as columns."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import cached_property
from itertools import chain, islice, repeat
from operator import attrgetter
from typing import Protocol, TypeVar

import numpy as np

from chunking.core.chunk import Boundary, Skip
from chunking.core.chunk_table import Numbers
from chunking.core.context import SplitContext
from chunking.core.cut_parts import SealedColumns, StepsInColumns
from chunking.core.sealed import Sealed
from chunking.document import Document
from chunking.text.whitespace import first_visible

_FIRST, _MOST = 4, 4096
"""Parts that are found and counted together: few at first, for who asks for no more."""


class PlainChunk(Protocol):
    """What is known of such a chunk before it is counted. Offsets are code points."""

    @property
    def begins(self) -> int:
        """Where what is repeated begins; `start` where nothing is."""

    @property
    def start(self) -> int:
        """Where the body begins."""

    @property
    def end(self) -> int: ...

    @property
    def kept_start(self) -> int:
        """Where the first character stands that is in the text: `start` where something is
        repeated."""

    @property
    def kept_end(self) -> int: ...

    @property
    def flags(self) -> tuple[Boundary, ...]: ...

    @property
    def rule(self) -> str: ...


Plain = TypeVar("Plain", bound=PlainChunk)
_PLACES, _FLAGS = attrgetter("begins", "start", "end", "kept_start", "kept_end"), attrgetter("flags")


class CountedTogether(StepsInColumns[Plain]):
    """The parts, in order, with their chunks sealed, each with what it was made of: a chunk ends
    for what that says."""

    def __init__(self, document: Document, tools: SplitContext, parts: Iterable[Skip | Plain]) -> None:
        self._document = document
        self._tools = tools
        self._parts = parts

    def __iter__(self) -> Iterator[Skip | tuple[Sealed, Plain]]:
        """Counts some parts at a time; one by one while a setting is traced."""
        size, left = 1 if self._tools.tracing else _FIRST, iter(self._parts)
        while batch := list(islice(left, size)):
            chunks = [part for part in batch if not isinstance(part, Skip)]
            sealed = iter(self._sealed(chunks))
            for part in batch:
                yield part if isinstance(part, Skip) else (next(sealed), part)
            if chunks and not self._tools.tracing:
                size = min(_MOST, 4 * size)

    def all_at_once(self) -> tuple[SealedColumns, Sequence[Plain], list[tuple[int, Skip]]]:
        """As StepsInColumns.all_at_once."""
        chunks, skips = list[Plain](), list[tuple[int, Skip]]()
        for part in self._parts:
            if isinstance(part, Skip):
                skips.append((len(chunks), part))
            else:
                chunks.append(part)
        return self._sealed(chunks), chunks, skips

    def _sealed(self, chunks: Sequence[Plain]) -> SealedColumns:
        return _PlainColumns(self._document, self._tools, chunks)


class _PlainColumns(SealedColumns):
    """What `SplitContext.sealed` gives for each of them."""

    def __init__(self, document: Document, tools: SplitContext, chunks: Sequence[PlainChunk]) -> None:
        flat = np.fromiter(chain.from_iterable(map(_PLACES, chunks)), np.int64, 5 * len(chunks))
        begins, start, end, kept_start, kept_end = flat.reshape(-1, 5).T.copy()
        repeats = begins < start
        index = tools.index(document)
        body_tokens = index.counts(kept_start, kept_end)
        tokens = np.where(repeats, index.counts(begins, kept_end), body_tokens)
        overlap_start, overlap_end = np.where(repeats, begins, -1), np.where(repeats, start, -1)
        characters = kept_end - np.where(repeats, begins, kept_start)
        numbers = (start, end, kept_start, kept_end, overlap_start, overlap_end, tokens, body_tokens, characters)
        self._numbers = np.array(numbers)
        self._document = document
        self._chunks = chunks

    def __len__(self) -> int:
        return len(self._chunks)

    def item(self, at: int) -> Sealed:
        flags, metadata = self._chunks[at].flags, dict[str, str | int | float | None]()
        return Sealed._make((*self._numbers[:, at].tolist(), self.breadcrumbs[at], "", "", None, flags, metadata))

    @property
    def numbers(self) -> tuple[Numbers, ...]:
        """As SealedColumns.numbers."""
        return tuple(self._numbers)

    @cached_property
    def breadcrumbs(self) -> tuple[tuple[str, ...], ...]:
        """Those of the sections in which their first visible characters are."""
        text, kept, ends = self._document.text, self._numbers[2].tolist(), self._numbers[1].tolist()
        return tuple(map(self._document.breadcrumb_at, map(first_visible, repeat(text), kept, ends)))

    @property
    def flags(self) -> Iterable[tuple[Boundary, ...]]:
        """As SealedColumns.flags."""
        return map(_FLAGS, self._chunks)
