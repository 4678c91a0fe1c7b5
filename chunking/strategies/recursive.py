"""Splits at the coarsest separator, and only what is still too large at the next finer one, down to
characters.

Source: semantic-contextual.md, RecursiveTextSplitter; DECISIONS sc-1.
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Sequence
from functools import partial
from typing import ClassVar, NamedTuple, Self

import numpy as np
import numpy.typing as npt
from pydantic import field_validator, model_validator

from chunking.core.chunk import BLANK, END, PASSED_OVER, Boundary, Skip, front_matter
from chunking.core.context import SplitContext
from chunking.core.cut_parts import Plan
from chunking.core.planning import PlanningStrategy
from chunking.core.sealed import NO_OVERLAP, Sealed
from chunking.core.strategy import Family, Limits, Ordered, setting
from chunking.document import Document, Span
from chunking.errors import SettingError
from chunking.splitting.document_cache import Memo, once_per_counter
from chunking.splitting.known_limits import KnownLimits
from chunking.splitting.length_functions import Lengths, Unit, hard_limit, lengths_in
from chunking.splitting.sealed_chunks import SealedChunks
from chunking.text.graphemes import grapheme_ceiling, grapheme_floor
from chunking.text.whitespace import first_visible, is_white, last_visible, visible_edges
from chunking.tracing import plain, stays_between

Numbers = npt.NDArray[np.int64]
MOST_SEPARATORS = 100
LEVEL_END = Boundary("level-end", "what follows was split at another separator", settings=("separators",))


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
        help="Higher merges more parts into one chunk. Counts overlap and body without the white space at the edges.",
        ge=1,
        le=10_000_000,
        slider=(100, 4000),
    )
    chunk_overlap: int = setting(
        200,
        title="Overlap",
        unit="characters",
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
        return Plan(document, self._steps(document, tools, levels), levels.boundary)

    def _steps(
        self, document: Document, tools: SplitContext, levels: _SeparatorLevels
    ) -> Iterator[Skip | tuple[Sealed, _Merge]]:
        start, end = (yield from front_matter(document)), len(document.text)
        known = SealedChunks(document, tools, self.name)
        for merge in levels.merges(start, end, 0):
            body = merge.body
            if is_white(document.text, body.start, body.end):
                yield Skip(body, BLANK)
            elif tools.passes_over(body):
                yield Skip(body, PASSED_OVER)
            else:
                yield _sealed(document, merge, tools, known), merge


class _Merge(NamedTuple):
    """Neighbouring parts of one level, before they are counted and sealed."""

    body: Span
    overlap_start: int | None
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
    """Parts that follow each other, each of which fits."""

    stops: list[int]
    """Where each ends."""
    tails: list[int]
    """Where the last visible text up to there ends."""


class _Runs(Memo[tuple[int, int, int], tuple[_Parts, Span, KnownLimits]]):
    """What `_run` found last, by its arguments, with the chunk sizes that give the same."""


class _Merges(Memo[tuple[int, int | None, int, int], _Merging]):
    """What was merged last from a start, by the overlap, the end of the run and the level."""


class _AllParts(Memo[tuple[int, int, int], tuple[Numbers, Numbers]]):
    """Of a stretch at a level where all its parts end, and their lengths without white space."""


class _Reading:
    """What a document's parts between the separators are, while the sizes change."""

    def __init__(self) -> None:
        self.parts = _AllParts()
        self.runs = _Runs()
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
            yield self._last(start, end, None)
            return
        if level == len(self._patterns):
            yield from self._merged_characters(start, end)
            return
        at = self._first_that_matters(start, end, level)
        if at > start:
            yield _Merge(Span(start, at), None)
        while at < end:
            parts, too_large = self._run_from(at, end, level)
            yield from self._merged(at, parts, level)
            yield from self.merges(too_large.start, too_large.end, level + 1)
            at = too_large.end

    def _first_that_matters(self, start: int, end: int, level: int) -> int:
        """Where the last part ends that does not fit, of those before what is asked
        (`SplitContext.passes_over`): from there on parts are merged the same whatever stands before
        it. `start` where there is none."""
        if not self._tools.passes_over(Span(start, start + 1)):
            return start
        key = start, end, level
        stops, lengths = self._reading.parts.get(key) or self._all_parts(key)
        before = bisect_left(stops, True, key=lambda stop: not self._tools.passes_over(Span(start, int(stop))))
        too_large = np.flatnonzero(lengths[:before] > plain(self._set.chunk_size))
        if not len(too_large):
            return start
        stays_between(self._set.chunk_size, None, int(lengths[too_large[-1]]))
        return int(stops[too_large[-1]])

    def _all_parts(self, key: tuple[int, int, int]) -> tuple[Numbers, Numbers]:
        stops = [*self._stops(*key)]
        lengths = [self._length(start, stop) for start, stop in zip([key[0], *stops], stops, strict=False)]
        found = np.array(stops, np.int64), np.array(lengths, np.int64)
        return self._reading.parts.keep(key, found, len(stops))

    def _run_from(self, start: int, end: int, level: int) -> tuple[_Parts, Span]:
        """`_run`, remembered."""
        key = start, end, level
        if self._tools.tracing:
            return self._tools.remembered(("run", *key), partial(self._run, *key))
        known = self._reading.runs.get(key)
        if known is None or not known[2].hold(self._set.chunk_size):
            self._size = KnownLimits()
            known = self._reading.runs.keep(key, (*self._run(*key), self._size))
        return known[:2]

    def _run(self, start: int, end: int, level: int) -> tuple[_Parts, Span]:
        """Parts from `start` on that fit one by one; then the one that does not."""
        text, part_start, parts, tail = self._text, start, _Parts([], []), start
        for stop in self._stops(start, end, level):
            lead = first_visible(text, part_start, stop)
            if lead < stop:  # white space adds nothing
                tail = last_visible(text, lead, stop)
                if not self._admits(lead, tail):
                    return parts, Span(part_start, stop)
            parts.stops.append(stop)
            parts.tails.append(tail)
            part_start = stop
        return parts, Span(end, end)

    def _merged(self, start: int, parts: _Parts, level: int) -> Iterator[_Merge]:
        """Parts merged as far as they fit together."""
        overlap: int | None = None
        while parts.stops and start < parts.stops[-1]:
            merge, overlap, *_ = self._merging((start, overlap, parts.stops[-1], level), parts)
            yield merge
            start = merge.body.end

    def _last(self, start: int, end: int, overlap: int | None) -> _Merge:
        """The last merge of its level."""
        rule = END.rule if end == len(self._text) else LEVEL_END.rule
        return _Merge(Span(start, end), overlap, rule=rule)

    def _merging(self, key: tuple[int, int | None, int, int], parts: _Parts) -> _Merging:
        """`_merge`, remembered."""
        if self._tools.tracing:
            return self._tools.remembered(("merge", *key), partial(self._merge, *key[:2], parts))
        known = self._reading.merges.get(key)
        if known and known.size.hold(self._set.chunk_size) and known.overlap.hold(self._set.chunk_overlap):
            return known
        self._size, self._overlap = KnownLimits(), KnownLimits()
        return self._reading.merges.keep(key, self._merge(*key[:2], parts))

    def _merge(self, start: int, overlap: int | None, parts: _Parts) -> _Merging:
        """One merge from `start` on, and where the overlap of the next one begins."""
        stops, tails = parts
        first = bisect_right(stops, start)
        lead = first_visible(self._text, start if overlap is None else overlap, stops[-1])
        last = self._lengths.last_within(lead, tails, self._set.chunk_size, first, self._size)
        end = self._through_blanks(stops[last], stops[-1])
        following = bisect_right(stops, end, lo=last + 1)
        if following >= len(stops):
            return _Merging(self._last(start, end, overlap), overlap, self._size, self._overlap)
        held, total = self._lengths.length(lead, tails[last]), self._lengths.length(lead, tails[following])
        repeated = self._overlap_start([start, *stops[first:last], end], tails[last], tails[following])
        return _Merging(_Merge(Span(start, end), overlap, held, total), repeated, self._size, self._overlap)

    def _overlap_start(self, parts: Sequence[int], tail: int, next_tail: int) -> int | None:
        """Where the longest run of whole trailing parts begins that is within the overlap and
        leaves room for more. `parts` are where they begin and end; their visible text ends at
        `tail`, that of the part behind them at `next_tail`."""
        found = None
        for start, part_end in zip(reversed(parts[:-1]), reversed(parts), strict=False):
            # What is measured is without white space at its edges, and so is what is repeated.
            lead = first_visible(self._text, start, part_end)
            if lead == part_end:
                continue  # white space adds nothing
            if not self._overlap.admit(self._lengths.length(lead, tail), self._set.chunk_overlap):
                break
            if not self._admits(lead, next_tail):
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
            overlap = text_start if text_start < at else None
            if stop < end:
                sizes = self._length(text_start, stop), self._length(text_start, following)
                yield _Merge(Span(at, stop), overlap, *sizes, flags)
            else:
                yield self._last(at, stop, overlap)._replace(flags=flags)
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
        before = start
        for match in self._patterns[level].finditer(self._text, start, end):
            stop = match.end()
            if stop < end:
                before = grapheme_floor(self._text, stop, before)
                if before == stop:
                    yield stop
        yield end

    def _length(self, start: int, end: int) -> int:
        """The length of a stretch without the white space at its edges."""
        lead, tail = visible_edges(self._text, start, end)
        return self._lengths.length(lead, tail) if lead < tail else 0

    def _fits(self, start: int, end: int) -> bool:
        return self._size.admit(self._length(start, end), self._set.chunk_size)

    def _admits(self, lead: int, tail: int) -> bool:
        """`_fits` of a stretch without white space at its edges."""
        return self._size.admit(self._lengths.length(lead, tail), self._set.chunk_size)

    def boundary(self, merge: _Merge) -> Boundary:
        """Why a merge ends where it does."""
        held, total = merge.held, merge.total
        if merge.rule != "size-reached":
            return END if merge.rule == END.rule else LEVEL_END
        size, unit = self._set.chunk_size, self._set.unit
        detail = f"{held} {unit} and the next part would be {total}, over chunkSize {size}"
        return Boundary("size-reached", detail, held=held, next=total - held, limit=size, settings=("chunk_size",))

    def _unsplittable(self, start: int, end: int) -> Boundary:
        length, size = self._lengths.length(start, end), self._set.chunk_size
        detail = f"one character of {length} {self._set.unit} is over chunkSize {size} and cannot be cut"
        return Boundary("unsplittable", detail, held=length, limit=size, settings=("chunk_size",))


def _sealed(document: Document, merge: _Merge, tools: SplitContext, known: SealedChunks) -> Sealed:
    """The chunk of a merge, as an earlier cut sealed it where that is known."""
    (start, end), overlap = (merge.body.start, merge.body.end), merge.overlap_start
    made_of = (end, overlap)
    sealed = known.known(start, made_of) if not merge.flags else None
    if sealed is not None:
        return sealed
    kept_start, kept_end = visible_edges(document.text, start, end)
    sealed = tools.sealed(
        document,
        start,
        end,
        breadcrumb=document.breadcrumb_at(kept_start),
        # What is between the overlap and the text was measured with them.
        kept=(kept_start if overlap is None else start, kept_end),
        overlap=NO_OVERLAP if overlap is None else (overlap, start),
        flags=merge.flags,
        metadata={},
    )
    return sealed if merge.flags else known.keep(made_of, sealed)
