"""The hue of each chunk: given by its place, so that a boundary that moves changes no hue below it.

pages/ui/components/shared/chunk_hues.js gives the same hues in the browser.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

PATTERNS = 3
"""The pattern of a chunk's rail is its hue, 0 to 5, modulo this: neighbours differ in both."""
_AHEAD = 32
"""Number of the following chunks that are looked at to begin with; few hues need more than five."""

Numbers = npt.NDArray[np.int64]


def chunk_hues(starts: Sequence[int] | Numbers, first: int = 0, end: int | None = None) -> list[int]:
    """A hue from 0 to 5 for each chunk from number `first` to before `end`, by where chunks start.

    Each start gives a pattern and another one, for where the next chunk has the first. So a hue
    depends on its own start and those that follow, up to the first whose pattern neither of the two
    of its next chunk can take: a boundary that moves changes one hue above it on average, most
    often the nearest.
    """
    end = len(starts) if end is None else end
    if first >= end:
        return []
    wanted, other, half = _patterns(starts, first, end)
    hues: list[int] = []
    below = -1
    for pattern, instead, upper in zip(reversed(wanted), reversed(other), reversed(half), strict=True):
        below = instead if pattern == below else pattern
        hues.append(below + PATTERNS * upper)
    return hues[::-1][: end - first]


def _patterns(starts: Sequence[int] | Numbers, first: int, end: int) -> tuple[list[int], list[int], list[int]]:
    """Of each chunk from `first` to one at or after the last before `end` that is sure of its
    pattern: that one, the one in its place, and which half of the hues it has."""
    ahead = _AHEAD
    while True:
        mixed = _mixed(np.asarray(starts[first : end + ahead], np.int64))
        wanted = mixed % PATTERNS
        other = (wanted + 1 + mixed // PATTERNS % 2) % PATTERNS
        sure = (wanted[:-1] != wanted[1:]) & (wanted[:-1] != other[1:])
        found = np.flatnonzero(sure[end - first - 1 :])
        if len(found) or end + ahead >= len(starts):
            last = end - first + int(found[0]) if len(found) else len(mixed)
            return wanted[:last].tolist(), other[:last].tolist(), (mixed[:last] >> 31).tolist()
        ahead *= 2


def _mixed(starts: Numbers) -> Numbers:
    """Each start as another number of 32 bits, so that equal distances give no stripes: the last
    step of MurmurHash3."""
    mixed = starts.astype(np.uint32)
    mixed = (mixed ^ mixed >> np.uint32(16)) * np.uint32(0x85EBCA6B)
    mixed = (mixed ^ mixed >> np.uint32(13)) * np.uint32(0xC2B2AE35)
    return (mixed ^ mixed >> np.uint32(16)).astype(np.int64)
