"""The chunks that are on a map, and what it says of each. No Streamlit."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from chunking import Chunk

MOST = 2_000
"""Chunks on a map; of more, a sample."""


@dataclass(frozen=True, slots=True)
class MapChunk:
    """What the map says of a chunk."""

    document: int
    """The number of its document among those of the map, from 0."""
    number: int
    """Its own in its document, from 0."""
    start: int
    """Where its body begins."""
    tokens: int
    section: str
    """The heading that tells its part of the document: the second below the name, where there is
    one, as the first is most often the document's title."""
    title: str
    """The headings above it, without the document's title where there are others."""


def map_chunk(chunk: Chunk, number: int, document: int = 0) -> MapChunk:
    """What the map says of this chunk."""
    crumb, name = chunk.breadcrumb[1:], chunk.document.base_name
    section = crumb[1] if len(crumb) > 1 else crumb[0] if crumb else name
    title = shortened(" › ".join(crumb[1:] or crumb) or name)
    return MapChunk(document, number, chunk.body.start, chunk.tokens, section, title)


def shortened(words: str) -> str:
    """The beginning and the end of words that are too many for a line."""
    short = words if len(words) <= 90 else f"{words[:42]}…{words[-46:]}"
    return short.encode("utf-8", "replace").decode()


def evenly(count: int, most: int = MOST) -> list[int]:
    """All numbers below `count`, or as many as `most`, evenly taken."""
    return list(range(count)) if count <= most else [int(at) for at in np.linspace(0, count - 1, most)]


def sample(counts: Sequence[int], most: int = MOST) -> dict[int, list[int]]:
    """The numbers of the chunks that are on a map of documents with so many chunks, by the number
    of the document: all, or of each as many as of any other, as far as it has them. Of more
    documents than `most`, some have none."""
    rows = [row for row, count in enumerate(counts) if count]
    rows = [rows[at] for at in evenly(len(rows), most)]
    shares, left = dict[int, int](), most
    for done, row in enumerate(sorted(rows, key=lambda row: counts[row])):
        shares[row] = min(counts[row], left // (len(rows) - done))
        left -= shares[row]
    return {row: evenly(counts[row], shares[row]) for row in rows}
