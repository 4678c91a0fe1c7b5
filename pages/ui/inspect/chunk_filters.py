"""The chunks that stand out by a filter, and the places that the strip's numbers lead to. No
Streamlit."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from chunking import Run
from chunking.analysis import Check
from chunking.core import limited_sizes
from pages.ui.choices.reading import Only
from pages.ui.components.shared.standing_out import StandingOut

WORDS: dict[Only, str] = {
    "failing": "failing a check",
    "torn": "cutting a block in two",
    "over": "over the maximum",
}


def standing_out(run: Run, only: Only, checks: Sequence[Check] | None) -> StandingOut | None:
    """The chunks of a filter; None where all stand out, and where only checks could say which do
    and there are none, as during a drag."""
    if only == "all" or (only == "failing" and checks is None):
        return None
    return StandingOut(WORDS[only], chunks_of(run, only, checks or ()))


def standing_in_drag(only: Only, run: Run) -> StandingOut | None:
    """The same for a threshold that is being dragged."""
    return standing_out(run, only, None)


def chunks_of(run: Run, only: Only, checks: Sequence[Check]) -> tuple[int, ...]:
    """Numbers, from 0, of the chunks of a filter."""
    if only == "failing":
        return tuple(sorted({chunk for check in checks if check.verdict == "fail" for chunk in check.chunks}))
    if only == "torn":
        return tuple(torn.chunk for torn in run.torn_boundaries)
    maximum = run.config.strategy.limits_in(run.document).maximum
    if only == "over" and maximum is not None:
        return tuple(np.flatnonzero(limited_sizes(run) > maximum).tolist())
    return () if only == "over" else tuple(range(len(run.chunks)))


def next_cut(run: Run, after: int | None) -> int | None:
    """The next boundary that cuts a block in two, as the place just before it: after this place,
    or from the start again; None where no block is cut."""
    return _next([torn.offset - 1 for torn in run.torn_boundaries], after)


def next_outside(run: Run, after: int | None) -> int | None:
    """Where the next chunk under the minimum or over the maximum begins: after this place, or from
    the start again; None where all are within the limits."""
    limits, sizes = run.config.strategy.limits_in(run.document), limited_sizes(run)
    outside = sizes < (limits.minimum or 0)
    if limits.maximum is not None:
        outside |= sizes > limits.maximum
    return _next([run.chunks[number].body.start for number in np.flatnonzero(outside).tolist()], after)


def _next(places: Sequence[int], after: int | None) -> int | None:
    return next((place for place in places if after is None or place > after), places[0] if places else None)
