"""The torn boundaries near what a view shows: what it draws, and two more at either side, so that
the browser finds the way to the next. No Streamlit."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from dataclasses import dataclass

from chunking import Run
from chunking.core import TornBoundary, blocks_cut

_BEYOND = 2
"""One that is drawn may stand a little before what is shown; the one before it is the way back."""


@dataclass(frozen=True, slots=True)
class NearTears:
    """Some of a run's torn boundaries."""

    torn: Sequence[TornBoundary]
    at: Sequence[int]
    """The place of each, ascending, in the numbers of the view."""
    before: int
    """How many there are before these."""
    of: int
    """How many there are."""
    blocks: int
    """How many tables, code and lists all of them cut."""


def torn_in(run: Run, start: int, end: int) -> NearTears:
    """Those in a stretch of the document, by their offsets."""
    torn = run.torn_boundaries
    return _near(torn, [each.offset for each in torn], start, end)


def torn_among(run: Run, shown: Sequence[int], places: range) -> NearTears:
    """Those at the ends of the chunks `shown`, by the chunks' places among these: near some of the
    places."""
    found = [(bisect_left(shown, torn.chunk), torn) for torn in run.torn_boundaries]
    among = [(at, torn) for at, torn in found if at < len(shown) and shown[at] == torn.chunk]
    return _near([torn for _, torn in among], [at for at, _ in among], places.start, places.stop)


def _near(torn: Sequence[TornBoundary], at: Sequence[int], first: int, last: int) -> NearTears:
    start, end = max(0, bisect_left(at, first) - _BEYOND), bisect_right(at, last) + _BEYOND
    return NearTears(torn[start:end], at[start:end], start, len(torn), len(blocks_cut(torn)))
