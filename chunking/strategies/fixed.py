"""A window of one size slides over the text, cutting at a separator when one is late enough in the
window.

Source: semantic-contextual.md, TextSplitter; DECISIONS sc-1.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import ClassVar

from chunking.core.chunk import BLANK, END, PASSED_OVER, Boundary, Chunk, Part, Skip, front_matter
from chunking.core.context import SplitContext
from chunking.core.strategy import Family, Limits, Ordered, Strategy, setting
from chunking.document import Document, Span
from chunking.splitting.blank_edges import is_blank
from chunking.splitting.length_functions import Lengths, Unit, hard_limit, lengths_in
from chunking.splitting.sealed_chunks import SealedChunks
from chunking.text.graphemes import grapheme_ceiling, grapheme_floor
from chunking.text.whitespace import first_visible


class Fixed(Strategy):
    """Chunks of one size with an overlap, cut after a separator where one begins in the window's
    second half."""

    name: ClassVar[str] = "fixed"
    title: ClassVar[str] = "Fixed size"
    summary: ClassVar[str] = "Windows of one size with an overlap, blind to headings: fast, predictable, a baseline."
    family: ClassVar[Family] = "size"
    rules: ClassVar[dict[str, str]] = {
        "size-reached": "the window is full",
        "separator": "the last separator in the window begins in its second half, and the cut is after it",
    }
    ordered: ClassVar[tuple[Ordered, ...]] = (Ordered("chunk_overlap", "chunk_size", strictly=True),)

    chunk_size: int = setting(
        1000,
        title="Chunk size",
        unit="characters",
        help="Higher makes larger and fewer chunks. Counts overlap and body, in the unit chosen.",
        ge=1,
        le=10_000_000,
        slider=(100, 4000),
    )
    chunk_overlap: int = setting(
        200,
        title="Overlap",
        unit="characters",
        help="Higher repeats more of the chunk before. Must be less than the chunk size.",
        ge=0,
        le=10_000_000,
        slider=(0, 1000),
    )
    separator: str = setting(
        "\n\n",
        title="Separator",
        help="A text after which to cut when it begins in the second half of a window. Empty: cut at the size alone.",
    )
    unit: Unit = setting(
        "characters",
        title="Unit",
        help="What chunk size and overlap count: characters, or tokens of the chosen counter.",
    )

    def limits(self) -> Limits:
        """chunkSize is hard for overlap and body together."""
        return hard_limit(self.chunk_size, "chunk_size", self.unit)

    def split(self, document: Document, tools: SplitContext) -> Iterator[Part]:
        """Yield the front matter and windows of white space as skips, the others as chunks, edges
        kept."""
        at, index = (yield from front_matter(document)), 0
        windows = _Windows(document, self, lengths_in(document, self.unit, tools))
        sealed = SealedChunks(document, tools, self.name)
        before: _Before | None = None
        while at < len(document.text):
            window = windows.next(at, before)
            body = Span(at, window.end)
            if is_blank(document, body):
                yield Skip(body, BLANK)
            else:
                yield _part(document, body, window, index, tools, sealed)
                before, index = _Before(window.start, body), index + 1
            at = window.end


@dataclass(frozen=True, slots=True)
class _Window:
    start: int
    """Where its text begins: with the overlap."""
    end: int
    ended_by: Boundary
    flags: tuple[Boundary, ...] = ()


@dataclass(frozen=True, slots=True)
class _Before:
    """The last window that became a chunk."""

    begins: int
    """Where its text begins: each window begins after the one before began (DECISIONS sc-1)."""
    body: Span
    """What the overlap is taken from."""


class _Windows:
    """Finds where windows begin and end."""

    def __init__(self, document: Document, settings: Fixed, lengths: Lengths) -> None:
        self._text = document.text
        self._set = settings
        self._lengths = lengths
        endings = ("\n", document.line_ending)
        self._separators = {settings.separator.replace("\n", ending) for ending in endings} - {""}

    def next(self, at: int, before: _Before | None) -> _Window:
        """The window whose body begins at `at`."""
        size, text = self._set.chunk_size, self._text
        start = self._overlap_start(at, before)
        end = self._lengths.farthest(start, at, size)
        if end == at and start < at:
            # The next character is too large beside the overlap.
            start, end = at, self._lengths.farthest(at, at, size)
        if end == at:
            end = grapheme_ceiling(text, at + 1, at)
            return _Window(at, end, self._full(at, end), (self._unsplittable(at, end),))
        if end == len(text):
            return _Window(start, end, END)
        separated = self._after_separator(start, at, end)
        if separated is not None:
            return _Window(start, *separated)
        return _Window(start, end, self._full(start, end))

    def _overlap_start(self, at: int, before: _Before | None) -> int:
        """Where the overlap begins: in the body before, after the window before began; `at` when
        there is none."""
        if before is None or not self._set.chunk_overlap:
            return at
        first = max(before.body.start, grapheme_ceiling(self._text, before.begins + 1, before.begins))
        if first >= before.body.end:
            return at
        start = self._lengths.farthest_back(at, first, self._set.chunk_overlap)
        return start if start < before.body.end else at

    def _after_separator(self, start: int, at: int, end: int) -> tuple[int, Boundary] | None:
        """The cut after the last separator, when it begins beyond half the window and the body is
        not empty."""
        half = self._set.chunk_size / 2
        for cut, found in sorted(
            ((self._text.rfind(each, start, end), each) for each in self._separators), reverse=True
        ):
            after = cut + len(found)
            if cut < 0 or after <= at or self._lengths.length(start, cut) <= half:
                continue
            if grapheme_floor(self._text, after, at) != after:
                continue
            if self._lengths.length(start, after) > self._set.chunk_size:
                continue  # less text may count more: the cut halves a token
            length = self._lengths.length(start, cut)
            detail = f"the separator {found!r} begins after {length} of {self._set.chunk_size} {self._set.unit}"
            settings = ("separator", "chunk_size")
            return after, Boundary("separator", detail, held=length, limit=self._set.chunk_size, settings=settings)
        return None

    def _full(self, start: int, end: int) -> Boundary:
        length, size = self._lengths.length(start, end), self._set.chunk_size
        detail = f"{length} {self._set.unit} fill chunkSize {size}, and no separator begins in the second half"
        return Boundary("size-reached", detail, held=length, limit=size, settings=("chunk_size",))

    def _unsplittable(self, start: int, end: int) -> Boundary:
        length, size = self._lengths.length(start, end), self._set.chunk_size
        detail = f"one character of {length} {self._set.unit} is over chunkSize {size} and cannot be cut"
        return Boundary("unsplittable", detail, held=length, limit=size, settings=("chunk_size",))


def _part(
    document: Document, body: Span, window: _Window, index: int, tools: SplitContext, sealed: SealedChunks
) -> Part:
    """The chunk of a window, as an earlier cut sealed it where that is known."""
    if tools.passes_over(body):
        return Skip(body, PASSED_OVER)
    made_of = (body.end, window.start)
    known = sealed.known(body.start, made_of) if not window.flags else None
    if known is not None:
        return sealed.again(known, window.ended_by, index)
    chunk = _seal(document, body, window, index, tools)
    return chunk if window.flags else sealed.keep(made_of, chunk)


def _seal(document: Document, body: Span, window: _Window, index: int, tools: SplitContext) -> Chunk:
    visible = first_visible(document.text, body.start, body.end)
    return tools.seal(
        document,
        body,
        window.ended_by,
        breadcrumb=document.section_at(visible).breadcrumb,
        overlap=Span(window.start, body.start) if window.start < body.start else None,
        flags=window.flags,
        metadata={"chunk_index": index},
    )
