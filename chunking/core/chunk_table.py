"""A run's chunks as columns of numbers, read off once: metrics and screens count from these."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain
from operator import attrgetter

import numpy as np
import numpy.typing as npt

from chunking.core.chunk import BLANK, Chunk, Skip

Numbers = npt.NDArray[np.int64]
_NUMBERS = attrgetter("body.start", "body.end", "tokens", "body_tokens", "ordinal")
_HOLES, _FLAGS, _OVERLAP, _DESCRIPTION = map(attrgetter, ("holes", "flags", "overlap", "description"))
_RULE, _BREADCRUMB = attrgetter("ended_by.rule"), attrgetter("breadcrumb")


@dataclass(frozen=True, slots=True)
class Columns:
    """Each column has a row for each chunk, in source order. Offsets are code points."""

    start: Numbers
    """Where the body starts."""
    end: Numbers
    kept_start: Numbers
    """Where the first character stands that is in the text."""
    kept_end: Numbers
    tokens: Numbers
    """Of the whole text."""
    body_tokens: Numbers
    cut_tokens: Numbers
    """Of the text without a description: what limits hold for."""
    ordinal: Numbers
    overlap_start: Numbers
    """-1 where nothing of the chunk before is repeated."""
    overlap_end: Numbers
    rules: tuple[str, ...]
    """What ended the chunk."""
    breadcrumbs: tuple[tuple[str, ...], ...]
    flagged: tuple[int, ...]
    """Rows of the chunks that have flags."""
    holes: Mapping[int, tuple[Skip, ...]]
    """By row, in order, the holes of the chunks in which more is left out than the white space
    before `kept_start` and after `kept_end`."""


def columns_of(chunks: Sequence[Chunk]) -> Columns:
    """The columns of these chunks."""
    flat = np.fromiter(chain.from_iterable(map(_NUMBERS, chunks)), np.int64, 5 * len(chunks))
    start, end, tokens, body_tokens, ordinal = flat.reshape(-1, 5).T.copy()
    holed = _rows_with(_HOLES, chunks)
    kept_start, kept_end = (start.copy(), end.copy()) if holed else (start, end)
    for row in holed:
        kept = chunks[row].kept
        kept_start[row], kept_end[row] = kept[0].start, kept[-1].end
    cut_tokens = tokens
    described = _rows_with(_DESCRIPTION, chunks)
    if described:
        cut_tokens = tokens.copy()
        cut_tokens[list(described)] = [chunks[row].cut.tokens for row in described]
    overlap_start, overlap_end = _overlaps(chunks)
    return Columns(
        start=start,
        end=end,
        kept_start=kept_start,
        kept_end=kept_end,
        tokens=tokens,
        body_tokens=body_tokens,
        cut_tokens=cut_tokens,
        ordinal=ordinal,
        overlap_start=overlap_start,
        overlap_end=overlap_end,
        rules=tuple(map(_RULE, chunks)),
        breadcrumbs=tuple(map(_BREADCRUMB, chunks)),
        flagged=_rows_with(_FLAGS, chunks),
        holes={row: chunks[row].holes for row in holed if not _only_blank_edges(chunks[row])},
    )


def _only_blank_edges(chunk: Chunk) -> bool:
    edges = (chunk.body.start < chunk.kept[0].start) + (chunk.kept[-1].end < chunk.body.end)
    return edges == len(chunk.holes) and all(hole.because == BLANK for hole in chunk.holes)


def _rows_with(part: attrgetter[object], chunks: Sequence[Chunk]) -> tuple[int, ...]:
    """The rows where this part of a chunk is neither empty nor None."""
    return tuple(np.flatnonzero(np.fromiter(map(bool, map(part, chunks)), np.bool_, len(chunks))).tolist())


def _overlaps(chunks: Sequence[Chunk]) -> tuple[Numbers, Numbers]:
    starts, ends = np.full(len(chunks), -1, np.int64), np.full(len(chunks), -1, np.int64)
    for row, overlap in enumerate(map(_OVERLAP, chunks)):
        if overlap:
            starts[row], ends[row] = overlap.start, overlap.end
    return starts, ends


def ordinals(columns: Sequence[Numbers], named: Callable[[int], Hashable]) -> Numbers:
    """How many rows before each one have the same name.

    `named` gives a row's name. Rows of the same name are equal in all of the `columns`: names are
    asked for only where rows are.
    """
    keys = np.zeros(len(columns[0]), np.int64)
    for column in columns:
        keys *= 1_000_003  # wraps around: rows that are not equal may have one key
        keys += column
    order = np.argsort(keys, kind="stable")
    same = np.flatnonzero(keys[order[1:]] == keys[order[:-1]])
    found = np.zeros(len(keys), np.int64)
    before: Counter[Hashable] = Counter()
    # Not `np.unique`, which imports numpy.ma, here and in chunking/tokens.
    for row in sorted({*order[same].tolist(), *order[same + 1].tolist()}):
        name = named(row)
        found[row] = before[name]
        before[name] += 1
    return found
