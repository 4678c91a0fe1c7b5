"""The boundaries that tear a table, code or a list, as columns for the browser. No Streamlit."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from chunking import Run
from chunking.core import TornBoundary

KINDS = ("table", "code", "list")
"""As torn.js numbers them."""


def torn_columns(run: Run, which: Sequence[TornBoundary] | None = None) -> dict[str, npt.NDArray[np.int64]]:
    """The chunks that end inside something, what that is, and its lines: of all of the run's, or of
    these."""
    document = run.document
    rows = [
        (
            torn.chunk,
            KINDS.index(torn.kind),
            document.line_of(torn.span.start),
            document.line_of(max(torn.span.start, torn.span.end - 1)),
        )
        for torn in (run.torn_boundaries if which is None else which)
    ]
    columns = np.array(rows, np.int64).reshape(-1, 4).T
    return dict(zip(("torn", "tornKind", "tornFirst", "tornLast"), columns, strict=True))
