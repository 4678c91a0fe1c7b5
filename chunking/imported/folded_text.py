"""A text without white space and in lower case, in which a text is found fast, however often.

Some of its stretches are indexed by their hashes. The hash itself decides which, so that in a text
that is looked for the same stretches are. Source: Manber (1994), Finding Similar Files in a Large
File System.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import islice

import numpy as np
import numpy.typing as npt

CodePoints = npt.NDArray[np.uint32]

STRETCH = 12
"""Length, in characters other than white space, of the stretches that are hashed and looked up."""
_SAMPLING = np.uint64(4)
"""One in so many stretches is indexed."""
_FACTORS = np.random.default_rng(7).integers(1, 2**63, STRETCH, dtype=np.uint64) | np.uint64(1)
_MOST_PLACES = 20_000
"""Maximum of places looked at for one repeated text."""
_MOST_SHARED = 16
"""A stretch that a text has more often says little about where another one is."""
BYTE_ORDER_MARK = "\ufeff"
"""The byte order mark: our documents have none, the texts of tools that read files as plain UTF-8
do."""


@dataclass(frozen=True)
class FoldedText:
    """The folded text, the offset in the original of each of its characters, and the index."""

    text: str
    offsets: npt.NDArray[np.int64]
    hashes: npt.NDArray[np.uint64] = field(repr=False)
    """Of the indexed stretches, ascending."""
    at: npt.NDArray[np.int64] = field(repr=False)
    """Where each of them begins."""

    @classmethod
    def of(cls, points: CodePoints) -> FoldedText:
        """Of a text by its code points."""
        folded_points, offsets = _folded(points)
        at, hashes = _indexed_stretches(folded_points)
        order = np.argsort(hashes, kind="stable")
        return cls(_text(folded_points), offsets, hashes[order], at[order])

    def between(self, start: int, end: int) -> str:
        """The folded text between two offsets of the original."""
        first, last = np.searchsorted(self.offsets, (start, end))
        return self.text[first:last]

    def edges(self, at: int, length: int) -> tuple[int, int]:
        """Where a stretch of so many characters begins and ends in the original text."""
        return int(self.offsets[at]), int(self.offsets[at + length - 1]) + 1

    def places(self, wanted: str) -> Iterator[int]:
        """Where a folded text is in this one, in order, without overlaps."""
        free = 0
        for at in islice(self._hits(wanted), _MOST_PLACES):
            if at >= free:
                yield at
                free = at + len(wanted)

    def shared(self, wanted: str) -> Iterator[tuple[int, int]]:
        """Stretches of another folded text that this one has too: where each begins in that and in
        this one. Those that this one has too often are left out."""
        found, hashes = _indexed_stretches(code_points(wanted))
        first, last = (np.searchsorted(self.hashes, hashes, side=side) for side in ("left", "right"))
        for at, low, high in zip(found.tolist(), first.tolist(), last.tolist(), strict=True):
            if high - low <= _MOST_SHARED:
                for place in self.at[low:high].tolist():
                    if self.text.startswith(wanted[at : at + STRETCH], place):
                        yield at, place

    def _hits(self, wanted: str) -> Iterator[int]:
        found, hashes = _indexed_stretches(code_points(wanted))
        if not len(found):  # too short, or by chance without an indexed stretch
            at = self.text.find(wanted)
            while at >= 0:
                yield at
                at = self.text.find(wanted, at + len(wanted))
            return
        first, last = (np.searchsorted(self.hashes, hashes, side=side) for side in ("left", "right"))
        rarest = int(np.argmin(last - first))
        for at in np.sort(self.at[first[rarest] : last[rarest]]) - found[rarest]:
            if at >= 0 and self.text.startswith(wanted, int(at)):
                yield int(at)


def code_points(text: str) -> CodePoints:
    """The code points of a text, lone surrogates among them."""
    return np.frombuffer(text.encode("utf-32-le", "surrogatepass"), dtype=np.uint32)


def _text(points: CodePoints) -> str:
    return points.astype(np.uint32).tobytes().decode("utf-32-le", "surrogatepass")


def _folded(points: CodePoints) -> tuple[CodePoints, npt.NDArray[np.int64]]:
    """The points without white space, in lower case one by one, and where each was."""
    known, which = np.unique(points, return_inverse=True)
    lower = [chr(point).lower() for point in known]
    lower_points = np.array(
        [ord(c) if len(c) == 1 else point for c, point in zip(lower, known, strict=True)], dtype=np.uint32
    )
    blank = np.array([chr(point).isspace() or chr(point) == BYTE_ORDER_MARK for point in known], dtype=np.bool_)
    offsets = np.flatnonzero(~blank[which])
    return lower_points[which[offsets]], offsets


def folded(text: str) -> str:
    """A text without white space and in lower case."""
    return _text(_folded(code_points(text))[0])


def _indexed_stretches(points: CodePoints) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.uint64]]:
    """Where the indexed stretches of a text begin, and their hashes."""
    count = len(points) - STRETCH + 1
    if count <= 0:
        return np.zeros(0, dtype=np.int64), np.zeros(0, dtype=np.uint64)
    wide, hashes = points.astype(np.uint64), np.zeros(count, dtype=np.uint64)
    for number, factor in enumerate(_FACTORS):
        hashes += wide[number : number + count] * factor
    at = np.flatnonzero((hashes >> np.uint64(32)) % _SAMPLING == 0)
    return at, hashes[at]
