"""Boundaries inside code and tables, and whether the chunks around them were mended: the fence
closed and reopened, the table's header repeated."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

from chunking.core.chunk import Chunk
from chunking.document.fenced_regions import FencedRegion
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
    chunks = run.chunks
    for torn in run.torn_boundaries:
        following = chunks[torn.chunk + 1] if torn.chunk + 1 < len(chunks) else None
        if torn.kind != "list":
            mended = torn.frame is not None and _mended(torn.frame, chunks[torn.chunk], following)
            yield CutBlock(torn.offset, torn.chunk, torn.kind, mended)


def _mended(frame: FencedRegion, chunk: Chunk, following: Chunk | None) -> bool:
    """Whether the fence or the header is repeated in the following chunk's context, and a fence
    closed in this one."""
    opened = following is not None and frame.opening.rstrip() in following.context
    return opened and (not frame.closing or bool(chunk.closing.strip()))
