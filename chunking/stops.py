"""Where a block may be cut, coarse to fine: its kind's own places, then words, then grapheme clusters."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator, Sequence
from functools import cached_property

import regex

from chunking.document import BlockKind, Document, Span
from chunking.enclosures import Enclosure, enclosures
from chunking.graphemes import grapheme_stops
from chunking.sentences import sentence_spans

_WORD = regex.compile(r"\S++\s*+")
_LINE = regex.compile(r"[^\r\n]*+(?:\r\n|\r|\n)|[^\r\n]++\Z")
_ITEM = regex.compile(r"^([ \t>]*+)(?:[-*+]|\d{1,9}[.)])(?=[ \t\r\n])", regex.MULTILINE)


class Stops:
    """The places at which a span may be cut. What is asked for is found once."""

    def __init__(self, document: Document, span: Span, kind: BlockKind) -> None:
        self.document = document
        self.span = span
        self.kind = kind
        self._clusters: dict[int, list[int]] = {}

    @cached_property
    def enclosures(self) -> tuple[Enclosure, ...]:
        """Fences and tables in the span, in order; a cut inside one needs it closed and opened again."""
        return enclosures(self.document, self.span, self.kind)

    def tiers(self) -> Iterator[Sequence[int]]:
        """Sorted offsets after which a piece may end, from the coarsest tier to words; each has the span's end."""
        if self.kind in ("list", "task-list"):
            yield self._items
        if self.kind in ("code", "table", "list", "task-list", "quote", "html", "math", "footnote"):
            if self.enclosures:
                yield self._framed_lines
            yield self._lines
        if self.kind not in ("code", "table", "html", "math"):
            yield self._sentences
        yield self._words

    def clusters(self, start: int, word_end: int) -> Sequence[int]:
        """The end of every grapheme cluster from `start` to the end of a word; `start` must be a cluster's start."""
        if word_end not in self._clusters:
            self._clusters[word_end] = grapheme_stops(self.document.text, start, word_end)
        return self._clusters[word_end]

    def enclosing(self, offset: int) -> Enclosure | None:
        """The fence or table that a cut at `offset` would break."""
        at = bisect_right(self.enclosures, offset, key=lambda enclosure: enclosure.span.start) - 1
        found = self.enclosures[at] if at >= 0 else None
        return found if found and found.inside(offset) else None

    @cached_property
    def _items(self) -> list[int]:
        """Before every outermost list item; nested ones come with the lines."""
        found = [(match.start(), len(match.group(1))) for match in _ITEM.finditer(self.document[self.span])]
        offsets = (self.span.start + start for start, indent in found if start and indent <= found[0][1] + 1)
        return [*(offset for offset in offsets if not self.enclosing(offset)), self.span.end]

    @cached_property
    def _lines(self) -> list[int]:
        """After every line, also within a frame, and the empty lines behind it.

        A stop before each of them as well would make a long run of empty lines take quadratic time.
        """
        text, last = self.document.text, self.span.end
        ends = [self.span.start + match.end() for match in _LINE.finditer(self.document[self.span])]
        return [*(end for end in ends if end < last and text[end] not in "\r\n"), last]

    @cached_property
    def _framed_lines(self) -> list[int]:
        """After every line, but not within a fence's or table's frame, or between it and its first or last line."""
        held = {offset for enclosure in self.enclosures for offset in enclosure.frame}
        return [end for end in self._lines if end not in held or end == self.span.end]

    @cached_property
    def _sentences(self) -> list[int]:
        sentences = sentence_spans(self.document[self.span])
        return [self.span.start + sentence.end for sentence in sentences] or [self.span.end]

    @cached_property
    def _words(self) -> list[int]:
        ends = [self.span.start + match.end() for match in _WORD.finditer(self.document[self.span])]
        return ends or [self.span.end]
