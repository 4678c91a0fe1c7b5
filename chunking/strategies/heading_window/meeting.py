"""How much of a document heading-window need not walk for an explanation: all before an offset at
which a window begins, whatever stands before it."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from functools import partial
from heapq import heappop, heappush
from itertools import pairwise

from chunking.document import Span
from chunking.strategies.heading_window.frames import WindowFrames
from chunking.strategies.heading_window.walk import Walk
from chunking.tracing import plain, stays_between

_LOOK_BACK = 8
"""How many times the maximum, or less than twice that, is before what is asked where it is first
looked for a place at which a window surely begins; then four times as far back, and so on."""
_MOST_LINES = 512
"""Lines that are followed at once: with more, the document is walked from its start."""
_NEAR = 64
"""How many times the maximum is walked from the start sooner than such a place is found."""


def first_that_matters(walk: Walk, frames: WindowFrames, start: int) -> int:
    """An offset at which a window begins, and all before it makes no difference to what is asked
    (`SplitContext.passes_over`); `start` for all of the document from there."""
    tools, ends, tokens_before = frames.tools, frames.line_ends_list, frames.index.tokens_before
    last = bisect_left(ends, True, key=lambda end: not tools.passes_over(Span(0, end)))
    # A power of two: for most maximums the same lines, of which more is remembered then.
    most = 1 << plain(frames.limit).bit_length()
    if not last or frames.count_context:  # by which a line within maxTokens may be cut, too
        return start
    before, back = tokens_before(ends[last - 1]), _LOOK_BACK * most
    if before < _NEAR * most:
        return start
    while back < before:
        first = bisect_right(ends, before - back, key=tokens_before)
        if not first or ends[first - 1] < start:
            break
        found = tools.remembered(("meets", first, last), partial(_meeting_from, walk, frames, first, last))
        if found:
            return found
        back *= 4
    return start


def _meeting_from(walk: Walk, frames: WindowFrames, first: int, last: int) -> int:
    """An offset behind line `first` at which a window begins, wherever windows began before, and
    one more ends before line `last`, so that a short last window finds the one to merge it with; 0
    where none is found.

    Somewhere in a stretch of lines with more tokens than maxTokens a window begins. All its lines
    are followed until all come to the same place.
    """
    begins, until = [*_begins(frames, first, last)], frames.line_end(last - 1)
    while begins:
        earliest = heappop(begins)
        if begins and begins[0] == earliest:
            continue
        following = walk.end_from(earliest)
        if following > until:
            return 0
        if not begins:
            return earliest
        heappush(begins, following)
    return 0


def _begins(frames: WindowFrames, first: int, last: int) -> Sequence[int]:
    """Where windows may begin in the first such stretch of lines, in order; empty where there is
    none."""
    return frames.tools.remembered(("begins", first, last), partial(_begins_anew, frames, first, last))


def _begins_anew(frames: WindowFrames, first: int, last: int) -> Sequence[int]:
    most, ends, headings, count = plain(frames.limit), frames.line_ends_list, frames.tree.starts, frames.index.count
    enough = most + most // 4 + 64
    while (line := 1 + frames.index.last_within(ends[first - 1], frames.line_ends, enough, first)) < last:
        if line - first > _MOST_LINES:
            return []
        tokens = [count(start, end) for start, end in pairwise(ends[first - 1 : line])]
        if tokens and max(tokens) <= most:
            begin, end = ends[first - 1], ends[line]
            # Within a longer text a stretch may have somewhat fewer tokens.
            stays_between(frames.limit, max(tokens), (count(begin, end) - 64) * 8 // 9)
            inside = headings[bisect_right(headings, begin) : bisect_left(headings, end)]
            return sorted({*ends[first:line], *inside})
        first += 1 + max((at for at, each in enumerate(tokens) if each > most), default=0)
    return []
