"""A stretch of a document in rows that can be drawn: its lines, where they are not very long."""

from __future__ import annotations

import re
from collections.abc import Iterable
from itertools import pairwise

from chunking.document import Document, Span
from chunking.text.graphemes import grapheme_floor

LONGEST_ROW = 1_000
"""Characters of a row; what a line has beyond is in further rows."""
_LINE_END = re.compile("\r\n?|\n")


def near_lines(document: Document, around: int, before: int, after: int) -> Span:
    """What is shown around an offset: whole lines, unless they are very long."""
    text = document.text
    first, last = max(0, around - before), min(len(text), around + after)
    lowest = max(0, first - LONGEST_ROW)
    start = text.rfind("\n", lowest, first) + 1 or (grapheme_floor(text, first, lowest) if first else 0)
    end = text.find("\n", last, last + LONGEST_ROW) + 1 or grapheme_floor(text, last, start)
    return Span(start, end)


def row_edges(document: Document, near: Span, breaks: Iterable[int]) -> list[int]:
    """Where rows begin, and where the last one ends: at line ends, at these breaks, and within
    lines that are very long."""
    text = document.text
    ends = (near.start + line.end() for line in _LINE_END.finditer(text[near.start : near.end]))
    edges = {near.start, near.end, *ends, *(at for at in breaks if near.contains(at))}
    for start, end in pairwise(sorted(edges)):
        edges.update(grapheme_floor(text, at, start) for at in range(start + LONGEST_ROW, end, LONGEST_ROW))
    return sorted(edges)
