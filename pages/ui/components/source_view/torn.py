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
    shown = run.torn_boundaries if which is None else which
    rows = [(torn.chunk, KINDS.index(torn.kind), torn.span.start, torn.span.end) for torn in shown]
    chunk, kind, start, end = np.array(rows, np.int64).reshape(-1, 4).T
    first, last = (
        np.searchsorted(run.document.line_starts, place, side="right") for place in (start, np.maximum(start, end - 1))
    )
    return {"torn": chunk, "tornKind": kind, "tornFirst": first, "tornLast": last}
