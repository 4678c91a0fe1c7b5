"""Stretches of a document in which a separator comes again and again, so that a window of some size
ends at one of them wherever it begins."""

from __future__ import annotations

import re

import numpy as np
import numpy.typing as npt

from chunking.document import Document
from chunking.splitting.document_cache import Memo, once_per_document
from chunking.text.graphemes import grapheme_floor

Stops = npt.NDArray[np.int64]
_MOST = 2048
"""Separators that are looked at, from the last one back."""


class _StopsAfter(Memo[str, Stops]):
    """By separator, where each one ends; none at all where some end inside a grapheme cluster."""

    def __init__(self, document: Document) -> None:
        super().__init__()
        self._text = document.text

    def of(self, separator: str) -> Stops:
        known = self.get(separator)
        if known is None:
            found = re.finditer(f"(?={re.escape(separator)})", self._text)
            stops = [match.start() + len(separator) for match in found]
            sure = all(grapheme_floor(self._text, stop, 0) == stop for stop in stops)
            known = self.keep(separator, np.array(stops if sure else [], np.int64), len(stops))
        return known


def stops_after(document: Document, separator: str) -> Stops:
    """Where each separator ends, overlapping ones too; none at all where some end inside a grapheme
    cluster."""
    return once_per_document(document, _StopsAfter).of(separator)


def close_stops(document: Document, separator: str, until: int, length: int, gap: int) -> list[int]:
    """The ends of separators in the last stretch, up to an offset, that begins and ends with one,
    is at least so long, and has no wider gap between two; empty where there is none."""
    stops = stops_after(document, separator)
    stops = stops[: np.searchsorted(stops, until, side="right")][-_MOST:]
    if not len(stops):
        return []
    ends = np.searchsorted(stops, stops + length)
    wide = np.concatenate(([0], np.cumsum(np.diff(stops) > gap)))
    close = np.flatnonzero((ends < len(stops)) & (wide[np.minimum(ends, len(stops) - 1)] == wide))
    if not len(close):
        return []
    found: list[int] = stops[close[-1] : ends[close[-1]] + 1].tolist()
    return found
