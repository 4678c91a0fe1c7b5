"""What the parsers hand on: an outermost block by its lines."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import Literal, NamedTuple

from chunking.document.model import BlockKind

PieceKind = BlockKind | Literal["definition"]
Container = Literal["quote", "item", "footnote"]


@dataclass(frozen=True, slots=True)
class RegionLines:
    """A fence or a table, also one within lists and quotes, by its lines from 0."""

    start: int
    end: int
    """The line after its last."""
    marks: str
    """The fence's marks; empty for a table."""
    closed: bool
    """Whether the fence has a line that closes it."""
    within: tuple[tuple[Container, int], ...]
    """The containers around it, the outermost first, each with the line on which it begins."""


class ParsedBlock(NamedTuple):
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
    title: str = ""
    """A heading's text, where Markdown does not mark it (heading_lines.py)."""


parsed_block = partial(tuple.__new__, ParsedBlock)
"""Of all six values: in a quarter of the constructor's time."""
