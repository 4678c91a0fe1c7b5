"""Where most of an altered text stands in a document, and how much of it is there as it was.

Stretches that both have are looked up in the document's index, extended as far as the two agree,
and the place with most of them is taken. A text that was put before or after the chunk is left out
of the place.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterator, Sequence
from difflib import SequenceMatcher
from functools import lru_cache

from chunking.imported.folded_text import STRETCH, FoldedText

_LEAST = 16
"""Characters, without white space, that must be there as they were."""
_EDGE = 80
"""Characters before the first and after the last stretch in which more of the text is looked
for."""
_SHORTEST = 4
"""Characters of the shortest agreement that counts at an edge."""
_MOST_STRETCHES = 4000
"""Of one text: those of a longer one are thinned out."""
_PROBES = 16
"""Stretches of a text that are looked for without the index."""
_WORD = re.compile(r"[^\W\d_\u2e80-\uffff]+|\d+|\S")
"""Words, numbers, and other characters one by one: East Asian writing has no space between
words."""
_COMPARED = 1_000
"""Words and signs of a chunk that are compared."""


def likeliest_stretch(wanted: str, text: FoldedText) -> tuple[int, int] | None:
    """Where a folded text stands in another one, altered: offset and length in that; None where
    less than half of it, or of that place, agrees."""
    agreed = _densest(_agreements(wanted, text), len(wanted))
    if not agreed:
        return None
    shared = sum(length for _, _, length in agreed)
    start, end = agreed[0][1], agreed[-1][1] + agreed[-1][2]
    if shared < _LEAST or (2 * shared < len(wanted) and 2 * shared < end - start):
        return None
    start -= _before(wanted[: agreed[0][0]], text.text[max(0, start - _EDGE) : start])
    last = agreed[-1][0] + agreed[-1][2]
    end += _before(wanted[last:][::-1], text.text[end : end + _EDGE][::-1])
    return start, end - start


def _agreements(wanted: str, text: FoldedText) -> list[tuple[int, int, int]]:
    """Where the two agree: offset in the wanted text, in the other one, and length; ordered by
    place in the other."""
    found: list[tuple[int, int, int]] = []
    reached: dict[int, int] = {}  # by how far the two are apart: up to where they were compared
    stretches = list(text.shared(wanted)) or list(_probed(wanted, text.text))
    for at, place in stretches[:: 1 + len(stretches) // _MOST_STRETCHES]:
        apart = place - at
        if at < reached.get(apart, -1):
            continue
        start, end = at, at + STRETCH
        while (
            start > reached.get(apart, 0)
            and place + start - at > 0
            and wanted[start - 1] == text.text[apart + start - 1]
        ):
            start -= 1
        while end < len(wanted) and apart + end < len(text.text) and wanted[end] == text.text[apart + end]:
            end += 1
        reached[apart] = end
        found.append((start, apart + start, end - start))
    return sorted(found, key=lambda each: each[1])


def _probed(wanted: str, text: str) -> Iterator[tuple[int, int]]:
    """Some stretches of a text that are in another one, looked for where the index has none."""
    for at in range(0, len(wanted) - STRETCH + 1, max(STRETCH // 2, len(wanted) // _PROBES)):
        place = text.find(wanted[at : at + STRETCH])
        if place >= 0:
            yield at, place


def _densest(agreed: Sequence[tuple[int, int, int]], length: int) -> list[tuple[int, int, int]]:
    """Of agreements, those within one and a half lengths of the text that together have most of it,
    in the text's order."""
    reach = length + length // 2
    places = [place for _, place, _ in agreed]
    sums = [0]
    for each in agreed:
        sums.append(sums[-1] + each[2])
    best, most = (0, 0), 0
    for first, place in enumerate(places):
        last = bisect_left(places, place + reach)
        if sums[last] - sums[first] > most:
            best, most = (first, last), sums[last] - sums[first]
    return _in_order(agreed[best[0] : best[1]])


def _in_order(agreed: Sequence[tuple[int, int, int]]) -> list[tuple[int, int, int]]:
    """The longest agreement, and around it those that come in the same order in both texts and
    overlap nowhere."""
    if not agreed:
        return []
    longest = max(range(len(agreed)), key=lambda number: agreed[number][2])
    taken = [agreed[longest]]
    for at, place, length in agreed[longest + 1 :]:
        last = taken[-1]
        if at >= last[0] + last[2] and place >= last[1] + last[2]:
            taken.append((at, place, length))
    for at, place, length in reversed(agreed[:longest]):
        first = taken[0]
        if at + length <= first[0] and place + length <= first[1]:
            taken.insert(0, (at, place, length))
    return taken


def _before(wanted: str, there: str) -> int:
    """How many of the last characters of `there` the end of `wanted` still covers: agreements are
    followed backwards until a gap is longer than what agrees beyond it."""
    wanted = wanted[-_EDGE:]
    blocks = SequenceMatcher(None, wanted, there, autojunk=False).get_matching_blocks()[:-1]
    edge_wanted, edge_there = len(wanted), len(there)
    for block in reversed(blocks):
        gap = max(edge_wanted - block.a - block.size, edge_there - block.b - block.size)
        if block.size < _SHORTEST or gap > 2 * block.size:
            continue
        edge_wanted, edge_there = block.a, block.b
    return len(there) - edge_there


@lru_cache(maxsize=1024)
def differing_words(text: str, source: str) -> tuple[int, int]:
    """How many words and signs of a text are not in its source, and how many it has; of a long text
    its beginning."""
    words, there = (_WORD.findall(each)[:_COMPARED] for each in (text, source))
    blocks = SequenceMatcher(None, words, there, autojunk=False).get_matching_blocks()
    return len(words) - sum(block.size for block in blocks), len(words)
