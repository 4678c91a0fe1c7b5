"""The offsets at which a block may be cut, from coarse to fine: list items, lines or sentences by
its kind, then words, then grapheme clusters."""

from __future__ import annotations

from array import array
from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Iterator, Sequence
from functools import cached_property

import numpy as np
import numpy.typing as npt
import regex

from chunking.document import BlockKind, Document, Span
from chunking.document.fenced_regions import FencedRegion, fenced_regions
from chunking.document.sentences import sentence_spans
from chunking.document.source_files import Language
from chunking.splitting.document_cache import Memo, once_per_document
from chunking.splitting.source_code.structure import Source
from chunking.text.graphemes import at_clusters, grapheme_stops

_WORD = regex.compile(r"\S++\s*+")
_LINE = regex.compile(r"[^\r\n]*+(?:\r\n|\r|\n)|[^\r\n]++\Z")
_ITEM = regex.compile(r"^([ \t>]*+)(?:[-*+]|\d{1,9}[.)])(?=[ \t\r\n])", regex.MULTILINE)


_FEW = 64
"""Offsets that are looked at one by one faster than together."""


class Tier:
    """Offsets at which a piece may end, ascending; the last is the span's end."""

    __slots__ = ("offsets", "together")

    def __init__(self, offsets: Iterable[int]) -> None:
        self.offsets = array("q", offsets)
        self.together: Sequence[int] | npt.NDArray[np.int64] = self.offsets
        """The same for `TokenIndex.last_within`, which compares many at once if they are a numpy
        array."""
        if len(self.offsets) > _FEW:
            self.together = np.frombuffer(self.offsets, dtype=np.int64)


class BreakPoints:
    """The offsets at which a span may be cut, by tier; each tier is computed once, on first use."""

    def __init__(
        self,
        document: Document,
        span: Span,
        kind: BlockKind,
        *,
        whole_fences: bool = False,
        source: Source | None = None,
    ) -> None:
        """With `whole_fences`, no offset inside a fence is a break point, whatever the fence's
        size. With the `source` of a fence, it is cut at its statements before it is at lines."""
        self.document = document
        self.span = span
        self.kind = kind
        self._whole = [each.span for each in self.regions if each.closing] if whole_fences else []
        self._source = source
        self._clusters: dict[int, tuple[int, list[int]]] = {}

    @cached_property
    def regions(self) -> tuple[FencedRegion, ...]:
        """Fences and tables in the span, in order. One that is cut inside is closed and opened
        again."""
        return fenced_regions(self.document, self.span, self.kind)

    def tiers(self) -> Iterator[Tier]:
        """The tiers, from the coarsest to words."""
        if self.kind in ("list", "task-list"):
            yield self._items
        yield from self._statements
        if self.kind in ("code", "table", "list", "task-list", "quote", "html", "math", "footnote"):
            if self.regions:
                yield self._framed_lines
            yield self._lines
        if self.kind not in ("code", "table", "html", "math"):
            yield self._sentences
        yield self._words

    def clusters(self, start: int, word_end: int) -> Sequence[int]:
        """The end of every grapheme cluster from `start` to the end of a word; `start` must be a
        cluster's start."""
        known = self._clusters.get(word_end)
        if known is None or known[0] > start:
            stops = grapheme_stops(self.document.text, start, word_end)
            known = start, [*self._outside_fences(stops, start)] if self._whole else stops
            self._clusters[word_end] = known
        return known[1]

    @property
    def breakable(self) -> Iterator[FencedRegion]:
        """The fences and tables that a cut may break."""
        return (each for each in self.regions if not (each.closing and self._whole))

    def whole(self, start: int, end: int) -> bool:
        """Whether a fence that is not to be cut begins in a stretch."""
        at = bisect_left(self._whole, start, key=lambda fence: fence.start)
        return at < len(self._whole) and self._whole[at].start < end

    def region_at(self, offset: int) -> FencedRegion | None:
        """The fence or table that a cut at `offset` would break."""
        at = bisect_right(self.regions, offset, key=lambda region: region.span.start) - 1
        found = self.regions[at] if at >= 0 else None
        return found if found and found.inside(offset) else None

    def _outside_fences(self, offsets: Iterable[int], low: int) -> Iterator[int]:
        """Ascending offsets, those inside a whole fence moved to where it begins; each once, and
        beyond `low`."""
        for offset in offsets:
            at = bisect_right(self._whole, offset, key=lambda fence: fence.start) - 1
            stop = self._whole[at].start if at >= 0 and offset < self._whole[at].end else offset
            if stop > low:
                yield stop
                low = stop

    def _tier(self, offsets: Iterable[int]) -> Tier:
        """A tier of the offsets, with the span's end."""
        stops = [*self._outside_fences(offsets, self.span.start)] if self._whole else [*offsets]
        return Tier(stops if stops and stops[-1] == self.span.end else [*stops, self.span.end])

    @cached_property
    def _items(self) -> Tier:
        """Before every outermost list item; nested ones come with the lines."""
        found = [(match.start(), len(match.group(1))) for match in _ITEM.finditer(self.document[self.span])]
        offsets = (self.span.start + start for start, indent in found if start and indent <= found[0][1] + 1)
        return self._tier(offset for offset in offsets if not self.region_at(offset))

    @cached_property
    def _statements(self) -> tuple[Tier, ...]:
        """Before the statements of a fence, the least deep first: a class, then its methods too."""
        levels = self._source.structure.ends_by_depth() if self._source else ()
        return tuple(self._tier(stops.tolist()) for stops in levels)

    @cached_property
    def _lines(self) -> Tier:
        """After every line, also within a frame, and the empty lines behind it.

        A stop before each of them as well would make a long run of empty lines take quadratic time.
        """
        text, last = self.document.text, self.span.end
        ends = [self.span.start + match.end() for match in _LINE.finditer(self.document[self.span])]
        return self._tier(end for end in ends if end < last and text[end] not in "\r\n")

    @cached_property
    def _framed_lines(self) -> Tier:
        """After every line, but not within a fence's or table's frame, or between it and its first
        or last line."""
        frames = {offset for region in self.regions for offset in region.frame}
        return self._tier(end for end in self._lines.offsets if end not in frames)

    @cached_property
    def _sentences(self) -> Tier:
        sentences = sentence_spans(self.document[self.span])
        return self._tier(self.span.start + sentence.end for sentence in sentences)

    @cached_property
    def _words(self) -> Tier:
        ends = (self.span.start + match.end() for match in _WORD.finditer(self.document[self.span]))
        return self._tier(at_clusters(self.document.text, ends, self.span.start))


class _BreakPointsMemo(Memo[tuple[Span, BlockKind, bool, Language | None], BreakPoints]):
    """Break points by span, by the kind that it is cut as, by whether its fences stay whole, and by
    the language at whose statements it is cut."""

    most = 1 << 24
    """Characters, over all spans."""


class DocumentBreakPoints:
    """The break points of a document's spans, computed once for each span."""

    def __init__(self, document: Document) -> None:
        self._document = document
        self._found = _BreakPointsMemo()

    def within(
        self, span: Span, kind: BlockKind, *, whole_fences: bool = False, source: Source | None = None
    ) -> BreakPoints:
        """The break points of a span that is cut as a block of this kind."""
        key = span, kind, whole_fences, source.language if source else None
        known = self._found.get(key)
        if known is None:
            stops = BreakPoints(self._document, span, kind, whole_fences=whole_fences, source=source)
            known = self._found.keep(key, stops, size=len(span))
        return known


def break_points_of(document: Document) -> DocumentBreakPoints:
    """The cached break points of a document; they depend on nothing else."""
    return once_per_document(document, DocumentBreakPoints)
