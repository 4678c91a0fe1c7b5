"""Where a window of tokens surely ends after a separator: read off sums over the document, for any
size, where else each window would be measured again and again while its size moves."""

from __future__ import annotations

from array import array
from bisect import bisect_right

from chunking.core.context import SplitContext
from chunking.document import Document
from chunking.splitting.close_separators import Stops, stops_after
from chunking.splitting.document_cache import Memo, once_per_counter
from chunking.splitting.length_functions import TokenLengths
from chunking.splitting.sealed_chunks import SealedChunks


class _Starts(Memo[tuple[int, int], tuple[int, int, int, int]]):
    """By where a body begins and how much may be repeated: where that begins, how far back was
    looked for it, its bound (`TokenIndex.bound_from`), and from which size on this is good."""

    most = 1 << 16


class TokenStops:
    """The stops of one separator in a document, and where windows that end at one of them begin.
    Kept for the document."""

    def __init__(self, stops: Stops, least: Stops, most: Stops) -> None:
        self._stops, self._least, self._most = (array("q", each.tobytes()) for each in (stops, least, most))
        self._starts = _Starts()

    def start(self, at: int, low: int, overlap: int, lengths: TokenLengths) -> tuple[int, int, int] | None:
        """Where what is repeated before `at` begins, not before `low`, with its bound and the least
        size for which that is good; None where it depends on `low`."""
        known = self._starts.get((at, overlap))
        if known is None:
            begins, looked = lengths.looked_back(at, low, overlap) if overlap else (at, at)
            bound, good = lengths.bound_from(begins)
            if (overlap and looked <= low) or good > at:
                return None
            known = self._starts.keep((at, overlap), (begins, looked, bound, 8 * (good - begins)))
        return (known[0], known[2], known[3]) if low <= known[1] else None

    def last_within(self, at: int, bound: int, size: int) -> tuple[int, int] | None:
        """The last stop after `at` to which a window of this bound comes, and at least how many
        tokens are before the stop before it; None where that is not sure."""
        limit = size + bound
        last = bisect_right(self._least, limit) - 1
        if last < 1 or last + 1 == len(self._least) or self._most[last] > limit or self._stops[last] <= at:
            return None
        return self._stops[last], self._least[last - 1] - bound


class _Known(Memo[str, tuple[TokenStops | None]]):
    """By separator; None where nothing is known of any counts up to a stop."""

    most = 4


def token_stops(document: Document, separator: str, tools: SplitContext) -> TokenStops | None:
    """Those of a document that was cut before; None where a setting is traced, or nothing is
    known."""
    if not SealedChunks(document, tools, "tokens between stops").remembers:
        return None  # to find them takes as long as they save in one cut
    all_known = once_per_counter(document, tools.counter, _Known)
    known = all_known.get(separator)
    if known is None:
        stops = stops_after(document, separator)
        bounds = tools.index(document).bounds_at(stops) if len(stops) else None
        known = all_known.keep(separator, (TokenStops(stops, *bounds) if bounds else None,))
    return known[0]
