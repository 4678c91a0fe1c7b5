"""Vectors in two dimensions by UMAP, which is an optional package and is imported here alone."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from chunking.errors import ModelUnsetError
from chunking.runtime.extras import missing

Numbers = npt.NDArray[np.float64]

EXTRA = "umap"
_NEIGHBOURS = 15
"""Nearest vectors that each is placed by: UMAP's own default."""
_LEAST = 5
"""Vectors below which there is nothing to learn from neighbours."""
_SEED = 42


def umap_points(units: Numbers, start: Numbers) -> Numbers:
    """Where UMAP puts vectors of length 1, shape (n, d): points of shape (n, 2).

    It begins at `start`, their points by principal components, and is seeded: the same vectors give
    the same points on the same machine. Very few vectors, or vectors that are all alike, stay at
    `start`. Raises ModelUnsetError where umap-learn is not installed.
    """
    if absent := missing(EXTRA):
        raise ModelUnsetError(absent)
    extent = float(np.abs(start).max(initial=0.0))
    if len(units) < _LEAST or extent == 0.0:
        return start
    from umap import UMAP

    layout = UMAP(
        n_neighbors=min(_NEIGHBOURS, len(units) - 1),
        metric="cosine",
        init=(start * (10.0 / extent)).astype(np.float32),
        random_state=_SEED,
        n_jobs=1,  # what is seeded runs on one
    )
    points: Numbers = layout.fit_transform(units.astype(np.float32)).astype(np.float64)
    return points - points.mean(axis=0) if np.isfinite(points).all() else start
