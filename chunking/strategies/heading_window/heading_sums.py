"""Windows that end at headings, found for all places of a document (places.py) at once by the sums
of tokens before them: most windows of most documents.

What these sums cannot tell, such as where a maximum cuts, is the walk's to find out.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np
import numpy.typing as npt

from chunking.strategies.heading_window.heading_tree import HeadingTree
from chunking.tokens import TokenIndex

if TYPE_CHECKING:
    from chunking.strategies.heading_window.places import Places
    from chunking.strategies.heading_window.strategy import HeadingWindow

MANY_HEADINGS = 64
"""From which on it is faster to look at all of them than to walk from one to the next."""
_FURTHEST = 32
"""How many headings further a window may end that is found here."""

Numbers = npt.NDArray[np.int64]


class WindowsBetween(NamedTuple):
    """Of each place, the window that begins there and ends at a heading, or as it was cut
    before."""

    ends: Numbers
    """The place at which it ends; -1 where that is not found here."""
    cut: npt.NDArray[np.bool_]
    """Whether it ends at the maximum, as it did before."""
    rules: Numbers
    """By which of the HEADING_RULES the others end."""
    tokens: Numbers
    """Of these others."""


class HeadingSums:
    """The tokens before each heading of a document, by one counter."""

    def __init__(self, tree: HeadingTree, index: TokenIndex, line_ends: Numbers) -> None:
        self._levels = np.array(tree.levels, np.int64)
        self.starts = starts = np.array(tree.starts, np.int64)
        self.before = np.zeros(len(starts), np.int64)
        many = len(starts) >= MANY_HEADINGS
        before, lines = (index.sums_at(starts), index.sums_at_most(line_ends)) if many else (None, None)
        self.known = before is not None and lines is not None
        """Whether anything can be found here."""
        if before is not None and lines is not None:
            self.before = before
            # Up to each line after the heading before, and up to the one in which a heading begins.
            last = np.searchsorted(line_ends, starts)
            first = np.concatenate(([0], last[:-1] + 1))
            self._most = np.maximum.reduceat(np.append(lines[: last[-1] + 1], 0), first)

    def windows(self, settings: HeadingWindow, places: Places) -> WindowsBetween:
        """Without lookahead, and with no more than the body counted (DECISIONS hw-1)."""
        levels, count = self._levels, len(places.starts)
        ends, rules, tokens = np.full(count, -1), np.zeros(count, np.int64), np.zeros(count, np.int64)
        number, at, deepest, seen_h2 = np.arange(count), places.following, places.levels, np.zeros(count, np.bool_)
        goes_on = at < len(levels)
        for _ in range(_FURTHEST):
            number, at, deepest, seen_h2 = number[goes_on], at[goes_on], deepest[goes_on], seen_h2[goes_on]
            if not len(number):
                break
            level = levels[at]
            held = self.before[at] - places.before[number]
            over = self._most[at] - places.before[number] > settings.max_tokens
            # Rule 3 of the spec comes before the minimums: whatever the size.
            by_h1 = seen_h2 & (level == 2) if settings.h1_rule else np.zeros(len(number), np.bool_)
            deeper = level > deepest
            enough = held >= np.where(deeper, settings.min_tokens_deeper, settings.min_tokens)
            sealed = (by_h1 | enough) & ~over
            ends[number[sealed]] = at[sealed]
            tokens[number[sealed]] = held[sealed]
            rules[number[sealed]] = np.where(by_h1, 0, 1 + deeper)[sealed]
            seen_h2 = seen_h2 | ((level == 2) & (places.levels[number] == 1))
            deepest, at = np.maximum(deepest, level), at + 1
            goes_on = ~(sealed | over) & (at < len(levels))
        cut = (ends < 0) & places.cuts.hold(settings)
        return WindowsBetween(np.where(cut, places.cuts.ends, ends), cut, rules, tokens)
