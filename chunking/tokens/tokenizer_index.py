"""Counts of spans by a tokenizer.json: words are counted once, and after that only the few
characters at the edges.

Between the positions that tokenizer_splits.py proves safe, counts are differences of prefix sums.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

import numpy as np

from chunking.document import Span
from chunking.tokens.index import UNSURE, Offsets, SummingIndex
from chunking.tokens.tokenizer_counter import TokenizerCounter
from chunking.tokens.tokenizer_splits import Splits

_SHORT = 256
"""Characters: slices up to this length are remembered by their text, longer ones by where they
are."""

_WORDS_AT_A_TIME = 100_000
"""Words that are looked up in one go: a list of millions keeps the interpreter's lock for long."""


class TokenizerIndex(SummingIndex):
    """Counts by a tokenizer of which something is proven. A few seconds for a megabyte that has new
    words.

    Where a text has no safe position for long, counts are as exact, and cost an encoding of the
    slice inside it.
    """

    def __init__(self, text: str, counter: TokenizerCounter, splits: Splits) -> None:
        super().__init__(text, counter)
        self._splits = splits
        self._tokenizer = counter
        self._begins_with_mark = splits.inner is not None
        """Whether the head of a slice is counted in another way than what stands behind a safe
        position."""
        self._flags = splits.flags(text)
        self._safe = self._flags.tobytes()
        self._before = self._sums()
        self._tokens = self._before.data
        self._inner_counted: dict[tuple[int, int], int] = {}

    def count(self, start: int, end: int) -> int:
        """The count of `text[start:end]`: two look-ups, and the characters outside the outermost
        safe positions."""
        if start >= end:
            return 0
        first = self._anchor(start)
        if first < 0 or first >= end:
            return self._head(start, end)
        last = self._safe.rfind(1, first, end + 1)
        tokens: int = self._tokens[last] - self._tokens[first]
        if first > start:
            tokens += self._head(start, first)
        return tokens + self._tail(last, end) if end > last else tokens

    def tokens_before(self, offset: int) -> int:
        """As TokenIndex.tokens_before: a look-up; inside a word its tokens are spread evenly over
        it."""
        last = self._safe.rfind(1, 0, offset + 1)
        before: int = self._tokens[last]
        if last == offset:
            return before
        following = self._safe.find(1, offset)
        inside: int = self._tokens[following] - before
        return before + inside * (offset - last) // (following - last)

    def count_after(
        self, before: str, start: int, end: int, inside: int | None = None, outside: int | None = None
    ) -> int:
        """As TokenIndex.count_after; a sum where the seam is safe."""
        alike = not self._begins_with_mark and before and start < end
        if alike and self._splits.is_safe(before, self.text[start]):
            in_front = self._count_text(before, head=True) if outside is None else outside
            return in_front + (self.count(start, end) if inside is None else inside)
        return super().count_after(before, start, end, inside)

    def _sums(self) -> np.ndarray[tuple[int], np.dtype[np.int32]]:
        """For each position 0 to len(text): how many tokens the words before it have, the one it is
        in not among them."""
        text, before = self.text, np.zeros(len(self.text) + 1, dtype=np.int32)
        safe = np.flatnonzero(self._flags)
        for first in range(0, len(safe) - 1, _WORDS_AT_A_TIME):
            places = safe[first : first + _WORDS_AT_A_TIME + 1]
            pieces = [text[start:end] for start, end in pairwise(places.tolist())]
            head = [] if first else [self._tokenizer(pieces[0])]
            before[places[1:]] = head + self._tokenizer.inner_counts(pieces[len(head) :])
        return np.cumsum(before, dtype=np.int32, out=before)

    def _head(self, start: int, end: int) -> int:
        """The count of a slice without a safe position inside, as a text of its own."""
        if self._splits.longest_word and self._splits.is_one_unknown(self.text[start:end]):
            return 1
        short = end - start <= _SHORT
        return self._tokenizer.count_edge(self.text[start:end]) if short else self._count_slice(start, end)

    def _tail(self, start: int, end: int) -> int:
        """The count of such a slice behind a safe position."""
        if not self._begins_with_mark:
            return self._head(start, end)
        if end - start <= _SHORT:
            return self._tokenizer.inner_edge(self.text[start:end])
        known = self._inner_counted.get((start, end))
        if known is None:
            known = self._inner_counted[start, end] = self._tokenizer.inner_count(self.text[start:end])
        return known

    def _anchor(self, start: int) -> int:
        return self._safe.find(1, start + 1 if self._begins_with_mark else start)

    def _level(self, start: int, anchor: int) -> int:
        level: int = self._tokens[anchor]
        return level - self._head(start, anchor) if anchor > start else level

    def _levels(self, stops: Offsets) -> Offsets:
        """Exact at safe stops; a stop inside a word is counted when `last_within` comes to it."""
        levels: Offsets = self._before[stops].astype(np.int64)
        levels[~self._flags[stops]] = UNSURE
        return levels

    def _count_joined(self, parts: Sequence[str | Span]) -> int:
        """Adds between safe positions: they are so in any text, also in one that is joined from
        parts."""
        if self._splits.added_tokens:
            return super()._count_joined(parts)  # one could lie across several parts
        tokens, carried, head = 0, "", True
        for part in parts:
            opening, between, closing = self._tokenizer.cut(part) if isinstance(part, str) else self._cut_span(part)
            if carried and self._splits.is_safe(carried, opening):
                tokens, carried, head = tokens + self._count_text(carried, head=head), "", False
            carried += opening
            if between is not None:
                tokens += self._count_text(carried, head=head) + between
                carried, head = closing, False
        return tokens + self._count_text(carried, head=head)

    def _cut_span(self, span: Span) -> tuple[str, int | None, str]:
        first = self._safe.find(1, span.start + 1, span.end)
        if first < 0:
            return self.text[span.start : span.end], None, ""
        last = self._safe.rfind(1, first, span.end)
        between: int = self._tokens[last] - self._tokens[first]
        return self.text[span.start : first], between, self.text[last : span.end]

    def _count_text(self, text: str, *, head: bool) -> int:
        if len(text) > _SHORT:
            return self._tokenizer(text) if head else self._tokenizer.inner_count(text)
        return self._tokenizer.count_edge(text) if head else self._tokenizer.inner_edge(text)
