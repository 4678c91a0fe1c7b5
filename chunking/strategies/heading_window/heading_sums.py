"""Windows that begin and end at headings, found for all headings of a document at once by the sums
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
    from chunking.strategies.heading_window.strategy import HeadingWindow

MANY_HEADINGS = 64
"""From which on it is faster to look at all of them than to walk from one to the next."""
_FURTHEST = 32
"""How many headings further a window may end that is found here."""

Numbers = npt.NDArray[np.int64]


class WindowsBetween(NamedTuple):
    """Of each heading, the window that begins there and ends at another."""

    ends: list[int]
    """The number of the heading at which it is sealed; -1 where that is not found here."""
    rules: Numbers
    """By which of the HEADING_RULES."""
    tokens: Numbers


class HeadingSums:
    """The tokens before each heading of a document, by one counter."""

    def __init__(self, tree: HeadingTree, index: TokenIndex, line_ends: Numbers) -> None:
        self._levels = np.array(tree.levels, np.int64)
        self.starts = starts = np.array(tree.starts, np.int64)
        before, lines = index.sums_at(starts), index.sums_at_most(line_ends)
        self.known = len(starts) >= MANY_HEADINGS and before is not None and lines is not None
        """Whether anything can be found here."""
        if self.known and before is not None and lines is not None:
            self._before = before
            # Up to each line after the heading before, and up to the one in which a heading begins.
            last = np.searchsorted(line_ends, starts)
            first = np.concatenate(([0], last[:-1] + 1))
            self._most = np.maximum.reduceat(np.append(lines[: last[-1] + 1], 0), first)

    def windows(self, settings: HeadingWindow) -> WindowsBetween:
        """Without lookahead, and with no more than the body counted (DECISIONS hw-1)."""
        levels, count = self._levels, len(self._levels)
        ends, rules, tokens = np.full(count, -1), np.zeros(count, np.int64), np.zeros(count, np.int64)
        number = np.arange(count)
        deepest, seen_h2 = levels, np.zeros(count, np.bool_)
        for further in range(1, _FURTHEST + 1):
            number = number[: np.searchsorted(number, count - further)]
            if not len(number):
                break
            at, deepest, seen_h2 = number + further, deepest[: len(number)], seen_h2[: len(number)]
            level = levels[at]
            held = self._before[at] - self._before[number]
            over = self._most[at] - self._before[number] > settings.max_tokens
            # Rule 3 of the spec comes before the minimums: whatever the size.
            by_h1 = seen_h2 & (level == 2) if settings.h1_rule else np.zeros(len(number), np.bool_)
            deeper = level > deepest
            enough = held >= np.where(deeper, settings.min_tokens_deeper, settings.min_tokens)
            sealed = (by_h1 | enough) & ~over
            ends[number[sealed]] = at[sealed]
            tokens[number[sealed]] = held[sealed]
            rules[number[sealed]] = np.where(by_h1, 0, 1 + deeper)[sealed]
            goes_on = ~(sealed | over)
            seen_h2 = (seen_h2 | ((level == 2) & (levels[number] == 1)))[goes_on]
            number, deepest = number[goes_on], np.maximum(deepest, level)[goes_on]
        return WindowsBetween(ends.tolist(), rules, tokens)
