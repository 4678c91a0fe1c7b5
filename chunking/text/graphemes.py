"""Extended grapheme clusters: the units that a reader sees as one character, which no cut may
split.

The `regex` package implements Unicode's rules as `\\X`, with one flaw: in a run of flags it looks
back to the start of the run for every flag, which takes quadratic time. Pairs of regional
indicators are therefore matched before `\\X`.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

import regex

_CLUSTER = regex.compile(r"\p{RI}{2}[\p{GCB=Extend}\p{GCB=ZWJ}\p{GCB=SpacingMark}]*|\X")
_NOT_ASCII = regex.compile(r"[^\x00-\x7f]+")
# Between two characters of these classes there is always a boundary (Unicode annex 29, rules GB3 to
# GB8 and GB999); so there is before ASCII, which continues nothing but a CR or a prepended mark.
_SURE = regex.compile(
    r"[\p{GCB=Other}\p{GCB=LV}\p{GCB=LVT}\p{GCB=Control}\n][\p{GCB=Other}\p{GCB=LV}\p{GCB=LVT}\p{GCB=Control}\r\n]"
    r"|[^\r\p{GCB=Prepend}][\x00-\x7f]|\r[^\n]",
    regex.DOTALL,
)


def grapheme_stops(text: str, start: int, end: int) -> list[int]:
    """The end of every grapheme cluster that begins in `start` to `end`, ascending; the last is
    `end`.

    `start` and `end` are taken as boundaries. CR LF is one cluster. Linear in `end - start`.
    """
    if start or end < len(text):  # a pattern would see what is around it
        return [start + stop for stop in grapheme_stops(text[start:end], 0, end - start)]
    stops: list[int] = []
    at = 0
    for strange in _NOT_ASCII.finditer(text):
        if strange.end() <= at:
            continue  # a cluster that began before it holds it
        # A mark may belong to the character before it, but not to a line ending (rules GB4 and 5).
        begin = strange.start()
        if begin > at and text[begin - 1] not in "\r\n":
            begin -= 1
        stops += _ascii_stops(text, at, begin)
        for cluster in _CLUSTER.finditer(text, max(at, begin)):
            at = cluster.end()
            stops.append(at)
            if at >= strange.end():
                break
    return stops + _ascii_stops(text, at, end)


def _ascii_stops(text: str, start: int, end: int) -> list[int]:
    """The end of each ASCII character of a stretch; CR LF is one."""
    if "\r\n" not in text[start:end]:
        return list(range(start + 1, end + 1))
    return [at for at in range(start + 1, end + 1) if at == end or text[at - 1] != "\r" or text[at] != "\n"]


def clusters(text: str, start: int, end: int) -> Iterator[int]:
    """The ends of the clusters, as in `grapheme_stops`, one at a time: for callers that need
    few."""
    for match in _CLUSTER.finditer(text, start, end):
        yield match.end()


def grapheme_floor(text: str, offset: int, low: int) -> int:
    """The last cluster boundary at or before `offset`, and not before `low`, which must be a
    boundary itself."""
    if offset >= len(text) or offset <= low:
        return max(min(offset, len(text)), low)
    pair = text[offset - 1 : offset + 1]
    # The usual case, and much cheaper than the pattern.
    if pair.isascii() and pair != "\r\n":
        return offset
    sure = offset
    while sure > low and not _SURE.match(text, sure - 1):
        sure -= 1
    if sure == offset:
        return offset
    floor = sure
    for stop in clusters(text, sure, len(text)):
        if stop > offset:
            break
        floor = stop
    return floor


def surely_between(text: str, offset: int) -> bool:
    """Whether the two characters around an offset say that it is a cluster boundary; where they do
    not, it may be one."""
    pair = text[offset - 1 : offset + 1]
    return (pair.isascii() and pair != "\r\n") or _SURE.match(text, offset - 1) is not None


def grapheme_ceiling(text: str, offset: int, low: int) -> int:
    """The first cluster boundary at or after `offset`; `low` is a boundary at or before it."""
    floor = grapheme_floor(text, offset, low)
    if floor >= min(offset, len(text)):
        return floor
    return next(clusters(text, floor, len(text)))


def at_clusters(text: str, offsets: Iterable[int], low: int) -> Iterator[int]:
    """Ascending offsets, each moved back to a cluster boundary, without duplicates and above `low`.

    `low` is a boundary. Needed because a space, sentence end or word end is not always one: a
    joiner after a space forms one cluster with it.
    """
    for offset in offsets:
        stop = grapheme_floor(text, offset, low)
        if stop > low:
            yield stop
            low = stop
