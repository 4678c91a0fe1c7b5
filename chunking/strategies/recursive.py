"""Splits at the coarsest separator, and only what is still too large at the next finer one, down to
characters.

Source: semantic-contextual.md, RecursiveTextSplitter; DECISIONS sc-1.
"""

from __future__ import annotations

import re
from array import array
from bisect import bisect_left, bisect_right
from collections.abc import Iterator
from functools import partial
from typing import ClassVar, NamedTuple, Self

import numpy as np
import numpy.typing as npt
from pydantic import field_validator, model_validator

from chunking.core.chunk import BLANK, END, PASSED_OVER, Boundary, Skip, front_matter
from chunking.core.context import SplitContext
from chunking.core.cut_parts import Plan
from chunking.core.planning import PlanningStrategy
from chunking.core.strategy import Family, Limits, Ordered, setting
from chunking.document import Document, Span
from chunking.errors import SettingError
from chunking.splitting.document_cache import Memo, once_per_counter
from chunking.splitting.known_limits import KnownLimits
from chunking.splitting.length_functions import Lengths, Unit, hard_limit, lengths_in
from chunking.splitting.plain_chunks import CountedTogether
from chunking.text.graphemes import grapheme_ceiling, grapheme_floor, surely_between
from chunking.text.whitespace import first_visible, last_visible, visible_edges
from chunking.tracing import plain, stays_between

Numbers = npt.NDArray[np.int64]
MOST_SEPARATORS = 100
LEVEL_END = Boundary(
    "level-end", "what follows was split at another separator, so it does not join", settings=("separators",)
)


class Recursive(PlanningStrategy):
    """Parts between separators, merged up to the chunk size within one level; a larger part goes
    one level down."""

    name: ClassVar[str] = "recursive"
    title: ClassVar[str] = "Recursive"
    summary: ClassVar[str] = "Prefers paragraphs, then lines, sentences, words: natural cuts without reading headings."
    family: ClassVar[Family] = "size"
    rules: ClassVar[dict[str, str]] = {
        "size-reached": "the next part between separators would make the chunk exceed chunkSize",
        "level-end": "what follows was split at another separator, and parts are merged within one level only",
    }
    ordered: ClassVar[tuple[Ordered, ...]] = (Ordered("chunk_overlap", "chunk_size", strictly=True),)

    chunk_size: int = setting(
        1000,
        title="Chunk size",
        unit="characters",
        unit_from="unit",
        help="Higher merges more parts into one chunk. Counts overlap and body without the white space at the edges.",
        ge=1,
        le=10_000_000,
        slider=(100, 4000),
    )
    chunk_overlap: int = setting(
        200,
        title="Overlap",
        unit="characters",
        unit_from="unit",
        help="Higher repeats more whole parts of the chunk before. Must be less than the chunk size.",
        ge=0,
        le=10_000_000,
        slider=(0, 1000),
    )
    separators: tuple[str, ...] = setting(
        ("\n\n", "\n", ". ", " "),
        title="Separators",
        help="From coarse to fine; each stays with the part before it. After the last one come single characters.",
    )
    unit: Unit = setting(
        "characters",
        title="Unit",
        help="What chunk size and overlap count: characters, or tokens of the chosen counter.",
    )

    @field_validator("separators", mode="before")
    @classmethod
    def _separators_as_tuple(cls, given: object) -> object:
        return tuple(given) if isinstance(given, list) else given

    @model_validator(mode="after")
    def _few_separators(self) -> Self:
        if len(self.separators) > MOST_SEPARATORS:
            raise SettingError("separators", f"{len(self.separators)} are more than {MOST_SEPARATORS}; take some away")
        return self

    def limits(self) -> Limits:
        """chunkSize is hard for overlap and body together."""
        return hard_limit(self.chunk_size, "chunk_size", self.unit)

    def plan(self, document: Document, tools: SplitContext) -> Plan[_Merge]:
        """The front matter and blank stretches as skips, merged parts as chunks with blank edges as
        holes."""
        levels = _SeparatorLevels(document, self, lengths_in(document, self.unit, tools), tools)
        parts = self._parts(document, tools, levels)
        return Plan(document, CountedTogether(document, tools, parts), levels.boundary)

    def _parts(self, document: Document, tools: SplitContext, levels: _SeparatorLevels) -> Iterator[Skip | _Merge]:
        start, end = (yield from front_matter(document)), len(document.text)
        all_matter = not tools.passes_over(Span(0, 1))
        for merge in levels.merges(start, end, 0):
            if merge.kept_start == merge.end:
                yield Skip(Span(merge.start, merge.end), BLANK)
            elif all_matter or not tools.passes_over(body := Span(merge.start, merge.end)):
                yield merge
            else:
                yield Skip(body, PASSED_OVER)


class _Merge(NamedTuple):
    """Neighbouring parts of one level, before they are counted and sealed."""

    begins: int
    """Where the overlap begins; `start` where nothing is repeated."""
    start: int
    end: int
    kept_start: int
    """Where the first character stands that is in the text; `end` where all is white space."""
    kept_end: int
    held: int = 0
    """Its length; 0 where it ends its level."""
    total: int = 0
    """The length with the next part."""
    flags: tuple[Boundary, ...] = ()
    rule: str = "size-reached"


class _Merging(NamedTuple):
    """What parts were merged to, and with which settings they are merged so again."""

    merge: _Merge
    repeated: int | None
    """Where the overlap of the next merge begins."""
    size: KnownLimits
    overlap: KnownLimits


class _Parts(NamedTuple):
    """Parts that follow each other."""

    stops: array[int]
    """Where each ends."""
    leads: array[int]
    """Where its visible text begins; its stop where it has none."""
    tails: array[int]
    """Where the last visible text up to there ends."""
    lengths: array[int]
    """Of each without white space at its edges; 0 or less where it has nothing else."""

    def between(self, first: int, last: int) -> _Parts:
        """Those from index `first` to before `last`."""
        return _Parts(*[each[first:last] for each in self])


class _Merges(Memo[tuple[int, int | None, int, int], _Merging]):
    """What was merged last from a start, by the overlap, the end of the run and the level."""


class _AllParts(Memo[tuple[int, int, int], _Parts]):
    """By a stretch and a level all its parts."""

    most = 1 << 20


class _Reading:
    """What a document's parts between the separators are, while the sizes change."""

    def __init__(self) -> None:
        self.parts = _AllParts()
        self.merges = _Merges()


class _Readings(Memo[tuple[Unit, tuple[str, ...]], _Reading]):
    """By the unit and the separators."""

    most = 4


class _SeparatorLevels:
    """Goes down the separators; level `len(separators)` is single characters."""

    def __init__(self, document: Document, settings: Recursive, lengths: Lengths, tools: SplitContext) -> None:
        self._text = document.text
        self._set = settings
        self._lengths = lengths
        self._tools = tools
        readings, key = once_per_counter(document, tools.counter, _Readings), (settings.unit, settings.separators)
        self._reading = readings.get(key) or readings.keep(key, _Reading())
        self._size, self._overlap = KnownLimits(), KnownLimits()
        # A "\n" stands for any line ending, so that a CRLF file is cut where its LF twin is. Where
        # there is none but LF, a plain text is found in a fifth of the time.
        line_end = r"(?>\r\n|\n|\r)" if "\r" in document.text else "\n"
        self._patterns = [
            re.compile(re.escape(separator).replace("\\\n", line_end)) for separator in settings.separators if separator
        ]

    def merges(self, start: int, end: int, level: int) -> Iterator[_Merge]:
        """The merges of a stretch, in order; they tile it."""
        if start == end:
            return
        if self._fits(start, end):
            yield self._last(start, start, end)
            return
        if level == len(self._patterns):
            yield from self._merged_characters(start, end)
            return
        key = start, end, level
        parts = self._reading.parts.get(key) or self._all_parts(key)
        lengths = np.frombuffer(parts.lengths, np.int64)
        too_large = np.flatnonzero(lengths > plain(self._set.chunk_size)).tolist()
        at, first = start, 0
        passed_over = self._last_that_makes_no_difference(parts.stops, too_large)
        if passed_over >= 0:
            at, first = parts.stops[passed_over], passed_over + 1
            stays_between(self._set.chunk_size, None, int(lengths[passed_over]))
            yield self._merge_of(start, start, at)
        for last in [*too_large[bisect_left(too_large, first) :], len(parts.stops)]:
            if self._tools.tracing:
                self._follow(lengths[first : last + 1], last - first)
            yield from self._merged(at, parts.between(first, last), level)
            if last < len(parts.stops):
                yield from self.merges(parts.stops[last - 1] if last else start, parts.stops[last], level + 1)
                at, first = parts.stops[last], last + 1

    def _last_that_makes_no_difference(self, stops: array[int], too_large: list[int]) -> int:
        """The last of the parts that are too large of those before what is asked
        (`SplitContext.passes_over`): behind it parts are merged the same whatever stands before it.
        -1 where there is none."""
        passes_over = self._tools.passes_over
        after = bisect_left(too_large, True, key=lambda at: not passes_over(Span(0, stops[at])))
        return too_large[after - 1] if after else -1

    def _follow(self, lengths: Numbers, fitting: int) -> None:
        """Narrow what is traced to the sizes with which so many of these lengths fit, and the one
        behind them does not."""
        most = int(lengths[:fitting].max()) if fitting else None
        stays_between(self._set.chunk_size, most, int(lengths[fitting]) if fitting < len(lengths) else None)

    def _all_parts(self, key: tuple[int, int, int]) -> _Parts:
        text, stops, leads, tails = self._text, list[int](), list[int](), list[int]()
        start = tail = key[0]
        for stop in self._stops(*key):
            lead = first_visible(text, start, stop) if text[start].isspace() else start
            if lead < stop:  # white space adds nothing
                tail = lead + len(text[lead:stop].rstrip())
                if not text[tail - 1 : tail + 1].isascii():
                    tail = last_visible(text, lead, stop)
            stops.append(stop)
            leads.append(lead)
            tails.append(tail)
            start = stop
        found = _Parts(array("q", stops), array("q", leads), array("q", tails), self._lengths.lengths(leads, tails))
        return self._reading.parts.keep(key, found, len(stops))

    def _merged(self, start: int, parts: _Parts, level: int) -> Iterator[_Merge]:
        """Parts merged as far as they fit together."""
        if not parts.stops:
            return
        known, tracing, end = self._reading.merges, self._tools.tracing, parts.stops[-1]
        size, most, overlap = self._set.chunk_size, self._set.chunk_overlap, None
        while start < end:
            key = start, overlap, end, level
            found = None if tracing else known.get(key)
            if found is None or not (found.size.hold(size) and found.overlap.hold(most)):
                found = self._merging(key, parts)
            yield found.merge
            start, overlap = found.merge.end, found.repeated

    def _last(self, begins: int, start: int, end: int) -> _Merge:
        """The last merge of its level."""
        rule = END.rule if end == len(self._text) else LEVEL_END.rule
        return self._merge_of(begins, start, end)._replace(rule=rule)

    def _merge_of(self, begins: int, start: int, end: int, held: int = 0, total: int = 0) -> _Merge:
        lead, tail = visible_edges(self._text, start, end)
        # What is between the overlap and the text was measured with them.
        return _Merge(begins, start, end, start if begins < start and lead < end else lead, tail, held, total)

    def _merging(self, key: tuple[int, int | None, int, int], parts: _Parts) -> _Merging:
        """`_merge`, to be remembered."""
        if self._tools.tracing:
            return self._tools.remembered(("merge", *key), partial(self._merge, *key[:2], parts))
        self._size, self._overlap = KnownLimits(), KnownLimits()
        return self._reading.merges.keep(key, self._merge(*key[:2], parts))

    def _merge(self, start: int, overlap: int | None, parts: _Parts) -> _Merging:
        """One merge from `start` on, and where the overlap of the next one begins."""
        stops, tails = parts.stops, parts.tails
        first = bisect_right(stops, start)
        begins = start if overlap is None else overlap
        lead = first_visible(self._text, begins, stops[-1])
        last = self._lengths.last_within(lead, tails, self._set.chunk_size, first, self._size)
        end = self._through_blanks(stops[last], stops[-1])
        following = bisect_right(stops, end, lo=last + 1)
        if following >= len(stops):
            return _Merging(self._last(begins, start, end), overlap, self._size, self._overlap)
        held, total = self._lengths.length(lead, tails[last]), self._lengths.length(lead, tails[following])
        repeated = self._overlap_start(parts, first, last, tails[following])
        # White space between the overlap and the text was measured with them.
        kept_start = start if begins < start else lead
        merge = _Merge(begins, start, end, kept_start, tails[last], held, total)
        return _Merging(merge, repeated, self._size, self._overlap)

    def _overlap_start(self, parts: _Parts, first: int, last: int, next_tail: int) -> int | None:
        """Where the longest run of whole parts begins, the last of which is `last` and none before
        `first`, that is within the overlap and leaves room for more. The visible text of the part
        behind them ends at `next_tail`."""
        found, tail, stops, leads = None, parts.tails[last], parts.stops, parts.leads
        for at in range(last, first - 1, -1):
            # What is measured is without white space at its edges, and so is what is repeated.
            lead = leads[at]
            if lead == stops[at]:
                continue  # white space adds nothing
            if not self._overlap.admit(self._lengths.length(lead, tail), self._set.chunk_overlap):
                break
            if not self._size.admit(self._lengths.length(lead, next_tail), self._set.chunk_size):
                break
            found = lead
        return found

    def _merged_characters(self, start: int, end: int) -> Iterator[_Merge]:
        """What has no separator left, in windows of whole grapheme clusters."""
        at = text_start = start
        while at < end:
            stop = self._farthest(text_start, at, end)
            if stop == at and text_start < at:
                text_start, stop = at, self._farthest(at, at, end)
            flags: tuple[Boundary, ...] = ()
            if stop == at:
                stop = grapheme_ceiling(self._text, at + 1, at)
                flags = (self._unsplittable(at, stop),)
            stop = self._through_blanks(stop, end)
            following = min(end, grapheme_ceiling(self._text, stop + 1, stop))
            if stop < end:
                sizes = self._length(text_start, stop), self._length(text_start, following)
                yield self._merge_of(text_start, at, stop, *sizes)._replace(flags=flags)
            else:
                yield self._last(text_start, at, stop)._replace(flags=flags)
            text_start = self._repeated(text_start, at, stop)
            at = stop

    def _farthest(self, start: int, low: int, end: int) -> int:
        """How far a window of characters goes: what is emitted of it, without blank edges, has been
        measured."""
        stop = min(end, self._lengths.farthest(start, low, self._set.chunk_size))
        while stop > low and not self._fits(start, stop):
            stop = grapheme_floor(self._text, stop - 1, low)
        return stop

    def _repeated(self, window: int, body: int, end: int) -> int:
        """Where the overlap with a window that ends at `end` begins: in its body, after the window
        began."""
        low = max(body, grapheme_ceiling(self._text, window + 1, window))
        if low >= end or not self._set.chunk_overlap:
            return end
        start = first_visible(self._text, self._lengths.farthest_back(end, low, self._set.chunk_overlap), end)
        return start if self._length(start, end) <= self._set.chunk_overlap else end

    def _through_blanks(self, stop: int, end: int) -> int:
        """`stop`, moved on over white space: it stays with the part before, and no chunk in a run
        begins with it."""
        return first_visible(self._text, stop, end)

    def _stops(self, start: int, end: int, level: int) -> Iterator[int]:
        """After each separator of the level, and at the end; never inside a grapheme cluster."""
        text, before = self._text, start
        for match in self._patterns[level].finditer(text, start, end):
            stop = match.end()
            if stop < end and (surely_between(text, stop) or grapheme_floor(text, stop, before) == stop):
                yield (before := stop)
        yield end

    def _length(self, start: int, end: int) -> int:
        """The length of a stretch without the white space at its edges."""
        lead, tail = visible_edges(self._text, start, end)
        return self._lengths.length(lead, tail) if lead < tail else 0

    def _fits(self, start: int, end: int) -> bool:
        return self._size.admit(self._length(start, end), self._set.chunk_size)

    def boundary(self, merge: _Merge) -> Boundary:
        """Why a merge ends where it does."""
        held, total = merge.held, merge.total
        if merge.rule != "size-reached":
            return END if merge.rule == END.rule else LEVEL_END
        size, unit = self._set.chunk_size, self._set.unit
        detail = (
            f"the chunk has {held} {unit}, and with the next part it would have {total}, more than chunkSize ({size})"
        )
        return Boundary("size-reached", detail, held=held, next=total - held, limit=size, settings=("chunk_size",))

    def _unsplittable(self, start: int, end: int) -> Boundary:
        length, size = self._lengths.length(start, end), self._set.chunk_size
        detail = f"one character has {length} {self._set.unit}, more than chunkSize ({size}), and cannot be cut"
        return Boundary("unsplittable", detail, held=length, limit=size, settings=("chunk_size",))
