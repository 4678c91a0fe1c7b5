"""Lines -> the outermost blocks, fast."""

from __future__ import annotations

import re
from typing import Literal, NamedTuple, Protocol

from chunking.document import BlockKind

PieceKind = BlockKind | Literal["definition"]


class Piece(NamedTuple):
    """An outermost block by its lines."""

    kind: PieceKind
    start: int
    """Its first line, from 0."""
    end: int
    """The line after its last, trailing blank lines not needed."""
    level: int = 0
    """1 to 6 for a heading."""
    setext: bool = False
    """Whether a heading is underlined."""


class BlockRules(Protocol):
    """Who knows what a line is when the scanner is not certain."""

    def block_at(self, line: int) -> tuple[list[Piece], int]:
        """The block that begins on this line, and the line to go on with."""
        ...

    def html_interrupts(self, line: int) -> bool:
        """Whether this line begins HTML that may end a paragraph."""
        ...


_TASK = re.compile(r"[ \t]*(?:[-+*]|[0-9]{1,9}[.)])[ \t]{1,4}\[[ xX]\][ \t]+[^ \t]")


def is_task(line: str) -> bool:
    """Whether the first line of a list item makes it a task."""
    return _TASK.match(line) is not None


def scan(lines: list[str], first: int, rules: BlockRules, *, open_fences: bool = True) -> tuple[list[Piece], list[int]]:
    pieces: list[Piece] = []
    line = first
    while line < len(lines):
        if not lines[line].strip(" \t"):
            line += 1
            continue
        found, line = rules.block_at(line)
        pieces += found
    return pieces, []
