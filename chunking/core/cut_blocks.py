"""Boundaries that cut a table, code or a list in two: what the source, the filters and the corpus
show; and the blocks that they cut, which "blocks cut in two" counts."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import Literal

import numpy as np
import numpy.typing as npt

from chunking.document import Block, Document, Span
from chunking.document.fenced_regions import HOLDING, FencedRegion, fenced_regions
from chunking.runtime.text_memory import memory

TornKind = Literal["code", "table", "list"]
LISTS = ("list", "task-list")
"""The kinds of block that are lists."""


@dataclass(frozen=True, slots=True)
class TornBoundary:
    """A boundary inside a table, code or a list."""

    offset: int
    chunk: int
    """The number of the chunk that ends there."""
    kind: TornKind
    """The innermost: a table within a list is a table."""
    span: Span
    """All of the table, the code or the list."""
    frame: FencedRegion | None
    """The fence or the table; None for a list and for indented code, which nothing frames."""


def torn_boundaries(document: Document, ends: npt.NDArray[np.int64]) -> Iterator[TornBoundary]:
    """The boundaries inside tables, code and lists, in source order: quick enough for every move of
    a threshold. `ends` are those of the chunks, ascending."""
    holding = _holding_blocks(document)
    first, last = np.searchsorted(ends, holding.starts, side="right"), np.searchsorted(ends, holding.ends, side="left")
    cut = np.flatnonzero(first < last)
    for at, number, after in zip(cut.tolist(), first[cut].tolist(), last[cut].tolist(), strict=True):
        block = holding.blocks[at]
        frames = holding.frames_of(document, at)
        whole = Span(block.span.start, block.content_end)
        for chunk, offset in enumerate(ends[number:after].tolist(), number):
            frame = next((each for each in frames if each.span.start < offset < each.span.end), None)
            if frame is not None:
                yield TornBoundary(offset, chunk, "code" if frame.closing else "table", frame.span, frame)
            elif block.kind == "code":
                yield TornBoundary(offset, chunk, "code", whole, None)
            elif block.kind in LISTS:
                yield TornBoundary(offset, chunk, "list", whole, None)


def blocks_cut(torn: Iterable[TornBoundary]) -> set[tuple[TornKind, Span]]:
    """The tables, code and lists that these boundaries cut, each once however often it is cut."""
    return {(each.kind, each.span) for each in torn}


@dataclass(frozen=True, slots=True)
class _Holding:
    """The blocks of a document that may hold code, a table or a list, with their edges."""

    blocks: tuple[Block, ...]
    starts: npt.NDArray[np.int64]
    ends: npt.NDArray[np.int64]
    frames: dict[int, tuple[FencedRegion, ...]] = field(default_factory=dict)
    """Of those that were cut, by their place in `blocks`."""

    def frames_of(self, document: Document, at: int) -> tuple[FencedRegion, ...]:
        """The fences and tables of a block."""
        known = self.frames.get(at)
        if known is None:
            block = self.blocks[at]
            known = fenced_regions(document, Span(block.span.start, block.content_end), block.kind)
            self.frames[at] = known
        return known


@memory.remembered(most=16, of=lambda document: (document.text,), key=lambda document: document)
def _holding_blocks(document: Document) -> _Holding:
    blocks = tuple(block for block in document.blocks if block.kind in HOLDING)
    starts = np.array([block.span.start for block in blocks], dtype=np.int64)
    return _Holding(blocks, starts, np.array([block.content_end for block in blocks], dtype=np.int64))
