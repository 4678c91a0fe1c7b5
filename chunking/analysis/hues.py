"""The hue of each chunk: given by its place, so that a boundary that moves changes no hue below it.

pages/ui/components/shared/chunk_hues.js gives the same hues in the browser.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

PATTERNS = 3
"""The pattern of a chunk's rail is its hue, 0 to 5, modulo this: neighbours differ in both."""
_REACH = 10
"""Number of the following chunks that a hue depends on."""

Numbers = npt.NDArray[np.int64]


def chunk_hues(starts: Sequence[int] | Numbers, first: int = 0, end: int | None = None) -> list[int]:
    """A hue from 0 to 5 for each chunk from number `first` to before `end`, by where chunks start.

    This is Cole and Vishkin's colouring of a path (Information and Control 70, 1986): each round
    looks at the next chunk only, so that a hue depends on its own start and the next ten.
    """
    end = len(starts) if end is None else end
    mixed = _mixed(np.asarray(starts[first : end + _REACH], np.int64))
    if not len(mixed):
        return []
    codes = mixed
    for _ in range(4):  # 32 bits, then 64 codes, 12, 8 and 6: always another one than the next chunk's
        differ = codes ^ np.append(codes[1:], codes[-1] ^ 1)
        bit = np.log2(differ & -differ).astype(np.int64)
        codes = 2 * bit + (codes >> bit & 1)
    for code in (5, 4, 3):  # each takes the next one's code, and what is left of this code becomes 0, 1 or 2
        before, codes = codes, np.append(codes[1:], (codes[-1] + 1) % 3)
        after = np.append(codes[1:], -1)
        free = np.where((before != 0) & (after != 0), 0, np.where((before != 1) & (after != 1), 1, 2))
        codes = np.where(codes == code, free, codes)
    hues: list[int] = (codes + PATTERNS * (mixed >> 31)).tolist()
    return hues[: end - first]


def _mixed(starts: Numbers) -> Numbers:
    """Each start as another number of 32 bits, so that equal distances give no stripes: the last
    step of MurmurHash3."""
    mixed = starts.astype(np.uint32)
    mixed = (mixed ^ mixed >> np.uint32(16)) * np.uint32(0x85EBCA6B)
    mixed = (mixed ^ mixed >> np.uint32(13)) * np.uint32(0xC2B2AE35)
    return (mixed ^ mixed >> np.uint32(16)).astype(np.int64)
