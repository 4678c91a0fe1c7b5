"""The units in which another tool may count the offsets of its chunks, and the code points that
they mean in a text."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

import numpy as np
import numpy.typing as npt

from chunking.imported.folded_text import CodePoints


@dataclass(frozen=True, slots=True)
class TextUnit:
    """A unit that offsets may count."""

    name: str
    counts: Literal["code points", "UTF-8 bytes", "UTF-16 units"]
    as_lf: bool = False
    """Whether line ends were made LF before they were counted."""
    ends_within: bool = False
    """Whether an end is that of the chunk's last character, and not the one after it."""
    before: int = 0
    """The offset of the text's first character: 1 where counting begins at 1, or after a byte order
    mark of 1 unit."""


_FROM = {0: "", 1: " from 1", 3: " after a byte order mark"}
UNITS = tuple(
    TextUnit(
        f"{counts}{_FROM[before]}{', line ends as LF' if as_lf else ''}{', ends counted in' if within else ''}",
        counts,
        as_lf,
        within,
        before,
    )
    for before in _FROM
    for within in (False, True)
    for as_lf in (False, True)
    for counts in ("code points", "UTF-8 bytes", "UTF-16 units")
    if before < 3 or counts == "UTF-8 bytes"
)
"""The likeliest first: of those that fit as many chunks, the first is taken."""


class OffsetReader:
    """Reads offsets into one text, in any unit."""

    def __init__(self, points: CodePoints) -> None:
        self._points = points
        self._edges: dict[tuple[str, bool], npt.NDArray[np.int64]] = {}

    def differing_units(self) -> Iterator[TextUnit]:
        """The units that count differently in this text."""
        highest = int(self._points.max(initial=0))
        differs = {"code points": True, "UTF-8 bytes": highest > 0x7F, "UTF-16 units": highest > 0xFFFF}
        crlf = bool(self._before_lf().any())
        return (unit for unit in UNITS if differs[unit.counts] and (not unit.as_lf or crlf))

    def code_point_at(self, offset: int, unit: TextUnit) -> int | None:
        """The code point at an offset in this unit; None inside a code point and beyond the
        text."""
        edges = self._edges_in(unit)
        offset = max(0, offset - unit.before)
        at = int(np.searchsorted(edges, offset))
        return at if at < len(edges) and edges[at] == offset else None

    def offset_of(self, code_point: int, unit: TextUnit) -> int:
        """The offset of a code point in this unit, counted as the unit counts."""
        return int(self._edges_in(unit)[code_point]) + unit.before

    def _edges_in(self, unit: TextUnit) -> npt.NDArray[np.int64]:
        """For each code point, and the end, its offset in this unit."""
        kind = unit.counts, unit.as_lf
        if kind not in self._edges:
            points = self._points
            sizes = np.ones(len(points), dtype=np.int64)
            if unit.counts == "UTF-8 bytes":
                sizes += (points > 0x7F).astype(np.int64) + (points > 0x7FF) + (points > 0xFFFF)
            elif unit.counts == "UTF-16 units":
                sizes += points > 0xFFFF
            if unit.as_lf:
                sizes[:-1][self._before_lf()] = 0
            self._edges[kind] = np.concatenate([[0], np.cumsum(sizes)])
        return self._edges[kind]

    def _before_lf(self) -> npt.NDArray[np.bool_]:
        """For each code point but the last, whether it and the next are CR LF."""
        crlf: npt.NDArray[np.bool_] = (self._points[:-1] == ord("\r")) & (self._points[1:] == ord("\n"))
        return crlf
