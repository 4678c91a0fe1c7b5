"""Where a document of the corpus is worst: the place that is looked at first."""

from __future__ import annotations

import numpy as np

from chunking import Run
from chunking.core import limited_sizes


def worst_place(run: Run) -> int | None:
    """Just before the first boundary that cuts a block in two, else where the largest chunk over
    the limit begins, else the first text that is left out, else the largest chunk; None without
    chunks."""
    columns, maximum = run.columns, run.config.strategy.limits().maximum
    if not len(columns.start):
        return None
    torn = next((each.offset for each in run.torn_boundaries), None)
    if torn is not None:
        return torn - 1
    sizes = limited_sizes(run)
    largest = int(np.argmax(sizes))
    skipped = next((skip.body.start for skip in run.skips if skip.because.rule != "blank"), None)
    if skipped is not None and (maximum is None or sizes[largest] <= maximum):
        return int(skipped)
    return int(columns.start[largest])
