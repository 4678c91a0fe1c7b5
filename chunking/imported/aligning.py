"""Finds the chunks of another tool in a document: by their offsets where these are right, else by
their text.

    for placed in Aligner(document).place([Claim("Boil water.", (7, 18)), Claim("Warm it.")]):
        placed.spans, placed.by

Nothing is trusted: offsets count only where the document has the chunk's text. They may be code
points, UTF-8 bytes or UTF-16 units, of the text as it is or with its line ends as LF, from 0, from
1 or after a byte order mark, the last character left out or counted in: whichever fits most chunks.
A text is looked for as it is, then without regard to white space and case, in any order, and then
without what all chunks begin with; a byte order mark in it counts as white space. What is not found
so is placed where most of it stands (altered_text.py). Time grows with the document plus the
chunks.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Literal

import numpy as np

from chunking.document import Document, Span
from chunking.imported.altered_text import likeliest_stretch
from chunking.imported.folded_text import BYTE_ORDER_MARK, FoldedText, code_points, folded
from chunking.imported.offset_units import UNITS, OffsetReader, TextUnit
from chunking.text.whitespace import first_visible

By = Literal["offsets", "text", "alignment", "nothing"]
_NEAR = 400
"""Characters between two chunks that still are neighbours."""


@dataclass(frozen=True, slots=True)
class Claim:
    """A chunk of another tool, and where it is said to be."""

    text: str
    """What of the chunk is said to be the document's: without a context that is known to be
    added."""
    pieces: tuple[tuple[int, int | None], ...] = ()
    """From and to, in whatever the tool counts; several where something is left out between them.
    An end that is not said is where the text would end."""


@dataclass(frozen=True, slots=True)
class Placed:
    """Where a chunk was found, and how."""

    spans: tuple[Span, ...]
    """In order; empty where it was not found."""
    by: By


class Aligner:
    """Finds the chunks of another tool in one document."""

    def __init__(self, document: Document) -> None:
        self.document = document
        self.unit = UNITS[0]
        """What the offsets of the chunks that were placed last count, as far as that can be
        told."""
        self.unit_known = False
        """Whether most of those offsets fit it."""
        self._points = code_points(document.text)
        self.offsets = OffsetReader(self._points)

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
        prefix = _common_prefix([claim.text for claim in claims])
        if prefix and 2 * sum(each is None for each in placed) > len(placed):
            self._place_texts([replace(claim, text=claim.text[len(prefix) :]) for claim in claims], placed)
        found = [each or self._partly(claim) for claim, each in zip(claims, placed, strict=True)]
        return [self._exactly(claim, each) for claim, each in zip(claims, found, strict=True)]

    def first(self, text: str) -> Span | None:
        """The first place of a text in the document."""
        return next(iter(self._places(text)), None)

    # ---- by offsets ----

    def _fitting(self, claims: Sequence[Claim]) -> dict[TextUnit, list[tuple[Span, ...]]]:
        """The spans of the claims in each unit, empty where they do not fit; ends with the first
        unit that fits all."""
        claimed = sum(bool(claim.pieces) for claim in claims)
        wanted = [folded(claim.text) for claim in claims] if claimed else []
        found: dict[TextUnit, list[tuple[Span, ...]]] = {}
        for unit in self.offsets.differing_units() if claimed else ():
            found[unit] = [self._fits(claim, text, unit) for claim, text in zip(claims, wanted, strict=True)]
            if sum(map(bool, found[unit])) == claimed:
                break
        return found

    def _fits(self, claim: Claim, wanted: str, unit: TextUnit) -> tuple[Span, ...]:
        """The claimed spans, if the document has the chunk's text there (`wanted`, folded); else
        none."""
        spans = self._claimed(claim, unit)
        return spans if spans and wanted and self._folded_in(spans) == wanted else ()

    def _partly(self, claim: Claim) -> Placed:
        """A chunk whose text is nowhere: perhaps a context was put before it, or something after
        it."""
        spans, wanted = self._claimed(claim, self.unit), folded(claim.text)
        text = self._folded_in(spans)
        if len(text) * 2 >= len(wanted) > 0 and (wanted.endswith(text) or wanted.startswith(text)):
            return Placed(spans, "offsets")
        near = likeliest_stretch(wanted, self._folded)
        return Placed((Span(*self._folded.edges(*near)),), "alignment") if near else Placed((), "nothing")

    def _exactly(self, claim: Claim, placed: Placed) -> Placed:
        """A place with other white space at its edges than the text has, moved to where the text
        is."""
        if len(placed.spans) != 1 or self.document[placed.spans[0]] == claim.text:
            return placed
        (span,), text = placed.spans, claim.text
        first = self.document[span]
        at = span.start + len(first) - len(first.lstrip()) - (len(text) - len(text.lstrip()))
        exact = at >= 0 and self.document.text.startswith(text, at)
        return Placed((Span(at, at + len(text)),), placed.by) if exact else placed

    def _claimed(self, claim: Claim, unit: TextUnit) -> tuple[Span, ...]:
        """The pieces as spans; none where they are no spans of this document."""
        spans = []
        for start, end in claim.pieces:
            first = self.offsets.code_point_at(start, unit)
            if end is None:
                last = None if first is None else min(first + len(claim.text), len(self.document.text))
            else:
                last = self.offsets.code_point_at(end + unit.ends_within, unit)
            if first is None or last is None or first >= last:
                return ()
            spans.append(Span(first, last))
        return tuple(spans)

    def _folded_in(self, spans: Sequence[Span]) -> str:
        """The folded text of spans of the document."""
        return "".join(self._folded.between(span.start, span.end) for span in spans)

    @cached_property
    def _folded(self) -> FoldedText:
        return FoldedText.of(self._points)

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
        """Place texts with more places than chunks: where no other chunk is, and beside the
        neighbours in the file."""
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
                adjoining = None if claim.pieces else self._adjoining(claim.text, before.end if before else 0)
                span = adjoining or places[self._likeliest(claim, places, before, after)]
                if len(places) > 1 and span in places:
                    places.remove(span)
                each = placed[number] = Placed((span,), "text")
            before = each.spans[0] if each else before

    def _adjoining(self, text: str, end: int) -> Span | None:
        """Where a text begins at `end`, or behind the white space there; None where another one
        does. So chunks of a document that repeats itself still follow each other without a gap."""
        if self.document.text.startswith(text, end):
            return Span(end, end + len(text))
        start, bare = first_visible(self.document.text, end, len(self.document.text)), text.strip()
        return Span(start, start + len(bare)) if bare and self.document.text.startswith(bare, start) else None

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
        wanted = folded(text)
        if not wanted:
            return
        loose = [Span(*self._folded.edges(at, len(wanted))) for at in self._folded.places(wanted)]
        lead = len(text) - len(text.lstrip())
        starts = [span.start - lead for span in loose]
        exact = [at for at in starts if at >= 0 and self.document.text.startswith(text, at)]
        if exact:
            yield from (Span(at, at + len(text)) for at in exact)
            return
        words = text.replace(BYTE_ORDER_MARK, " ").lower().split()
        yield from [span for span in loose if self.document[span].lower().split() == words] or loose


def _common_prefix(texts: Sequence[str]) -> str:
    """What all chunks begin with, such as the `passage: ` that an embedder wants: whole words of
    it; empty for a single chunk."""
    visible = [text for text in texts if text.strip()]
    if len(visible) < 2:
        return ""
    first, last = min(visible), max(visible)
    differs = next((at for at, (one, other) in enumerate(zip(first, last, strict=False)) if one != other), None)
    shared = first if differs is None else first[:differs]
    return shared.rstrip("".join({each for each in shared if each.isalnum()}))
