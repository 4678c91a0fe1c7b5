"""The tokens of chunks on the lines of their document: every character in one cell. No
Streamlit."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from typing import NamedTuple

from chunking import Chunk, Run, Span
from chunking.analysis import ChunkTokens, tokens_of_chunk
from chunking.tokens import TokenCounter, special_texts

NONE, UNKNOWN, DIFFERS, CONTINUED, ODD, SPECIAL, HELD_OUT = (1 << bit for bit in range(7))
"""What a cell is, as bits: no token has it; its token stands for anything unknown; its border is
not one of the other tokenizer; it goes on from the row before; its token is the second, the fourth
and so on of its row; it is written like a special token; it is in no chunk."""


class RowCell(NamedTuple):
    """Characters of the document, or of a context, with the tokens that begin in them."""

    start: int
    end: int
    tokens: int
    number: int
    """Of the first token, in its chunk from 0; -1 where that is not known."""
    bits: int


@dataclass(frozen=True)
class Tokenized:
    """Chunks near a place by one tokenizer."""

    by: TokenCounter
    chunks: dict[int, ChunkTokens]
    """By the number of the part that each chunk is, ascending."""
    differs: frozenset[int] = field(default_factory=frozenset)
    """Offsets of tokens that begin where the other tokenizer has no border."""

    @property
    def starts(self) -> list[int]:
        """Where tokens begin in the bodies, ascending."""
        cells = (cell for tokens in self.chunks.values() for cell in tokens.cells)
        return [cell.start for cell in cells if cell.part == "body" and cell.tokens]


def tokenized(run: Run, parts: range, by: TokenCounter, near: Span) -> Tokenized:
    """The chunks among these parts. Raises UnknownCounterError where the tokenizer has no token for
    part of a text."""
    found = {}
    for index in parts:
        part = run.parts[index]
        tokens = tokens_of_chunk(part, by, near) if isinstance(part, Chunk) else None
        if tokens is not None:
            found[index] = tokens
    return Tokenized(by, found)


def cells_by_row(run: Run, of: Tokenized, edges: Sequence[int]) -> list[list[RowCell]]:
    """The cells of each row; together they tile it."""
    rows: list[list[RowCell]] = []
    cells = _tiles(run, of, Span(edges[0], edges[-1]))
    cell = next(cells, None)
    for start, end in pairwise(edges):
        row: list[RowCell] = []
        while cell is not None and cell.start < end:
            row.append(_clipped(cell, start, end))
            if cell.end > end:
                break
            cell = next(cells, None)
        rows.append(alternating(row))
    return rows


def alternating(row: Iterable[RowCell]) -> list[RowCell]:
    """These cells with each second token marked as such: so a row looks the same whatever stands
    before it in its chunk."""
    marked, begun = [], 0
    for cell in row:
        if not cell.bits & (NONE | HELD_OUT):
            own = begun if cell.tokens else max(begun - 1, 0)
            begun = max(begun + cell.tokens, 1)
            if own % 2:
                cell = cell._replace(bits=cell.bits | ODD)
        marked.append(cell)
    return marked


def _clipped(cell: RowCell, start: int, end: int) -> RowCell:
    """What of a cell is in a row."""
    if start <= cell.start and cell.end <= end:
        return cell
    if cell.start >= start:
        return cell._replace(end=end)
    bits = cell.bits if cell.bits & (NONE | HELD_OUT) else cell.bits | CONTINUED
    return cell._replace(start=start, end=min(cell.end, end), tokens=0, bits=bits)


def _tiles(run: Run, of: Tokenized, near: Span) -> Iterator[RowCell]:
    """Cells that tile what is near: those of tokens, and the characters between them."""
    special = _special(run.document.text, near, special_texts(of.by))
    at = near.start
    kept = [span for index in of.chunks for span in chunk_at(run, index).kept]
    for tokens in of.chunks.values():
        for cell in tokens.cells:
            bits = UNKNOWN if cell.unknown else 0
            start, end = max(at, cell.start), min(cell.end, near.end)
            if cell.part != "body" or start >= end:
                continue
            if at < start:
                yield from _between(at, start, kept)
            bits |= CONTINUED if cell.tokens == 0 or start > cell.start else 0
            bits |= DIFFERS if cell.tokens and start in of.differs else 0
            bits |= SPECIAL if special and any(span.start < end and start < span.end for span in special) else 0
            begins = cell.tokens if start == cell.start else 0  # what is shown may begin within a token
            yield RowCell(start, end, begins, cell.number, bits)
            at = end
    yield from _between(at, near.end, kept)


def _between(start: int, end: int, kept: Sequence[Span]) -> Iterator[RowCell]:
    """Characters that no token has: in a chunk, or in none."""
    inside = [Span(max(start, span.start), min(end, span.end)) for span in kept]
    at = start
    for span in (span for span in inside if span.start < span.end):
        if at < span.start:
            yield RowCell(at, span.start, 0, -1, HELD_OUT)
        yield RowCell(span.start, span.end, 0, -1, NONE)
        at = span.end
    if at < end:
        yield RowCell(at, end, 0, -1, HELD_OUT)


def _special(text: str, near: Span, words: Sequence[str]) -> list[Span]:
    """Where the document has the text of a special token."""
    if not words:
        return []
    found = re.finditer("|".join(map(re.escape, words)), text[near.start : near.end])
    return [Span(near.start + each.start(), near.start + each.end()) for each in found]


def chunk_at(run: Run, index: int) -> Chunk:
    """The chunk that this part of the run is."""
    part = run.parts[index]
    assert isinstance(part, Chunk)
    return part
