"""Vectors as a map: two dimensions by principal components, near-duplicates, outliers, nearest.

All by numpy and the same for the same vectors: the signs of the components are fixed. Vectors are
compared by their cosines, so their lengths do not matter.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal, NamedTuple

import numpy as np
import numpy.typing as npt

from chunking.analysis.umap_layout import umap_points

Vectors = npt.NDArray[np.float32]
Numbers = npt.NDArray[np.float64]
Layout = Literal["components", "umap"]
"""How vectors are put into two dimensions: by their principal components, or by UMAP."""

DUPLICATE = 0.95
"""Cosine from which on two chunks are near-duplicates."""
MOST_PAIRS = 100
"""Near-duplicates that are named; all are counted."""
_FENCE = 1.5
"""Interquartile ranges below the first quartile from which on a value is an outlier (Tukey)."""
_LEAST = 8
"""Vectors below which none is called an outlier."""
_AT_A_TIME = 256


@dataclass(frozen=True)
class VectorMap:
    """Vectors in two dimensions, and what is odd among the first `count` of them."""

    points: Numbers
    """Shape (n, 2), in the order of the vectors."""
    layout: Layout
    """What they were made by: very few vectors stay at their components."""
    shares: tuple[float, float]
    """The share of the vectors' variance that each principal component has."""
    nearest: npt.NDArray[np.int64]
    """Of each of the first `count` vectors, the number of the one that is most like it; -1 without
    another."""
    likeness: Numbers
    """The cosine to that one."""
    duplicates: tuple[tuple[int, int, float], ...]
    """Pairs with a cosine of at least `DUPLICATE`, the most alike first."""
    duplicate_count: int
    """How many pairs there are."""
    duplicates_within: int
    """How many more there are within one document, where that of each vector is known."""
    outliers: tuple[int, ...]
    """Those that are far less like their nearest than others are, the oddest first."""
    fence: float
    """The cosine below which they are."""
    mean: Numbers
    axes: Numbers
    """Shape (2, d): with `mean`, what places another vector on a map of components."""

    def place(self, vector: Vectors, nearest: Sequence[tuple[int, float]] = ()) -> tuple[float, float]:
        """Where another vector is on the map.

        UMAP has no axes to place it by: it goes between those `nearest` to it, which are given as
        numbers and cosines, closer to the more similar ones.
        """
        if self.layout == "umap" and nearest:
            weights = np.maximum([cosine for _, cosine in nearest], 1e-6)
            across, up = weights @ self.points[[at for at, _ in nearest]] / weights.sum()
            return float(across), float(up)
        across, up = self.axes @ (_unit(vector[np.newaxis])[0] - self.mean)
        return float(across), float(up)


def map_vectors(
    vectors: Vectors,
    count: int | None = None,
    layout: Layout = "components",
    documents: Sequence[int] | None = None,
) -> VectorMap:
    """The map of vectors, shape (n, d). Near-duplicates and outliers are looked for among the first
    `count`: all of them where it is left out. They are the same in both layouts. With the number of
    the document of each vector, near-duplicates are those of different documents. Raises
    ModelUnsetError where UMAP is not installed."""
    units = _unit(vectors)
    mean = units.mean(axis=0) if len(units) else np.zeros(vectors.shape[1])
    axes, shares = _principal(units - mean)
    first = units[: len(units) if count is None else count]
    alike = _alike(first, np.arange(len(first)) if documents is None else np.asarray(documents)[: len(first)])
    fence = _fence(alike.likeness)
    odd = [int(at) for at in np.argsort(alike.likeness, kind="stable") if alike.likeness[at] < fence]
    points = (units - mean) @ axes.T
    placed = umap_points(units, points) if layout == "umap" else points
    made: Layout = "components" if placed is points else "umap"
    return VectorMap(placed, made, shares, *alike, tuple(odd), fence, mean, axes)


def nearest_to(vector: Vectors, vectors: Vectors, most: int) -> list[tuple[int, float]]:
    """Numbers and cosines of the vectors most like this one, the most alike first; of equal ones
    the first."""
    if not len(vectors):
        return []
    cosines = _unit(vectors) @ _unit(vector[np.newaxis])[0]
    order = np.argsort(-cosines, kind="stable")[:most]
    return [(int(at), float(cosines[at])) for at in order]


def _unit(vectors: Vectors) -> Numbers:
    wide = vectors.astype(np.float64)
    lengths = np.linalg.norm(wide, axis=1, keepdims=True)
    unit: Numbers = wide / np.where(lengths > 0, lengths, 1.0)
    return unit


def _principal(centred: Numbers) -> tuple[Numbers, tuple[float, float]]:
    """The two directions of the greatest variance, and the share of it that each has.

    A direction's sign is free: the number of the greatest size in it is made positive.
    """
    dimensions = centred.shape[1]
    axes = np.zeros((2, dimensions))
    total = float((centred**2).sum())
    if total <= 1e-12 * max(1, len(centred)):
        return axes, (0.0, 0.0)
    values, directions = np.linalg.eigh(centred.T @ centred)
    shares = [0.0, 0.0]
    for row, at in enumerate(range(dimensions - 1, max(-1, dimensions - 3), -1)):
        direction = directions[:, at]
        axes[row] = direction * (1 if direction[np.argmax(np.abs(direction))] >= 0 else -1)
        shares[row] = max(0.0, float(values[at]) / total)
    return axes, (shares[0], shares[1])


class _Alike(NamedTuple):
    """What is most like each vector; the near-duplicates of different documents, and how many more
    there are within one."""

    nearest: npt.NDArray[np.int64]
    likeness: Numbers
    duplicates: tuple[tuple[int, int, float], ...]
    duplicate_count: int
    duplicates_within: int


def _alike(units: Numbers, documents: npt.NDArray[np.int64]) -> _Alike:
    count = len(units)
    nearest, likeness = np.full(count, -1, dtype=np.int64), np.ones(count)
    pairs: list[tuple[int, int, float]] = []
    found = within = 0
    if count < 2:
        return _Alike(nearest, likeness, (), 0, 0)
    for start in range(0, count, _AT_A_TIME):
        cosines = units[start : start + _AT_A_TIME] @ units.T
        rows = np.arange(len(cosines))
        cosines[rows, start + rows] = -2.0
        nearest[start : start + len(rows)] = cosines.argmax(axis=1)
        likeness[start : start + len(rows)] = cosines.max(axis=1)
        ones, others = np.nonzero(cosines >= DUPLICATE)
        later = others > ones + start
        ones, others = ones[later], others[later]
        across = documents[ones + start] != documents[others]
        within += int(len(ones) - across.sum())
        ones, others = ones[across], others[across]
        cosines_of = cosines[ones, others]
        found += len(ones)
        first = np.lexsort((others, ones, -np.round(cosines_of, 6)))[:MOST_PAIRS]
        here = ((int(ones[at]) + start, int(others[at]), float(cosines_of[at])) for at in first)
        pairs = sorted([*pairs, *here], key=_most_alike)[:MOST_PAIRS]
    return _Alike(nearest, np.minimum(likeness, 1.0), tuple(pairs), found, within)


def _most_alike(pair: tuple[int, int, float]) -> tuple[float, int, int]:
    return -round(pair[2], 6), pair[0], pair[1]


def _fence(likeness: Numbers) -> float:
    if len(likeness) < _LEAST:
        return -1.0
    low, high = np.percentile(likeness, [25, 75])
    return float(low - _FENCE * (high - low))
