"""Boundaries inside code and tables, also those within lists and quotes, and whether the chunks
were mended: the fence closed and reopened, the table's header repeated."""

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
    document, chunks = run.document, run.chunks
    ends = run.columns.end
    for block in _cut_blocks(document, ends):
        frames = fenced_regions(document, Span(block.span.start, block.content_end), block.kind)
        first, last = np.searchsorted(ends, [block.span.start + 1, block.content_end])
        for number in range(int(first), int(last)):
            offset = chunks[number].body.end
            frame = next((each for each in frames if each.span.start < offset < each.span.end), None)
            following = chunks[number + 1] if number + 1 < len(chunks) else None
            if frame is not None:
                kind: Literal["code", "table"] = "code" if frame.closing else "table"
                yield CutBlock(offset, number, kind, _mended(frame, chunks[number], following))
            elif block.kind == "code":  # indented: nothing frames it
                yield CutBlock(offset, number, "code", mended=False)


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
