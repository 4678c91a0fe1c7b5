"""Chunks with nothing around their text but what they repeat of the text right before it: counted
together, in a fraction of the time that one after the other takes, and kept as columns."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import cached_property
from itertools import chain, islice
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
    """What is known of such a chunk before it is counted, with its edges kept. Offsets are code
    points."""

    @property
    def begins(self) -> int:
        """Where what is repeated begins; `start` where nothing is."""

    @property
    def start(self) -> int:
        """Where the body begins."""

    @property
    def end(self) -> int: ...

    @property
    def flags(self) -> tuple[Boundary, ...]: ...

    @property
    def rule(self) -> str: ...


Plain = TypeVar("Plain", bound=PlainChunk)
_PLACES, _FLAGS = attrgetter("begins", "start", "end"), attrgetter("flags")


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
        flat = np.fromiter(chain.from_iterable(map(_PLACES, chunks)), np.int64, 3 * len(chunks))
        self._begins, self._start, self._end = flat.reshape(-1, 3).T.copy()
        index = tools.index(document)
        self._body_tokens = index.counts(self._start, self._end)
        self._tokens = index.counts(self._begins, self._end)
        self._document = document
        self._chunks = chunks

    def __len__(self) -> int:
        return len(self._chunks)

    def item(self, at: int) -> Sealed:
        chunk = self._chunks[at]
        repeats = chunk.begins < chunk.start
        return Sealed(
            chunk.start,
            chunk.end,
            chunk.start,
            chunk.end,
            chunk.begins if repeats else -1,
            chunk.start if repeats else -1,
            int(self._tokens[at]),
            int(self._body_tokens[at]),
            chunk.end - chunk.begins,
            self._breadcrumb(chunk),
            "",
            "",
            None,
            chunk.flags,
            {},
        )

    @property
    def numbers(self) -> tuple[Numbers, ...]:
        """As SealedColumns.numbers."""
        repeats = self._begins < self._start
        return (
            self._start,
            self._end,
            self._start,
            self._end,
            np.where(repeats, self._begins, -1),
            np.where(repeats, self._start, -1),
            self._tokens,
            self._body_tokens,
            self._end - self._begins,
        )

    @cached_property
    def breadcrumbs(self) -> tuple[tuple[str, ...], ...]:
        """As SealedColumns.breadcrumbs."""
        return tuple(map(self._breadcrumb, self._chunks))

    @property
    def flags(self) -> Iterable[tuple[Boundary, ...]]:
        """As SealedColumns.flags."""
        return map(_FLAGS, self._chunks)

    def _breadcrumb(self, chunk: PlainChunk) -> tuple[str, ...]:
        """That of the section in which its first visible character is."""
        return self._document.breadcrumb_at(first_visible(self._document.text, chunk.start, chunk.end))
