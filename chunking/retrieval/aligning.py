"""Finds the chunks of another tool in a document: by their offsets where these are right, else by
their text.

    for placed in Aligner(document).place([Claim("Boil water.", (7, 18)), Claim("Warm it.")]):
        placed.spans, placed.by

Nothing is trusted: offsets count only where the document has the chunk's text. They may be code
points, UTF-8 bytes or UTF-16 units, of the text as it is or with its line ends as LF, from 0, from
1 or after a byte order mark, the last character left out or counted in: whichever fits most chunks.
A text is looked for as it is, then without regard to white space and case, in any order; a byte
order mark in it counts as white space. Time grows with the document plus the chunks.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import islice
from typing import Literal

import numpy as np
import numpy.typing as npt

from chunking.document import Document, Span

By = Literal["offsets", "text", "nothing"]
_WIDTH = 12
"""Length, in characters other than white space, of the stretches that are hashed and looked up."""
_SAMPLING = np.uint64(4)
"""One in so many hashes is indexed; the hash itself decides, so that both texts choose the same
stretches."""
_FACTORS = np.random.default_rng(7).integers(1, 2**63, _WIDTH, dtype=np.uint64) | np.uint64(1)
_MOST_PLACES = 20_000
"""Maximum of places looked at for one repeated text."""
_BYTE_ORDER_MARK = "\ufeff"
"""The byte order mark: our documents have none, the texts of tools that read files as plain UTF-8
do."""
_NEAR = 400
"""Characters between two chunks that still are neighbours."""


@dataclass(frozen=True, slots=True)
class Claim:
    """A chunk of another tool, and where it is said to be."""

    text: str
    """What of the chunk is said to be the document's: without a context that is known to be
    added."""
    pieces: tuple[tuple[int, int], ...] = ()
    """From and to, in whatever the tool counts; several where something is left out between
    them."""


@dataclass(frozen=True, slots=True)
class Placed:
    """Where a chunk was found, and how."""

    spans: tuple[Span, ...]
    """In order; empty where it was not found."""
    by: By


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


class Aligner:
    """A search for chunks in one document, with its index."""

    def __init__(self, document: Document) -> None:
        self.document = document
        self.unit = UNITS[0]
        """What the offsets of the chunks that were placed last count, as far as that can be
        told."""
        self.unit_known = False
        """Whether most of those offsets fit it."""
        self._edges: dict[tuple[str, bool], npt.NDArray[np.int64]] = {}

    def place(self, claims: Sequence[Claim]) -> list[Placed]:
        """Where each chunk of a file is, in the file's order; repeated texts are placed by their
        neighbours in the file."""
        fitting = self._fitting(claims)
        self.unit = max(fitting, key=lambda unit: sum(map(bool, fitting[unit])), default=UNITS[0])
        fit, claimed = sum(map(bool, fitting.get(self.unit, ()))), sum(bool(claim.pieces) for claim in claims)
        self.unit_known = 2 * fit > claimed
        placed: list[Placed | None] = []
        for number in range(len(claims)):
            ways = [fitting[unit][number] for unit in dict.fromkeys((self.unit, *fitting))] if fitting else []
            spans = next((way for way in ways if way), ())
            placed.append(Placed(spans, "offsets") if spans else None)
        self._place_texts(claims, placed)
        return [each or self._partly(claim) for claim, each in zip(claims, placed, strict=True)]

    def first(self, text: str) -> Span | None:
        """The first place of a text in the document."""
        return next(iter(self._places(text)), None)

    # ---- by offsets ----

    def _fitting(self, claims: Sequence[Claim]) -> dict[TextUnit, list[tuple[Span, ...]]]:
        """The spans of the claims in each unit, empty where they do not fit; ends with the first
        unit that fits all."""
        claimed = sum(bool(claim.pieces) for claim in claims)
        tight = [_tight(claim.text) for claim in claims] if claimed else []
        found: dict[TextUnit, list[tuple[Span, ...]]] = {}
        for unit in self._units() if claimed else ():
            found[unit] = [self._fits(claim, text, unit) for claim, text in zip(claims, tight, strict=True)]
            if sum(map(bool, found[unit])) == claimed:
                break
        return found

    def _units(self) -> Iterator[TextUnit]:
        """The units that count differently in this document."""
        text = self.document.text
        highest = int(self._points.max(initial=0))
        differs = {"code points": True, "UTF-8 bytes": highest > 0x7F, "UTF-16 units": highest > 0xFFFF}
        return (unit for unit in UNITS if differs[unit.counts] and (not unit.as_lf or "\r\n" in text))

    def _fits(self, claim: Claim, tight: str, unit: TextUnit) -> tuple[Span, ...]:
        """The spans that are claimed, if they say the chunk's text; white space and case aside."""
        spans = self._claimed(claim, unit)
        return spans if spans and tight and self._text_in(spans) == tight else ()

    def _partly(self, claim: Claim) -> Placed:
        """A chunk whose text is nowhere: perhaps a context was put before it, or something after
        it."""
        spans, tight = self._claimed(claim, self.unit), _tight(claim.text)
        text = self._text_in(spans)
        if len(text) * 2 >= len(tight) > 0 and (tight.endswith(text) or tight.startswith(text)):
            return Placed(spans, "offsets")
        return Placed((), "nothing")

    def _claimed(self, claim: Claim, unit: TextUnit) -> tuple[Span, ...]:
        """The pieces as spans; none where they are no spans of this document."""
        spans = []
        for start, end in claim.pieces:
            first, last = self._offset(start, unit), self._offset(end + unit.ends_within, unit)
            if first is None or last is None or first >= last:
                return ()
            spans.append(Span(first, last))
        return tuple(spans)

    def _offset(self, number: int, unit: TextUnit) -> int | None:
        """The code point at an offset in this unit; None inside a code point and beyond the
        text."""
        edges = self._edges_in(unit)
        number = max(0, number - unit.before)
        at = int(np.searchsorted(edges, number))
        return at if at < len(edges) and edges[at] == number else None

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
                sizes[:-1][(points[:-1] == ord("\r")) & (points[1:] == ord("\n"))] = 0
            self._edges[kind] = np.concatenate([[0], np.cumsum(sizes)])
        return self._edges[kind]

    def _text_in(self, spans: Sequence[Span]) -> str:
        """The text in spans of the document, without white space and in lower case."""
        at = [np.searchsorted(self._kept.offsets, (span.start, span.end)) for span in spans]
        return "".join(self._kept.text[start:end] for start, end in at)

    @cached_property
    def _points(self) -> npt.NDArray[np.uint32]:
        return _points(self.document.text)

    # ---- by text ----

    def _place_texts(self, claims: Sequence[Claim], placed: list[Placed | None]) -> None:
        """Place the chunks that their offsets did not: first those with one possible place, then
        repeated ones."""
        waiting: dict[str, list[int]] = {}
        for number, claim in enumerate(claims):
            if placed[number] is None:
                waiting.setdefault(claim.text, []).append(number)
        taken = {each.spans[0] for each in placed if each}
        repeated: dict[str, list[Span]] = {}
        for text, numbers in waiting.items():
            places = list(self._places(text))
            free = [place for place in places if place not in taken] or places
            if len(free) > len(numbers):
                repeated[text] = free
                continue
            for at, number in enumerate(numbers if free else ()):
                placed[number] = Placed((free[min(at, len(free) - 1)],), "text")
        if repeated:
            self._place_repeated(claims, placed, repeated)

    def _place_repeated(
        self, claims: Sequence[Claim], placed: list[Placed | None], repeated: dict[str, list[Span]]
    ) -> None:
        """Texts with more places than chunks: where no other chunk is, and beside the neighbours in
        the file."""
        covered = np.zeros(len(self.document.text) + 1, dtype=np.int64)
        for each in placed:
            for span in each.spans if each else ():
                covered[span.start + 1 : span.end + 1] = 1
        covered_before = np.cumsum(covered)
        for text, places in repeated.items():
            bare = [place for place in places if covered_before[place.end] - covered_before[place.start] < len(place)]
            repeated[text] = bare or places
        after, following = None, list[Span | None]()
        for each in reversed(placed):
            following.append(after)
            after = each.spans[0] if each else after
        before = None
        for number, (claim, after) in enumerate(zip(claims, reversed(following), strict=True)):
            each = placed[number]
            if each is None and claim.text in repeated:
                places = repeated[claim.text]
                at = self._likeliest(claim, places, before, after)
                each = placed[number] = Placed((places[at],), "text")
                if len(places) > 1:
                    del places[at]
            before = each.spans[0] if each else before

    def _likeliest(self, claim: Claim, places: Sequence[Span], before: Span | None, after: Span | None) -> int:
        """Which of several places: the nearest to the one that is claimed, or beside the chunk
        before, or the next."""
        starts = [place.start for place in places]
        claimed = self._claimed(claim, self.unit)
        if claimed:
            at = bisect_left(starts, claimed[0].start)
            near = [number for number in (at - 1, at) if 0 <= number < len(places)]
            return min(near, key=lambda number: abs(starts[number] - claimed[0].start))
        next_ = bisect_right(starts, before.start) if before else 0
        if before and next_ < len(places) and starts[next_] <= before.end + _NEAR:
            return next_
        last = bisect_left(starts, after.start) - 1 if after else -1
        if after and last >= 0 and places[last].end >= after.start - _NEAR:
            return last
        return next_ if next_ < len(places) else 0

    def _places(self, text: str) -> Iterator[Span]:
        """Where a text is, in order, without overlaps: exactly, or else apart from white space and
        case."""
        tight = _tight(text)
        if not tight:
            return
        loose = [Span(*self._kept.edges(at, len(tight))) for at in self._kept.places(tight)]
        lead = len(text) - len(text.lstrip())
        starts = [span.start - lead for span in loose]
        exact = [at for at in starts if at >= 0 and self.document.text.startswith(text, at)]
        if exact:
            yield from (Span(at, at + len(text)) for at in exact)
            return
        words = text.replace(_BYTE_ORDER_MARK, " ").lower().split()
        yield from [span for span in loose if self.document[span].lower().split() == words] or loose

    @cached_property
    def _kept(self) -> _Kept:
        return _Kept.of(self._points)


@dataclass(frozen=True)
class _Kept:
    """A text without white space and in lower case, the offset of each of its characters, and an
    index of some of its stretches."""

    text: str
    offsets: npt.NDArray[np.int64]
    hashes: npt.NDArray[np.uint64] = field(repr=False)
    """Of the indexed stretches, ascending."""
    at: npt.NDArray[np.int64] = field(repr=False)
    """Where each of them begins."""

    @classmethod
    def of(cls, points: npt.NDArray[np.uint32]) -> _Kept:
        kept, offsets = _folded(points)
        at, hashes = _lookups(kept)
        order = np.argsort(hashes, kind="stable")
        return cls(_text(kept), offsets, hashes[order], at[order])

    def edges(self, at: int, length: int) -> tuple[int, int]:
        """Where a stretch of so many characters begins and ends in the original text."""
        return int(self.offsets[at]), int(self.offsets[at + length - 1]) + 1

    def places(self, tight: str) -> Iterator[int]:
        """Where a text is, in order, without overlaps."""
        free = 0
        for at in islice(self._hits(tight), _MOST_PLACES):
            if at >= free:
                yield at
                free = at + len(tight)

    def _hits(self, tight: str) -> Iterator[int]:
        found, hashes = _lookups(_points(tight))
        if not len(found):  # too short, or by chance without an indexed stretch
            at = self.text.find(tight)
            while at >= 0:
                yield at
                at = self.text.find(tight, at + len(tight))
            return
        first, last = (np.searchsorted(self.hashes, hashes, side=side) for side in ("left", "right"))
        rarest = int(np.argmin(last - first))
        for at in np.sort(self.at[first[rarest] : last[rarest]]) - found[rarest]:
            if at >= 0 and self.text.startswith(tight, int(at)):
                yield int(at)


def _points(text: str) -> npt.NDArray[np.uint32]:
    return np.frombuffer(text.encode("utf-32-le", "surrogatepass"), dtype=np.uint32)


def _text(points: npt.NDArray[np.uint32]) -> str:
    return points.astype(np.uint32).tobytes().decode("utf-32-le", "surrogatepass")


def _folded(points: npt.NDArray[np.uint32]) -> tuple[npt.NDArray[np.uint32], npt.NDArray[np.int64]]:
    """The points without white space, in lower case one by one, and where each was."""
    known, which = np.unique(points, return_inverse=True)
    lower = [chr(point).lower() for point in known]
    folded = np.array(
        [ord(c) if len(c) == 1 else point for c, point in zip(lower, known, strict=True)], dtype=np.uint32
    )
    blank = np.array([chr(point).isspace() or chr(point) == _BYTE_ORDER_MARK for point in known], dtype=np.bool_)
    offsets = np.flatnonzero(~blank[which])
    return folded[which[offsets]], offsets


def _tight(text: str) -> str:
    return _text(_folded(_points(text))[0])


def _lookups(points: npt.NDArray[np.uint32]) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.uint64]]:
    """Where the indexed stretches of a text begin, and their hashes."""
    count = len(points) - _WIDTH + 1
    if count <= 0:
        return np.zeros(0, dtype=np.int64), np.zeros(0, dtype=np.uint64)
    wide, hashes = points.astype(np.uint64), np.zeros(count, dtype=np.uint64)
    for number, factor in enumerate(_FACTORS):
        hashes += wide[number : number + count] * factor
    at = np.flatnonzero((hashes >> np.uint64(32)) % _SAMPLING == 0)
    return at, hashes[at]
