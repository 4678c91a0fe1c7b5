"""Exact counts of any span of a text, after one pass over it: moving a threshold re-cuts without re-tokenising.

`TokenIndex` serves any counter, by counting slices and remembering. For our own counters `make_index` picks one that
adds instead: prefix sums between positions where adding is proven (pretokens.py), and the few characters at the edges.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np
import numpy.typing as npt

from chunking.counters import EncodingCounter
from chunking.document import Span
from chunking.pretokens import Pretokenizer

Offsets = npt.NDArray[np.int64]
_REMEMBERED = 1 << 18
"""Counts of slices that one index remembers before it starts afresh."""


class TokenIndex:
    """Counts spans of a text by any counter: each slice is counted once and remembered."""

    def __init__(self, text: str, counter: Callable[[str], int]) -> None:
        self.text = text
        self.counter = counter
        self._counted: dict[tuple[int, int], int] = {}

    def count(self, start: int, end: int) -> int:
        """The count of `text[start:end]`, equal to the counter's."""
        if start >= end:
            return 0
        return self._count_slice(start, end)

    def count_parts(self, parts: Sequence[str | Span]) -> int:
        """The count of strings and spans of the text joined together, equal to the counter's of the joined text."""
        joined = merged(parts)
        if len(joined) == 1 and isinstance(joined[0], Span):
            return self.count(joined[0].start, joined[0].end)
        return self.counter(
            "".join(part if isinstance(part, str) else self.text[part.start : part.end] for part in joined)
        )

    def reach(self, start: int, stops: Sequence[int] | Offsets, limit: int, first: int = 0) -> int:
        """How far a span from `start` may go: the index of the last stop before the first one that is over `limit`.

        `stops` ascend and are beyond `start` from index `first` on. Returns `first - 1` when even the first is over.
        Counts need not grow with the span: the first stop over the limit ends it, whatever comes after.
        """
        at = first
        while at < len(stops) and self.count(start, int(stops[at])) <= limit:
            at += 1
        return at - 1

    def _count_slice(self, start: int, end: int) -> int:
        counted = self._counted.get((start, end))
        if counted is None:
            if len(self._counted) >= _REMEMBERED:
                self._counted.clear()
            counted = self._counted[start, end] = self.counter(self.text[start:end])
        return counted


def merged(parts: Sequence[str | Span]) -> list[str | Span]:
    """The parts without empty ones, spans that touch made one."""
    joined: list[str | Span] = []
    for part in parts:
        if not len(part):
            continue
        last = joined[-1] if joined else ""
        if isinstance(part, Span) and isinstance(last, Span) and last.end == part.start:
            joined[-1] = Span(last.start, part.end)
        else:
            joined.append(part)
    return joined


class EncodingIndex(TokenIndex):
    """Counts by an encoding with a proven pattern: encodes the text once, then only edges between safe positions."""

    def __init__(self, text: str, counter: EncodingCounter, pretokenizer: Pretokenizer) -> None:
        super().__init__(text, counter)
        self._count_edge = counter.count_edge
        self._pretokenizer = pretokenizer
        flags = pretokenizer.safe_positions(text)
        self._safe_flags = flags
        self._safe = flags.tobytes()
        self._before = _tokens_before(text, counter, self._safe)
        self._tokens = self._before.data
        self._bytes_per_character = 1 if text.isascii() else 4

    def count(self, start: int, end: int) -> int:
        """The count of `text[start:end]`: two look-ups, and the characters outside the outermost safe positions."""
        if start >= end:
            return 0
        first = self._safe.find(1, start, end + 1)
        last = self._last_safe(first, end)
        if first < 0 or last < first:
            return self._stretch(start, end)
        tokens: int = self._tokens[last] - self._tokens[first]
        if first > start:
            tokens += self._stretch(start, first)
        if end > last:
            tokens += self._stretch(last, end)
        return tokens

    def _last_safe(self, first: int, end: int) -> int:
        """The last position up to `end` that is safe in a text that ends at `end`; below `first` when there is none."""
        if first < 0:
            return -1
        text = self.text
        last = self._safe.rfind(1, first, end + 1)
        if last < end and text[last - 1 : last] in ("\n", "\r") and text[last:end].isspace():
            return self._safe.rfind(1, first, last)  # a soft position, and the span ends in its indentation
        return last

    def _stretch(self, start: int, end: int) -> int:
        """The count of a slice without a safe position inside."""
        if end - start <= _SHORT:
            return self._count_edge(self.text[start:end])
        return self._count_slice(start, end)

    def count_parts(self, parts: Sequence[str | Span]) -> int:
        """The count of strings and spans joined together: it adds between firm positions, which are so in any text."""
        joined = merged(parts)
        if len(joined) == 1 and isinstance(joined[0], Span):
            return self.count(joined[0].start, joined[0].end)
        tokens, carried = 0, ""
        for part in joined:
            text, inside = self._firm_part(part)
            if carried and self._pretokenizer.is_firm(carried[-1], text[0]):
                tokens += self._count_text(carried)
                carried = ""
            if inside is None:
                carried += text
                continue
            first, last, between = inside
            tokens += self._count_text(carried + text[:first]) + between
            carried = text[last:]
        return tokens + self._count_text(carried)

    def _firm_part(self, part: str | Span) -> tuple[str, tuple[int, int, int] | None]:
        """The part's text; its first and last firm position inside and the count between them, None without one."""
        if isinstance(part, str):
            ends = self._pretokenizer.firm_ends(part)
            return part, ends and (*ends, self.counter(part[ends[0] : ends[1]]))
        text = self.text[part.start : part.end]
        head = self._pretokenizer.firm_ends(text[:_SEAM])
        tail = self._pretokenizer.firm_ends(text[-_SEAM:])
        if head is None or tail is None:
            ends = self._pretokenizer.firm_ends(text)
        else:
            ends = head[0], tail[1] + max(0, len(text) - _SEAM)
        return text, ends and (*ends, self.count(part.start + ends[0], part.start + ends[1]))

    def _count_text(self, text: str) -> int:
        return self._count_edge(text) if len(text) <= _SHORT else self.counter(text)


_SHORT = 256
"""Characters: slices up to this length are remembered by their text."""
_SEAM = 64
"""Characters at each end of a span that are searched for a firm position first."""
_SLICE = 1 << 20
"""Characters that are encoded at a time, so that the encoder's own memory stays small."""


def _tokens_before(text: str, counter: EncodingCounter, safe: bytes) -> npt.NDArray[np.int32]:
    """For each position 0 to len(text): how many tokens begin before it. Exact where no token spans the position."""
    arrays, start = [], 0
    while start < len(text):
        end = len(text) if len(text) - start <= _SLICE else safe.rfind(1, start + 1, start + _SLICE)
        end = end if end > 0 else safe.find(1, start + _SLICE)
        arrays.append(_tokens_begun(text[start:end], counter))
        start = end
    before = np.zeros(len(text) + 1, dtype=np.int32)
    start = tokens = 0
    for begun in arrays:
        before[start + 1 : start + 1 + len(begun)] = begun
        before[start + 1 : start + 1 + len(begun)] += np.int32(tokens)
        start += len(begun)
        tokens = int(before[start])
    return before


def _tokens_begun(text: str, counter: EncodingCounter) -> npt.NDArray[np.int32]:
    """For each character: how many tokens begin at or before its last byte."""
    lengths = np.concatenate([counter.token_lengths[ids] for ids in counter.ids(text)])
    begun = np.repeat(np.arange(1, len(lengths) + 1, dtype=np.int32), lengths)
    if len(begun) == len(text):
        return begun
    encoded = np.frombuffer(text.encode("utf-8", "surrogatepass"), dtype=np.uint8)
    last_bytes = np.ones(len(encoded), dtype=np.bool_)
    last_bytes[:-1] = (encoded[1:] & 0xC0) != 0x80
    return begun[last_bytes]


def make_index(text: str, counter: Callable[[str], int]) -> TokenIndex:
    """The fastest index there is for a counter."""
    if isinstance(counter, EncodingCounter) and counter.pretokenizer is not None:
        return EncodingIndex(text, counter, counter.pretokenizer)
    return TokenIndex(text, counter)
