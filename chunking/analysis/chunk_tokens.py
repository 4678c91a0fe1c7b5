"""The tokens of one chunk as an embedder gets it, each at its place: in the source, or in what was
added to it.

A chunk's text is context + overlap + body less holes + closing, and its tokens are those of the
whole: a token may begin in the context and end in the body. Of a long chunk only what is near a
place is tokenized, between positions where its tokens end for sure.
"""

from __future__ import annotations

from bisect import bisect_right
from collections import Counter
from collections.abc import Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from operator import attrgetter
from typing import Literal, NamedTuple

from chunking.core.chunk import Chunk
from chunking.document import Span
from chunking.runtime.text_memory import memory
from chunking.tokens import Cell, TokenCounter, sure_borders, token_cells, token_spans

Part = Literal["context", "overlap", "body", "closing"]
PARTS: tuple[Part, ...] = ("context", "overlap", "body", "closing")
LONG = 30_000
"""Characters from which on a chunk is not tokenized as a whole."""
_REACH = 4_096
"""Characters in which a position is looked for where tokens end for sure."""


class PlacedCell(NamedTuple):
    """Characters that cannot be divided between tokens (`chunking.tokens.Cell`), or what of them is
    in one part of the chunk."""

    part: Part
    start: int
    end: int
    """In the document for overlap and body, in the added text for context and closing."""
    tokens: int
    """Tokens that begin here: 0 for what continues from the part before."""
    number: int
    """Number of its first token in the chunk, from 0; -1 where that is not known."""
    unknown: bool


@dataclass(frozen=True)
class ChunkTokens:
    """The tokens of a chunk by one tokenizer."""

    cells: tuple[PlacedCell, ...]
    whole: bool
    """Whether these are all of them."""
    sure: bool
    """Whether they begin and end where the chunk's tokens do: not in a long chunk in which no such
    position is near."""

    @cached_property
    def total(self) -> int | None:
        """How many tokens the chunk has; None where they are not all here."""
        return sum(cell.tokens for cell in self.cells) if self.whole else None

    @cached_property
    def by_part(self) -> Mapping[Part, int]:
        """How many of these tokens begin in each part of the chunk, where any do."""
        counted: Counter[Part] = Counter()
        for cell in self.cells:
            counted[cell.part] += cell.tokens
        return {part: counted[part] for part in PARTS if counted[part]}

    def stop(self, room: int) -> PlacedCell | None:
        """The first cell that an embedder does not read that reads `room` tokens of a text; None
        where it reads all of them, or the place is not here."""
        numbered = self._numbered
        at = bisect_right(numbered, room, key=_NUMBER) - 1
        if at < 0 or room >= numbered[at].number + numbered[at].tokens:
            return None
        return numbered[at]

    @cached_property
    def _numbered(self) -> list[PlacedCell]:
        return [cell for cell in self.cells if cell.tokens and cell.number >= 0]


_NUMBER = attrgetter("number")


class _Piece(NamedTuple):
    """A stretch of the chunk's text that lies together in the document, or in what was added."""

    part: Part
    at: int
    """Where it begins in the chunk's text."""
    span: Span
    text: str | None
    """What was added; None for what is in the document."""


def _shows(chunk: Chunk, counter: TokenCounter, near: Span) -> Hashable:
    """All that the tokens depend on: most chunks stay while a threshold moves."""
    whole = chunk.document, chunk.kept, chunk.overlap, chunk.context, chunk.closing, counter.name
    length = len(chunk.context) + len(chunk.overlap or ()) + sum(map(len, chunk.kept)) + len(chunk.closing)
    return (*whole, near) if length > LONG else whole


@memory.remembered(most=256, of=lambda chunk, *_: (chunk.document.text,), key=_shows)
def tokens_of_chunk(chunk: Chunk, counter: TokenCounter, near: Span) -> ChunkTokens | None:
    """The tokens of a chunk, at least those of its body in `near`; None for a counter that has
    none."""
    pieces = _pieces(chunk)
    length = pieces[-1].at + len(pieces[-1].span) if pieces else 0
    start, end, sure = 0, length, True
    if length > LONG:
        start, end, sure = _stretch(chunk, pieces, length, near, counter)
    text = _text(chunk, pieces, start, end)
    found = token_spans(text, counter, continued=start > 0)
    if found is None:
        return None
    return ChunkTokens(tuple(_cells(pieces, token_cells(text, found), start)), (start, end) == (0, length), sure)


def _cells(pieces: list[_Piece], cells: Sequence[Cell], moved: int) -> Iterator[PlacedCell]:
    """The cells at their places. Their text begins at `moved` in the chunk's."""
    index, number = 0, 0 if moved == 0 else -1
    for cell in cells:
        start, end, tokens = cell.start + moved, cell.end + moved, cell.tokens
        while index + 1 < len(pieces) and pieces[index + 1].at <= start:
            index += 1
        part, at, span, _ = pieces[index]
        while end > at + len(span) and index + 1 < len(pieces):  # on across the end of a part
            yield PlacedCell(part, start - at + span.start, span.end, tokens, number, cell.unknown)
            index += 1
            part, at, span, _ = pieces[index]
            start, tokens = at, 0
        yield PlacedCell(part, start - at + span.start, end - at + span.start, tokens, number, cell.unknown)
        number += cell.tokens if moved == 0 else 0


def _pieces(chunk: Chunk) -> list[_Piece]:
    parts: list[tuple[Part, Span, str | None]] = [("context", Span(0, len(chunk.context)), chunk.context)]
    if chunk.overlap:
        parts.append(("overlap", chunk.overlap, None))
    parts += [("body", span, None) for span in chunk.kept]
    parts.append(("closing", Span(0, len(chunk.closing)), chunk.closing))
    pieces, at = [], 0
    for part, span, text in parts:
        if len(span):
            pieces.append(_Piece(part, at, span, text))
            at += len(span)
    return pieces


def _text(chunk: Chunk, pieces: list[_Piece], start: int, end: int) -> str:
    """The chunk's text from `start` to `end`."""
    found = []
    for piece in pieces:
        low, high = max(start, piece.at) - piece.at, min(end, piece.at + len(piece.span)) - piece.at
        if low < high and piece.text is not None:
            found.append(piece.text[low:high])
        elif low < high:
            found.append(chunk.document[Span(piece.span.start + low, piece.span.start + high)])
    return "".join(found)


def _stretch(
    chunk: Chunk, pieces: list[_Piece], length: int, near: Span, counter: TokenCounter
) -> tuple[int, int, bool]:
    """What of a long chunk's text is tokenized, and whether tokens end at both ends for sure."""
    inside = [piece for piece in pieces if piece.part == "body" and piece.span.end > near.start]
    first = next((piece for piece in inside if piece.span.start < near.end), pieces[-1])
    wanted = first.at + max(0, near.start - first.span.start)
    last = next((piece for piece in reversed(inside) if piece.span.start < near.end), first)
    until = last.at + min(len(last.span), max(0, near.end - last.span.start))
    start, end, sure = 0, length, True
    if wanted > _REACH:
        borders = sure_borders(_text(chunk, pieces, wanted - _REACH, wanted), counter)
        start = wanted - _REACH + int(borders[-1]) if len(borders) else wanted
        sure = len(borders) > 0
    if until + _REACH < length:
        borders = sure_borders(_text(chunk, pieces, until, until + _REACH), counter)
        end = until + int(borders[0]) if len(borders) else until
        sure = sure and len(borders) > 0
    return start, end, sure
