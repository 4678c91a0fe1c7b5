"""How alike two vectors are, and neighbouring sentences along a document."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Sequence
from fractions import Fraction

import numpy as np
import numpy.typing as npt

DECIMALS = 6
"""Similarities are compared as they are shown. Vectors are 32-bit: what lies behind is noise, and
would make equal sentences differ (.99999994) and a threshold of 1 cut between them."""


def cosine(a: npt.ArrayLike, b: npt.ArrayLike) -> float:
    """The cosine of the angle between two vectors, -1 to 1; 0 when either is all zeros (DECISIONS
    sc-2)."""
    return _cosines(np.asarray([a], dtype=np.float64), np.asarray([b], dtype=np.float64))[0]


def neighbour_similarities(vectors: npt.ArrayLike, window: int = 1) -> list[float]:
    """For each pair of neighbours: the similarity of the mean of up to `window` vectors before the
    gap and after it.

    `vectors` has shape (n, d); the answer has n - 1 numbers. Only vectors are averaged, so another
    window needs no other embeddings.
    """
    rows = np.asarray(vectors, dtype=np.float64)
    if len(rows) < 2:
        return []
    window = min(window, len(rows))
    if window == 1:
        return _cosines(rows[:-1], rows[1:])
    # The sum of a window points where its mean points. Summed window by window: a zero stays a
    # zero.
    before = np.stack([rows[max(0, gap - window) : gap].sum(axis=0) for gap in range(1, len(rows))])
    after = np.stack([rows[gap : gap + window].sum(axis=0) for gap in range(1, len(rows))])
    return _cosines(before, after)


def quantile(values: Sequence[float], share: float) -> float:
    """The value below which at least `share` of the values lie, as far as they differ; always one
    of the values.

    The value number ceil(share * (n - 1)) in order, from 0, reckoned exactly. `values` must not be
    empty.
    """
    last = len(values) - 1
    number = bisect_left(range(last), True, key=lambda number: share <= Fraction(number, last))
    return sorted(values)[number]


def _cosines(a: npt.NDArray[np.float64], b: npt.NDArray[np.float64]) -> list[float]:
    dots = np.einsum("ij,ij->i", a, b)
    lengths = np.sqrt(np.einsum("ij,ij->i", a, a) * np.einsum("ij,ij->i", b, b))
    alike = np.divide(dots, lengths, out=np.zeros_like(dots), where=lengths > 0)
    rounded: list[float] = np.clip(alike, -1.0, 1.0).round(DECIMALS).tolist()
    return [each + 0.0 for each in rounded]  # no -0.0
