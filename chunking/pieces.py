"""What the parsers hand on: an outermost block by its lines."""

from __future__ import annotations

from typing import Literal, NamedTuple

from chunking.document import BlockKind

PieceKind = BlockKind | Literal["definition"]


class Piece(NamedTuple):
    """An outermost block by its lines."""

    kind: PieceKind
    start: int
    """Its first line, from 0."""
    end: int
    """The line after its last; blank lines at the end may or may not be counted."""
    level: int = 0
    """1 to 6 for a heading."""
    setext: bool = False
    """Whether a heading is underlined."""
