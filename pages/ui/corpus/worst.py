"""Where a document of the corpus is worst: the place that is looked at first."""

from __future__ import annotations

import numpy as np

from chunking import Run
from chunking.core import LEFT_OUT_BY_DESIGN, limited_sizes, over_with_context


def worst_place(run: Run, *, of: str = "") -> int | None:
    """Just before the first boundary that cuts a block in two, else where the largest chunk over
    the limit begins, be it with its context alone, else the first text that is left out, else the
    largest chunk; None without chunks. `of` is the filter of the table that is looked at: what it
    shows comes first."""
    if not len(run.columns.start):
        return None
    torn = next((each.offset - 1 for each in run.torn_boundaries), None)
    skipped = next((skip.body.start for skip in run.skips if skip.because.rule not in LEFT_OUT_BY_DESIGN), None)
    places = {"torn": torn, "over": _over(run), "left_out": skipped}
    worst = places.get(of)
    if worst is None:
        worst = next((place for place in places.values() if place is not None), None)
    return int(run.columns.start[np.argmax(limited_sizes(run))]) if worst is None else worst


def _over(run: Run) -> int | None:
    """Where the largest chunk over the limit begins: by what the limit counts, else with its
    context."""
    maximum = run.config.strategy.limits_in(run.document).maximum
    sizes = limited_sizes(run)
    if maximum is not None and sizes.max() > maximum:
        return int(run.columns.start[np.argmax(sizes)])
    with_context = over_with_context(run)
    if not with_context:
        return None
    largest = max(with_context, key=lambda chunk: int(run.columns.tokens[chunk]))
    return int(run.columns.start[largest])
