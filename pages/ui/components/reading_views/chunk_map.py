"""Chunks as points on a map of their vectors, with what is odd among them. No Streamlit."""

from __future__ import annotations

from bisect import bisect_right
from collections import Counter
from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import TypeVar

import numpy as np
import numpy.typing as npt

from chunking.analysis import DUPLICATE, Layout, VectorMap, nearest_to
from pages.ui.choices.mapped import MapChunk, shortened

NEAREST = 5
"""Chunks that a question leads to."""
GROUPS = 11
"""Sections, or documents, that have a colour and a shape of their own; the others share one."""
LAYOUTS: dict[Layout, str] = {"components": "Principal components", "umap": "UMAP"}
"""What puts points where they are."""
COLOURS = {"section": "Section", "size": "Size", "config": "Now and baseline"}
"""What the points of one document can be coloured and shaped by."""
COLOURS_OF_DOCUMENTS = {"document": "Document", "section": "Section", "size": "Size"}
"""The same for those of several."""
Key = TypeVar("Key", bound=Hashable)


@dataclass(frozen=True, slots=True)
class MapDocuments:
    """The documents that the points of a map are of, where they are several."""

    names: Sequence[str]
    """Each of its own."""
    opened: int
    """The number of the one that was opened last, whose points stand out; -1 for none."""


@dataclass(frozen=True, slots=True)
class Placed:
    """The points of a map, in columns, and what is said of them."""

    x: list[float]
    """From -1 to 1, as `y`; both on one scale."""
    y: list[float]
    layout: Layout
    document: list[int]
    """The number of the chunk's document in `documents`."""
    documents: list[str]
    """Their names; none where all points are of one."""
    opened: int
    """The number of the document whose points stand out, -1 for none."""
    chunk: list[int]
    """The chunk's number in its document, from 0."""
    start: list[int]
    """Where its body begins."""
    tokens: list[int]
    title: list[str]
    group: list[int]
    of: list[int]
    """0 for the run's own chunks, 1 for the baseline's."""
    groups: list[str]
    duplicates: list[tuple[int, int, float]]
    duplicate_count: int
    duplicates_within: int
    """Pairs within one document, where `duplicates` are those of different ones."""
    threshold: float
    outliers: list[tuple[int, float]]
    fence: float
    shares: tuple[float, float]
    left_out: int


@dataclass(frozen=True, slots=True)
class Asked:
    """A question on the map."""

    x: float
    y: float
    nearest: list[tuple[int, float]]
    """Points by number, with their cosines."""


def placed(
    own: Sequence[MapChunk],
    others: Sequence[MapChunk],
    found: VectorMap,
    colour: str,
    *,
    total: int,
    documents: MapDocuments | None = None,
) -> Placed:
    """The points of a map of these chunks, out of `total`, and of a baseline's `others` where they
    are on it."""
    chunks = [*own, *others]
    scale = _scale(found)
    group, groups = _groups(own, others, colour, documents)
    return Placed(
        x=np.round(found.points[:, 0] / scale, 4).tolist(),
        y=np.round(found.points[:, 1] / scale, 4).tolist(),
        layout=found.layout,
        document=[chunk.document for chunk in chunks],
        documents=[shortened(name) for name in documents.names] if documents else [],
        opened=documents.opened if documents else -1,
        chunk=[chunk.number for chunk in chunks],
        start=[chunk.start for chunk in chunks],
        tokens=[chunk.tokens for chunk in chunks],
        title=[chunk.title for chunk in chunks],
        group=group,
        of=[0] * len(own) + [1] * len(others),
        groups=groups,
        duplicates=[(one, other, round(cosine, 3)) for one, other, cosine in found.duplicates],
        duplicate_count=found.duplicate_count,
        duplicates_within=found.duplicates_within,
        threshold=DUPLICATE,
        outliers=[(at, round(float(found.likeness[at]), 3)) for at in found.outliers],
        fence=round(found.fence, 3),
        shares=(round(found.shares[0], 3), round(found.shares[1], 3)),
        left_out=total - len(own),
    )


def asked(found: VectorMap, vectors: npt.NDArray[np.float32], count: int, vector: npt.NDArray[np.float32]) -> Asked:
    """A question's place, and the nearest of the first `count` points."""
    nearest = [(at, round(cosine, 3)) for at, cosine in nearest_to(vector, vectors[:count], NEAREST)]
    scale, (x, y) = _scale(found), found.place(vector, nearest)
    return Asked(min(1.0, max(-1.0, x / scale)), min(1.0, max(-1.0, y / scale)), nearest)


def _scale(found: VectorMap) -> float:
    return float(np.abs(found.points).max(initial=0.0)) or 1.0


def _groups(
    own: Sequence[MapChunk], others: Sequence[MapChunk], colour: str, documents: MapDocuments | None
) -> tuple[list[int], list[str]]:
    """The group of each chunk, and the groups' names. Of several documents what has most points
    comes first, so that few are left for the last group; the opened one always has its own."""
    if colour == "config":
        return [0] * len(own) + [1] * len(others), ["now", "baseline"]
    if colour == "size":
        return _by_size(own, others)
    chunks = [*own, *others]
    if documents is None or colour == "section":
        sections = [chunk.section for chunk in chunks]
        order = list(dict.fromkeys(sections)) if documents is None else _most_first(sections)
        return _by_name(sections, order, order, "other sections")
    of = [chunk.document for chunk in chunks]
    rows = _most_first(of)
    if documents.opened in rows[GROUPS:]:
        rows.remove(documents.opened)
        rows.insert(GROUPS - 1, documents.opened)
    return _by_name(of, rows, [documents.names[row] for row in rows], "other documents")


def _most_first(each: Sequence[Key]) -> list[Key]:
    return [key for key, _ in Counter(each).most_common()]


def _by_name(of: Sequence[Key], order: Sequence[Key], names: Sequence[str], rest: str) -> tuple[list[int], list[str]]:
    """Groups by what they are `of`; what comes after the first in this order is one."""
    numbers = {key: min(number, GROUPS) for number, key in enumerate(order)}
    last = [rest] if len(order) > GROUPS else []
    return [numbers[key] for key in of], [*map(shortened, names[:GROUPS]), *last]


def _by_size(own: Sequence[MapChunk], others: Sequence[MapChunk]) -> tuple[list[int], list[str]]:
    """Groups by tokens, each with about a quarter of the run's chunks."""
    sizes = sorted(chunk.tokens for chunk in own)
    edges = sorted({sizes[len(sizes) * part // 4] for part in (1, 2, 3)} - {sizes[0]})
    names = [f"{low:,} to {high - 1:,} tokens" for low, high in pairwise([sizes[0], *edges])]
    names.append(f"{edges[-1]:,} tokens and more" if edges else f"{sizes[0]:,} tokens and more")
    return [bisect_right(edges, chunk.tokens) for chunk in (*own, *others)], names
