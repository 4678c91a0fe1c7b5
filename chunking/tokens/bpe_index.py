"""Token counts of spans by a tiktoken encoding, from prefix sums over the text encoded once.

Between the positions that `pretokenizer.py` proves safe, counts are differences of prefix sums;
only the few characters between a span's ends and the nearest safe positions are encoded again.
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterator, Sequence
from functools import lru_cache
from itertools import pairwise
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from chunking.text.spans import Span, join_touching
from chunking.tokens.counters import SHORT, Cut, EncodingCounter
from chunking.tokens.index import UNSURE, Flags, Offsets, SummingIndex
from chunking.tokens.pretokenizer import Pretokenizer
from chunking.tracing import is_traced, plain

_SLICE = 1 << 17
"""Characters encoded at a time. Arrays of this size reuse memory, ten times as fast as new
pages."""
_NEAR = 16
"""Characters before a stop in which `last_within` looks for a safe position; without one, it
counts."""
_FAR = 256
"""Characters before a stop in which a firm position is looked for where no safe one is near."""
_SPARSE = 64
"""Characters for each stop from which on only those before stops are looked at."""
_LONG = 1 << 12
"""Characters without a safe position from which on a count is avoided: each costs an encoding of
them all."""
_FEW_SPANS = 16
"""Up to which spans are counted one by one: arrays of them take longer."""
_SLACK = 64
"""Tokens by which the count of a long stretch surely differs less from those of the whole text that
begin in it: the two differ only at the ends."""

_INDENTED = re.compile(r"[ \t]+(?=\S)")
_LAST_ASCII = 127
_WIDEST = np.iinfo(np.uint16).max

_BETWEEN = "1"
"""What stands between texts that are read together. No encoding takes a digit together with
anything but numbers, and most texts neither end nor begin with one, nor end with a blank."""


class Reading(NamedTuple):
    """What one pass over a text finds."""

    safe: bytes
    """For each position 0 to len(text), 1 where it is safe, else 0."""
    soft: Offsets
    """Which of these are soft."""
    before: npt.NDArray[np.integer]
    """For each position, how many tokens begin before it: of 16 bits where these are enough."""


class EncodingIndex(SummingIndex):
    """Counts by an encoding with a proven pattern.

    Building it takes about as long as encoding the text once, and 5 bytes per character, 3 in a
    text of fewer than 65,536 tokens. In a long stretch without a safe position (a megabyte of one
    letter) counts are still exact, but each new offset costs an encoding of much of the stretch:
    search such stops by bisection.
    """

    def __init__(
        self, text: str, counter: EncodingCounter, pretokenizer: Pretokenizer, reading: Reading | None = None
    ) -> None:
        """`reading` is what `read` finds, where that is known."""
        super().__init__(text, counter)
        self._count_edge = counter.count_edge
        self._is_firm = lru_cache(maxsize=1 << 12)(pretokenizer.is_firm)
        self._cut_string = counter.cut
        self._may_be_token = counter.may_be_token
        self._ends_lines = pretokenizer.ends_lines
        self._safe, self._soft, self._before = reading or read(text, counter, pretokenizer)
        self._flags = np.frombuffer(self._safe, dtype=np.bool_)
        self._tokens = self._before.data
        self._bytes_per_character = 1 if text.isascii() else 4

    def count(self, start: int, end: int) -> int:
        """Tokens of `text[start:end]`: two look-ups, and a count of the characters at either
        end."""
        if end > len(self.text):
            end = len(self.text)  # as a slice ends there
        if start >= end:
            return 0
        safe, tokens = self._safe, self._tokens
        first = start if safe[start] else safe.find(1, start, end + 1)
        if first < 0:
            return self._stretch(start, end)
        count: int
        if safe[end]:
            count = tokens[end] - tokens[first]
        else:
            last = safe.rfind(1, first, end)
            if self.text[last].isspace() and self._is_soft(last, end):
                last = safe.rfind(1, first, last)
                if last < 0:
                    return self._stretch(start, end)
            count = tokens[last] - tokens[first]
            count += self._count_edge(self.text[last:end]) if end - last <= SHORT else self._count_slice(last, end)
        return count + self._stretch(start, first) if first > start else count

    def counts(self, starts: Offsets, ends: Offsets) -> Offsets:
        """As TokenIndex.counts: sums for all spans at once, and what is at their ends one by
        one."""
        if len(starts) < _FEW_SPANS:
            return super().counts(starts, ends)
        first, found = starts.copy(), self._flags[starts]
        for _ in range(_NEAR):
            first += ~found & (first < ends)
            found = self._flags[first]
        last, near = self._nearest_safe(ends)
        known = found & near & (first <= last) & ~((last < ends) & self._soft_among(last))
        counts: Offsets = self._before[last].astype(np.int64) - self._before[first]
        for at, before, behind in ((known & (starts < first), starts, first), (known & (last < ends), last, ends)):
            edges = zip(before[at].tolist(), behind[at].tolist(), strict=True)
            counts[at] += np.fromiter([self._count_edge(self.text[one:other]) for one, other in edges], np.int64)
        counts[~known] = super().counts(starts[~known], ends[~known])
        return counts

    def exceeds(self, start: int, end: int, limit: int) -> bool:
        """As TokenIndex.exceeds, without a count where a long stretch is far over the limit, or
        where there is room for one token before a firm position, and what is there is more than
        that."""
        if self._is_long(start, end) and self._tokens[end] - self._tokens[start] > limit + _SLACK:
            return True
        if start < len(self.text) and not self._safe[start]:
            firm = self.next_firm(start, end)
            if firm < end and self.count(firm, end) + 2 > limit and not self._may_be_token(self.text[start:firm]):
                return True
        return self.count(start, end) > limit

    def count_to_compare(self, start: int, end: int, limit: int) -> int:
        """As TokenIndex.count_to_compare, without a count where a long stretch is far over."""
        if self._is_long(start, end):
            least: int = self._tokens[end] - self._tokens[start] - _SLACK
            if least > plain(limit):
                return least
        return self.count(start, end)

    def count_quickly(self, start: int, end: int) -> int:
        """As TokenIndex.count_quickly: exact unless a long stretch without a safe position is at
        an end of the span."""
        if not self._is_long(start, end):
            return self.count(start, end)
        tokens: int = self._tokens[end] - self._tokens[start]
        return tokens

    def halve_to_end(self, start: int, good: int, over: int, limit: int) -> int:
        """As TokenIndex.halve_to_end; where the sums say enough, nothing is counted."""
        text, safe, tokens = self.text, self._safe, self._tokens
        first = safe.find(1, start, over)
        if first < 0 or is_traced(limit):
            return super().halve_to_end(start, good, over, limit)
        room = limit + tokens[first] - self.count(start, first)
        firm = self._firm(bisect_right(tokens, room, first, over), over, safe.find)
        surely_over = firm if firm >= 0 else over
        while over - good > 1:
            middle = (good + over) // 2
            if middle >= surely_over:
                over = middle
                continue
            last = safe.rfind(1, first, middle + 1)
            # A soft position may not be safe for a text that ends behind it.
            if last < 0 or text[last - 1] in "\r\n":
                fits = self.count(start, middle) <= limit
            else:
                left = room - tokens[last]
                fits = self._has_at_most(last, middle, left) or (left > 0 and self._stretch(last, middle) <= left)
            good, over = (middle, over) if fits else (good, middle)
        return good

    def halve_to_start(self, end: int, good: int, over: int, limit: int) -> int:
        """As TokenIndex.halve_to_start; where the sums say enough, nothing is counted."""
        safe, tokens = self._safe, self._tokens
        last = self._firm(over, end, safe.rfind)
        if last < 0 or is_traced(limit):
            return super().halve_to_start(end, good, over, limit)
        least = tokens[last] + self.count(last, end) - limit
        while good - over > 1:
            middle = (good + over) // 2
            first = safe.find(1, middle, last + 1)
            left = tokens[first] - least
            # What is before a safe position adds to what is behind it.
            if first < 0:
                left = limit - self.count(middle, end)
            elif left >= 0 and not self._has_at_most(middle, first, left):
                left -= self._stretch(middle, first)
            good, over = (middle, over) if left >= 0 else (good, middle)
        return good

    def _has_at_most(self, start: int, end: int, limit: int) -> bool:
        """Whether so few bytes are in a span that it surely has at most `limit` tokens."""
        characters = end - start
        return characters <= limit and (4 * characters <= limit or self.text[start:end].isascii())

    def _is_long(self, start: int, end: int) -> bool:
        """Whether counting a span would encode a long stretch at one of its ends."""
        if end - start <= _LONG:
            return False
        return self._safe.find(1, start, start + _LONG) < 0 or self._safe.rfind(1, end - _LONG, end + 1) < 0

    def tokens_before(self, offset: int) -> int:
        """As TokenIndex.tokens_before: a look-up."""
        before: int = self._tokens[offset]
        return before

    def _is_soft(self, last: int, end: int) -> bool:
        """Whether a safe position is a soft one of which a text that ends at `end`, in its
        indentation, knows nothing."""
        text = self.text
        return text[last - 1 : last] in ("\n", "\r") and text[last:end].isspace()

    def next_firm(self, start: int, end: int) -> int:
        """As TokenIndex.next_firm: one of the firm positions, or the end."""
        found = self._firm(start, end, self._safe.find)
        return found if found >= 0 else end

    def last_over(self, low: int, end: int, limit: int) -> int:
        """As TokenIndex.last_over: the last firm position over the limit."""
        first = self._firm(low, end, self._safe.find)
        if first < 0 or (over := self.count(first, end) - limit) <= 0:
            return -1
        within = bisect_left(self._tokens, self._tokens[first] + over, first, end)
        return self._firm(first, within, self._safe.rfind)

    def adds_up(self, before: str, start: int) -> bool:
        """As TokenIndex.adds_up: where the seam is firm."""
        return self._is_firm(before[-1], self.text[start])

    def count_behind(self, before: str, tokens: int, parts: Sequence[str | Span]) -> int:
        """As TokenIndex.count_behind; a sum where the seam is firm."""
        if len(parts) == 1 and isinstance(last := parts[0], str) and before and last:
            firm = self._is_firm(before[-1], last[0])
            return tokens + self.counter(last) if firm else super().count_behind(before, tokens, parts)
        joined = join_touching(parts)
        if before and joined and self._is_firm(before[-1], self._first_of(joined[0])):
            return tokens + self._count_joined(joined)
        return super().count_behind(before, tokens, parts)

    def count_after(
        self, before: str, start: int, end: int, inside: int | None = None, outside: int | None = None
    ) -> int:
        """As TokenIndex.count_after; a sum where the seam is firm, or as safe as a soft one."""
        if before and start < end and self._is_apart(before, start, end):
            in_front = self.counter(before) if outside is None else outside
            return in_front + (self.count(start, end) if inside is None else inside)
        if not before:
            return super().count_after(before, start, end, inside)
        first = self._firm(start + 1, end, self._safe.find)
        opening, between, closing = self._cut_string(before)
        if between is None or first < 0:
            return super().count_after(before, start, end, inside)
        seam = self.counter(closing + self.text[start:first])
        return self.counter(opening) + between + seam + self.count(first, end)

    def _is_apart(self, before: str, start: int, end: int) -> bool:
        """Whether a string in front of a span adds its own tokens: the seam is firm, or the string
        ends its line and the span begins with the indentation of a line that is not blank."""
        if self._is_firm(before[-1], self.text[start]):
            return True
        return self._ends_lines and before[-1] in "\r\n" and _INDENTED.match(self.text, start, end) is not None

    def _stretch(self, start: int, end: int) -> int:
        """The count of a slice without a safe position inside."""
        # What is longer is cached by its offsets.
        return self._count_edge(self.text[start:end]) if end - start <= SHORT else self._count_slice(start, end)

    def _anchor(self, start: int) -> int:
        return self._safe.find(1, start)

    def _level(self, start: int, anchor: int) -> int:
        if self._is_long(start, anchor):
            begun: int = self._tokens[start]
            return begun - _SLACK
        level: int = self._tokens[anchor]
        return level - self._stretch(start, anchor) if anchor > start else level

    def _levels(self, stops: Offsets) -> Offsets:
        """Exact at safe stops. At others, every byte since the last safe position counts as a
        token."""
        last, near = self._nearest_safe(stops)
        levels: Offsets = self._before[last].astype(np.int64) + self._bytes_per_character * (stops - last)
        # A soft position may not be safe for a stop in the indentation: `last_within` counts such a
        # stop.
        unsure = ~near
        unsure |= (stops > last) & self._soft_among(last)
        levels[unsure] = UNSURE
        return levels

    def _soft_among(self, safe: Offsets) -> npt.NDArray[np.bool_]:
        """Which of these safe positions are soft."""
        if not len(self._soft):
            return np.zeros(len(safe), np.bool_)
        at = np.minimum(np.searchsorted(self._soft, safe), len(self._soft) - 1)
        return np.equal(self._soft[at], safe)

    def sums_at(self, stops: Offsets) -> Offsets | None:
        """As TokenIndex.sums_at: where all of them are safe."""
        return self._before[stops].astype(np.int64) if self._flags[stops].all() else None

    def sums_around(self, starts: Offsets, ends: Offsets) -> tuple[Offsets, Offsets, Flags] | None:
        """As TokenIndex.sums_around: where the start is safe."""
        up_to = self.counts(np.zeros_like(ends), ends)
        return self._before[starts].astype(np.int64), up_to, self._flags[starts]

    def sums_at_most(self, stops: Offsets) -> Offsets | None:
        """As TokenIndex.sums_at_most: the levels, which `last_within` then knows; at a stop without
        one, every byte since the last firm position counts as a token."""
        known = self._levels(stops)
        self._keep_levels(stops, known)
        levels = known.copy()
        for at in np.flatnonzero(levels == UNSURE).tolist():
            stop = int(stops[at])
            firm = self._firm(max(0, stop - _FAR), stop, self._safe.rfind)
            if firm >= 0:
                levels[at] = self._tokens[firm] + self._bytes_per_character * (stop - firm)
        return levels

    def bounds_at(self, stops: Offsets) -> tuple[Offsets, Offsets] | None:
        """As TokenIndex.bounds_at: up to a firm position tokens add up; up to another offset there
        are at most the bytes since the last safe position more, or since the one before a soft
        one."""
        most, highest, begin = np.zeros(len(stops), np.int64), 0, 0
        for _, end in _slices(self.text, self._safe):
            safe = np.concatenate(([begin], np.flatnonzero(self._flags[begin + 1 : end]) + (begin + 1)))
            known, (one, other) = safe.copy(), np.searchsorted(self._soft, (begin, end), side="left")
            soft = safe.searchsorted(self._soft[one:other])
            known[soft] = safe[np.maximum(soft - 1, 0)]
            bytes_before = self._bytes_before(begin, end)
            bytes_since = bytes_before[np.append(safe[1:], end) - 1 - begin] - bytes_before[known - begin]
            highest_yet = np.maximum.accumulate(self._before[safe] + bytes_since)
            first, last = np.searchsorted(stops, (begin, end), side="right")
            most[first:last] = np.maximum(highest, highest_yet[np.searchsorted(safe, stops[first:last]) - 1])
            highest, begin = max(highest, int(highest_yet[-1])), int(safe[-1])
        firm = stops.copy()
        unsure = np.flatnonzero(~self._flags[stops] | self._soft_among(stops))
        firm[unsure] = [max(0, self._firm(0, stop, self._safe.rfind)) for stop in stops[unsure].tolist()]
        least: Offsets = np.maximum.accumulate(self._before[firm].astype(np.int64))
        return least, np.maximum(most, self._before[stops])

    def _bytes_before(self, start: int, end: int) -> Offsets:
        """For each offset of a stretch, at most how many bytes of it are before that."""
        stretch = self.text[start:end]
        if stretch.isascii():
            return np.arange(end - start + 1)
        wide = np.frombuffer(stretch.encode("utf-32-le", "surrogatepass"), "<u4") > _LAST_ASCII
        return np.concatenate(([0], np.cumsum(np.where(wide, 4, 1))))

    def bound_from(self, start: int) -> tuple[int, int]:
        """As TokenIndex.bound_from."""
        first = self._safe.find(1, start)
        return self._tokens[first] - self.count(start, first), first

    def _nearest_safe(self, stops: Offsets) -> tuple[Offsets, npt.NDArray[np.bool_]]:
        """For each stop the last safe position up to it, and whether that is near; where it is not,
        any position."""
        if len(self.text) <= min(_SLICE, _SPARSE * len(stops)):
            safe = np.flatnonzero(self._flags)
            last: Offsets = safe[safe.searchsorted(stops, side="right") - 1]
            return last, stops - last <= _NEAR
        last, near = stops.copy(), self._flags[stops]
        for _ in range(_NEAR):
            if near.all():
                break
            last -= ~near
            near = self._flags[last]
        return last, near

    def _count_joined(self, parts: Sequence[str | Span]) -> int:
        """Adds counts between firm positions, which split the text whatever parts it is joined
        from."""
        if all(self._is_seam(*pair) for pair in pairwise(parts)):
            return sum([self._count_part(part) for part in parts])
        tokens, carried = 0, ""
        for part in parts:
            opening, between, closing = self._cut_string(part) if isinstance(part, str) else self._cut_span(part)
            if carried and self._is_firm(carried[-1], opening[0]):
                tokens += self.counter(carried)
                carried = ""
            carried += opening
            if between is not None:
                tokens += self.counter(carried) + between
                carried = closing
        return tokens + self.counter(carried)

    def _is_seam(self, part: str | Span, following: str | Span) -> bool:
        """Whether the position between two parts is firm."""
        last = part[-1] if isinstance(part, str) else self.text[part.end - 1]
        return self._is_firm(last, self._first_of(following))

    def _first_of(self, part: str | Span) -> str:
        return part[0] if isinstance(part, str) else self.text[part.start]

    def _count_part(self, part: str | Span) -> int:
        return self.counter(part) if isinstance(part, str) else self.count(part.start, part.end)

    def _cut_span(self, span: Span) -> Cut:
        first = self._firm(span.start + 1, span.end, self._safe.find)
        if first < 0:
            return self.text[span.start : span.end], None, ""
        last = self._firm(first, span.end, self._safe.rfind)
        return self.text[span.start : first], self.count(first, last), self.text[last : span.end]

    def _firm(self, start: int, end: int, find: Callable[[int, int, int], int]) -> int:
        """The first or last firm position from `start` to before `end`, by `find`; -1 when there is
        none."""
        at = find(1, start, end)
        while at >= 0 and self.text[at - 1] in "\r\n" and self.text[at].isspace():
            start, end = (at + 1, end) if find == self._safe.find else (start, at)  # a soft one
            at = find(1, start, end)
        return at


def read(text: str, counter: EncodingCounter, pretokenizer: Pretokenizer) -> Reading:
    """One pass over a text."""
    found = pretokenizer.safe_positions(text)
    safe = found.flags.tobytes()
    return Reading(safe, found.soft, _narrowed(_tokens_before(text, counter, safe, found.marks)))


def read_together(
    texts: Sequence[str], counter: EncodingCounter, pretokenizer: Pretokenizer
) -> Iterator[Reading | None]:
    """What `read` finds of each of the texts, by one pass over all: small ones take a third of the
    time. None for a text whose ends would not be safe beside others."""

    def fits(text: str) -> bool:
        firm = pretokenizer.is_firm
        return bool(text) and firm(_BETWEEN, text[0]) and firm(text[-1], _BETWEEN)

    together = [fits(text) for text in texts]
    joined = _BETWEEN.join([text for text, fit in zip(texts, together, strict=True) if fit])
    found = pretokenizer.safe_positions(joined)
    safe, soft = found.flags.tobytes(), found.soft
    before = _tokens_before(joined, counter, safe, found.marks)
    start = 0
    for text, fit in zip(texts, together, strict=True):
        if not fit:
            yield None
            continue
        end = start + len(text)
        first, last = soft.searchsorted((start, end))
        narrowed = _narrowed(before[start : end + 1] - before[start])
        yield Reading(safe[start : end + 1], soft[first:last] - start, narrowed)
        start = end + len(_BETWEEN)


def _narrowed(before: npt.NDArray[np.int32]) -> npt.NDArray[np.integer]:
    """The same numbers, in half the memory where they fit: each character of a document has one."""
    return before.astype(np.uint16) if before[-1] <= _WIDEST else before


def _tokens_before(text: str, counter: EncodingCounter, safe: bytes, marks: Offsets) -> npt.NDArray[np.int32]:
    """For each position 0 to len(text): how many tokens begin before it. `marks` are the text's
    (`tiktoken_patterns.marks_of`); none is at a safe position or beside one.

    In this thread: another one would have tiktoken compile its pattern anew, and two take a quarter
    more CPU time than one.
    """
    before = np.zeros(len(text) + 1, dtype=np.int32)
    tokens = 0
    for start, end in _slices(text, safe):
        begun = before[start + 1 : end + 1]
        first, last = marks.searchsorted((start, end))
        begun[:] = _tokens_begun(text[start:end], counter, tokens, marks[first:last] - start)
        tokens = int(before[end])
    return before


def _slices(text: str, safe: bytes) -> Iterator[tuple[int, int]]:
    """Start and end of stretches that can be encoded separately: each ends at a safe position."""
    start = 0
    while start < len(text):
        end = len(text) if len(text) - start <= _SLICE else safe.rfind(1, start + 1, start + _SLICE)
        end = end if end > 0 else safe.find(1, start + _SLICE)
        yield start, end
        start = end


def _tokens_begun(text: str, counter: EncodingCounter, before: int, marks: Offsets) -> npt.NDArray[np.int32]:
    """For each character: how many tokens begin at or before its last byte, and `before` more.

    A token that begins within a character counts as begun with it. So a token stands for the
    characters whose first byte it holds, plus the one that it begins in, less the one that the next
    token begins in.
    """
    ids = list(counter.ids(text, marks.tolist()))
    ids_of_all = ids[0] if len(ids) == 1 else np.concatenate(ids)
    first_bytes, begin_within = counter.token_characters
    characters = first_bytes.take(ids_of_all)
    if not text.isascii():
        within = begin_within.take(ids_of_all)
        characters += within
        characters[:-1] -= within[1:]
    return np.repeat(np.arange(before + 1, before + len(characters) + 1, dtype=np.int32), characters)
