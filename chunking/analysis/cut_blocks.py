"""Boundaries that tear a table, code or a list: where they are, and whether the chunks around code
and tables were mended: the fence closed and reopened, the table's header repeated."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

import numpy as np
import numpy.typing as npt

from chunking.core.chunk import Chunk
from chunking.document import Block, Document, Span
from chunking.document.fenced_regions import HOLDING, FencedRegion, fenced_regions
from chunking.runs import Run
from chunking.splitting.document_cache import Memo, once_per_document

TornKind = Literal["code", "table", "list"]
_LISTS = ("list", "task-list")


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


@dataclass(frozen=True, slots=True)
class CutBlock:
    """A boundary inside a fence or a table, and whether the chunks around it are mended."""

    offset: int
    chunk: int
    """The number of the chunk that ends there."""
    kind: Literal["code", "table"]
    mended: bool
    """Whether the fence is closed and reopened, or the table's header repeated."""


def cuts_inside(run: Run) -> Iterator[CutBlock]:
    """The boundaries inside code and tables, in source order."""
    chunks = run.chunks
    for torn in torn_boundaries(run):
        following = chunks[torn.chunk + 1] if torn.chunk + 1 < len(chunks) else None
        if torn.kind != "list":
            mended = torn.frame is not None and _mended(torn.frame, chunks[torn.chunk], following)
            yield CutBlock(torn.offset, torn.chunk, torn.kind, mended)


def torn_boundaries(run: Run) -> Iterator[TornBoundary]:
    """The boundaries inside tables, code and lists, in source order: quick enough for every move of
    a threshold."""
    document, ends = run.document, run.columns.end
    for block in _cut_blocks(document, ends):
        frames = _frames(document, block)
        first, last = np.searchsorted(ends, [block.span.start + 1, block.content_end])
        for number, offset in enumerate(ends[int(first) : int(last)].tolist(), int(first)):
            frame = next((each for each in frames if each.span.start < offset < each.span.end), None)
            whole = Span(block.span.start, block.content_end)
            if frame is not None:
                yield TornBoundary(offset, number, "code" if frame.closing else "table", frame.span, frame)
            elif block.kind == "code":
                yield TornBoundary(offset, number, "code", whole, None)
            elif block.kind in _LISTS:
                yield TornBoundary(offset, number, "list", whole, None)


class _Frames(Memo[int, tuple[FencedRegion, ...]]):
    """The fences and tables of a block, by where it starts."""


def _no_frames(_: Document) -> _Frames:
    return _Frames()


def _frames(document: Document, block: Block) -> tuple[FencedRegion, ...]:
    known = once_per_document(document, _no_frames)
    start = block.span.start
    frames = known.get(start)
    if frames is None:
        frames = known.keep(start, fenced_regions(document, Span(start, block.content_end), block.kind))
    return frames


def _cut_blocks(document: Document, ends: npt.NDArray[np.int64]) -> list[Block]:
    """The blocks that may hold code or a table and have a boundary strictly inside."""
    holding = [block for block in document.blocks if block.kind in HOLDING]
    starts = np.array([block.span.start for block in holding], dtype=np.int64)
    lasts = np.array([block.content_end for block in holding], dtype=np.int64)
    cut = np.searchsorted(ends, lasts, side="left") > np.searchsorted(ends, starts, side="right")
    return [holding[at] for at in np.flatnonzero(cut).tolist()]


def _mended(frame: FencedRegion, chunk: Chunk, following: Chunk | None) -> bool:
    """Whether the fence or the header is repeated in the following chunk's context, and a fence
    closed in this one."""
    opened = following is not None and frame.opening.rstrip() in following.context
    return opened and (not frame.closing or bool(chunk.closing.strip()))
