"""What stands around each window of heading-window: the headings above it, and a fence that a cut
has broken.

Positions are offsets of the document; nothing here decides where to cut.
"""

from __future__ import annotations

import math
from array import array
from bisect import bisect_right
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property, partial
from typing import NamedTuple

import numpy as np
import numpy.typing as npt
import regex

from chunking.core.chunk import SHARED_RULES, Boundary
from chunking.core.context import SplitContext
from chunking.document import Document, Span
from chunking.document.fenced_regions import HOLDING, FencedRegion, fenced_regions
from chunking.splitting.breadcrumbs import ELLIPSIS
from chunking.splitting.break_points import BreakPoints
from chunking.splitting.document_cache import Memo, once_per_counter, once_per_document
from chunking.splitting.oversize import OversizePiece, Splitter
from chunking.splitting.source_code.structure import BY_LINES, CodeFences, fenced_source
from chunking.strategies.heading_window.heading_sums import HeadingSums
from chunking.strategies.heading_window.heading_tree import HeadingTree
from chunking.strategies.heading_window.known_windows import KnownWindows, Openings, SealedWindows
from chunking.strategies.heading_window.places import Places
from chunking.tracing import is_traced

_BLANK = regex.compile(r"\s*+")
_MANY_BLANK_LINES = 64


@dataclass(frozen=True, slots=True)
class Frame:
    """What goes around a chunk's body."""

    context: str
    closing: str
    flags: tuple[Boundary, ...]
    under: int
    """The number of the heading whose section the body begins in, its own included; -1 before any
    heading."""
    least: float
    """The maximum from which on it is the same: math.inf where it depends on the very number."""


class HeadingPlace(NamedTuple):
    """Where a window may begin, among the lines and headings."""

    line: int
    """The index in `line_ends` of the line it lies in."""
    opens_with: int | None
    """The number of the heading that a chunk from here begins with, white space aside."""
    following: int
    """The number of the first heading after the one it begins with, or after it in mid-section."""


class Memory:
    """What stays true of a place while thresholds move: how far a window reaches, what goes around
    a body, and the windows and chunks themselves."""

    def __init__(self) -> None:
        self.sums: HeadingSums | None = None
        self.places = _Places()
        self.reached = _Reached()
        self.frames = _Frames()
        self.pieces = _LinePieces()
        self.headings = _Headings()
        self.shortened = _Shortened()
        self.windows = KnownWindows()
        self.sealed = SealedWindows()
        self.openings = Openings()
        self.windows_from: Places | None = None


class _Places(Memo[int, HeadingPlace]):
    """Where a window begins among lines and headings, by its start."""


class _Reached(Memo[tuple[int, int], int]):
    """The index in `line_ends` of the last line that fits, by start and limit."""


class _Frames(Memo[tuple[int, int, int, bool], Frame]):
    """Frames of bodies, by start, end, limit and whether the context counts."""


class _LinePieces(Memo[tuple[int, int, int, bool], OversizePiece]):
    """Pieces of lines over the limit, by start, limit, the tokens trimmed off it and whether the
    context counts."""


class _Headings(Memo[int, tuple[str, int]]):
    """The heading lines down to a heading in full, and their tokens, by its number."""


class _Shortened(Memo[tuple[int, int], tuple[str, bool]]):
    """The same lines shortened, by the number and the room: all pieces of a huge heading stand
    under the same few."""


class LineReading:
    """What a document's headings, lines and fences are, whatever the settings: kept while
    thresholds move."""

    def __init__(self, document: Document) -> None:
        self.document = document
        self.tree = HeadingTree(document)
        self._fences: dict[int, tuple[FencedRegion, ...]] = {}
        # An array of the standard library: as quick as a list; the other is the same memory.
        self.line_ends_list = array("q", _line_ends(document).tobytes())
        self.line_ends = np.frombuffer(self.line_ends_list, dtype=np.int64)

    def fence_at(self, offset: int) -> FencedRegion | None:
        """The fence that a cut at `offset` breaks, also inside a quote or list."""
        number = self.tree.after(offset)
        if offset == len(self.document.text) or self.tree.starts[number : number + 1] == [offset]:
            return None
        block = self.document.block_at(offset)
        if block.span.start == offset or block.kind not in HOLDING:
            return None
        known = self._fences.get(block.span.start)
        if known is None:
            found = fenced_regions(self.document, block.span, block.kind)
            known = self._fences[block.span.start] = tuple(fence for fence in found if fence.closing)
        at = bisect_right(known, offset, key=lambda fence: fence.span.start) - 1
        return known[at] if at >= 0 and known[at].inside(offset) else None


class WindowFrames:
    """A document's lines, headings and fences, as heading-window asks for them."""

    def __init__(
        self,
        document: Document,
        tools: SplitContext,
        max_tokens: int,
        *,
        count_context: bool,
        code_fences: CodeFences = "lines",
    ) -> None:
        self.document = document
        self.tools = tools
        self.index = tools.index(document)
        self._reading = once_per_document(document, LineReading)
        self.tree = self._reading.tree
        self.line_ends = self._reading.line_ends
        self.line_ends_list = self._reading.line_ends_list
        self.memory = once_per_counter(document, tools.counter, Memory)
        self.limit = max_tokens
        # A traced limit must not be part of a key.
        self._watched = is_traced(max_tokens)
        self.count_context = count_context
        self._code_fences = code_fences
        self._splitter: tuple[tuple[int, int, str, str], Splitter] | None = None

    @cached_property
    def sums(self) -> HeadingSums:
        """The tokens before each heading."""
        if self.memory.sums is None:
            self.memory.sums = HeadingSums(self.tree, self.index, self.line_ends)
        return self.memory.sums

    def place(self, start: int) -> HeadingPlace:
        """Where a window from `start` begins."""
        known = self.memory.places.get(start)
        if known is None:
            opens_with = self._opens_with(start)
            following = self.tree.after(start) if opens_with is None else opens_with + 1
            known = HeadingPlace(bisect_right(self.line_ends_list, start), opens_with, following)
            self.memory.places.keep(start, known)
        return known

    def line_end(self, line: int) -> int:
        """Where a line ends, after its line ending."""
        return self.line_ends_list[line]

    def last_line_within(self, start: int, limit: int, line: int) -> int:
        """The last line that a window from `start`, which lies in `line`, can hold within `limit`
        tokens.

        One less than `line` when not even that one fits.
        """
        if is_traced(limit):
            return self.index.last_within(start, self.line_ends, limit, line)
        known = self.memory.reached.get((start, limit))
        if known is None:
            known = self.index.last_within(start, self.line_ends, limit, line)
            self.memory.reached.keep((start, limit), known)
        return known

    def last_line_of_statement(self, start: int, last: int) -> int:
        """The last line before the last whole statement of the fence that a cut after the line
        `last` breaks; `last` where fences are cut at lines, or no statement begins behind
        `start`."""
        offset = self.line_end(last)
        if self._code_fences == "lines" or self._reading.fence_at(offset) is None:
            return last
        source = fenced_source(self.document, self.document.block_at(offset), BY_LINES)
        begins = source.structure.last_within(start, offset) if source else None
        line = last if begins is None else bisect_right(self.line_ends_list, begins) - 1
        return line if self.line_end(line) > start else last

    def _opens_with(self, start: int) -> int | None:
        number = self.tree.after(start)
        if number == len(self.tree.starts):
            return None
        opening = self.tree.starts[number]
        if opening > start and (not self.document.text[start].isspace() or _blank_to(self.document, start) < opening):
            return None
        return number

    def frame(self, start: int, end: int) -> Frame:
        """Context and closing for a body: the headings as they were at its start (DECISIONS hw-4),
        broken fences."""
        if self._watched:
            return self.tools.remembered(("frame", start, end), partial(self._frame, start, end))
        place = (start, end, self.limit, self.count_context)
        known = self.memory.frames.get(place)
        if known is None:
            known = self.memory.frames.keep(place, self._frame(start, end))
        return known

    def _frame(self, start: int, end: int) -> Frame:
        _, opens_with, following = self.place(start)
        under = following - 1
        above = under if opens_with is None else self.tree.parent(opens_with)
        opened, closed = self._reading.fence_at(start), self._reading.fence_at(end)
        opening, closing = self._reopened(opened, start), self._closed(closed, end)
        room, flags = self.limit // 2, []
        counts = self.count_context and bool(opening or closing)
        if counts:
            cost = self.tools.count(opening) + self.tools.count(closing)
            if cost > room:
                opening = closing = ""
                flags.append(_header_dropped(cost, room))
            else:
                room -= cost
        headings, tokens = self.full_headings(above)
        if tokens > room:
            headings, shortened = self._shortened(above, room)
            flags += [_shortened(room)] if shortened else []
        if headings.strip() == ELLIPSIS and opening.lstrip()[:1].isdigit():
            headings = ""  # a paragraph of dots, which the number of a list would go on
        least = math.inf if counts or tokens > room else 2 * tokens
        return Frame(headings + opening, closing, tuple(flags), under, least)

    def reopens(self, start: int) -> bool:
        """Whether a body from `start` begins within a fence, which is opened again."""
        return self._reading.fence_at(start) is not None

    def whole_tokens(self, start: int, end: int) -> int:
        """The tokens of the body with what goes around it."""
        frame = self.frame(start, end)
        return self.index.count_parts([frame.context, Span(start, end), frame.closing])

    def piece(self, start: int, line_end: int, trimmed: int) -> OversizePiece:
        """Of a line that is over the limit alone, the next piece, from `start` on.

        Pieces are `trimmed` tokens smaller than the limit allows.
        """
        if self._watched:
            return self._cut_off(start, line_end, trimmed)
        place = (start, self.limit, trimmed, self.count_context)
        known = self.memory.pieces.get(place)
        if known is None:
            known = self.memory.pieces.keep(place, self._cut_off(start, line_end, trimmed))
        return known

    def _cut_off(self, start: int, line_end: int, trimmed: int) -> OversizePiece:
        frame = self.frame(start, start + 1) if self.count_context else None
        after = self.document.line_ending + frame.closing if frame and frame.closing else ""
        before = frame.context if frame else ""
        # From the line's own start: a piece is the same whatever was remembered of those before it.
        line = self.place(start).line
        begin = self.line_end(line - 1) if line else 0
        if self._watched:  # a splitter remembers what fits: each is made where it is used
            stops = self.tools.remembered(("stops", begin), partial(self._stops, begin, line_end))
            splitter = Splitter(self.document, stops, self.limit - trimmed, self.tools, before=before, after=after)
            return splitter.next_piece(start)
        wanted = (line_end, trimmed, before, after)
        if self._splitter is None or self._splitter[0] != wanted:
            stops = self._stops(begin, line_end)
            splitter = Splitter(self.document, stops, self.limit - trimmed, self.tools, before=before, after=after)
            self._splitter = wanted, splitter
        return self._splitter[1].next_piece(start)

    def _stops(self, start: int, line_end: int) -> BreakPoints:
        kind = self.document.block_at(start).kind
        # As "html" a line is cut at words: what is not prose has no sentences.
        return BreakPoints(
            self.document,
            Span(start, line_end),
            "html" if kind in ("code", "table", "html", "math") else "paragraph",
        )

    def _shortened(self, number: int, room: int) -> tuple[str, bool]:
        """The heading lines down to a heading in at most `room` tokens, and whether they had to be
        shortened for it."""
        if self._watched:
            return self.tree.shortened(number, room, self.tools)
        known = self.memory.shortened.get((number, room))
        if known is None:
            known = self.memory.shortened.keep((number, room), self.tree.shortened(number, room, self.tools))
        return known

    def full_headings(self, number: int) -> tuple[str, int]:
        """The heading lines down to a heading in full, and their tokens."""
        known = self.memory.headings.get(number)
        if known is None:
            text = self.tree.lines(number)
            known = self.memory.headings.keep(number, (text, self.tools.count(text) if text else 0))
        return known

    def _reopened(self, fence: FencedRegion | None, start: int) -> str:
        if fence is None:
            return ""
        return fence.opening if self._begins_line(start) else fence.opening + fence.prefix

    def _closed(self, fence: FencedRegion | None, end: int) -> str:
        if fence is None:
            return ""
        ending = self.document.line_ending
        return ("" if self._begins_line(end) else ending) + fence.closing + ending

    def _begins_line(self, offset: int) -> bool:
        return self.document.text[offset - 1 : offset] in ("\n", "\r")


def _line_ends(document: Document) -> npt.NDArray[np.int64]:
    """Where each line ends, after its line ending.

    A heading of several lines (setext) is one line: it stays whole. So is a long run of blank
    lines, with the line before it: counts of such runs are slow, and no chunk should begin in one.
    """
    ends = np.append(document.line_starts[1:], len(document.text))
    text = document.text
    whole = [
        (heading.span.start, heading.content_end - 1)
        for heading in document.headings
        if "\n" in (written := text[heading.span.start : heading.content_end]) or "\r" in written
    ]
    whole += [(max(0, start - 1), end - 1) for start, end in _blank_runs(text, ends)]
    if not whole:
        return ends
    first, last = (np.searchsorted(ends, [one[at] for one in whole], side="right") for at in (0, 1))
    inside = np.zeros(len(ends), dtype=np.bool_)
    for start, end in zip(first[first != last].tolist(), last[first != last].tolist(), strict=True):
        inside[start:end] = True
    return ends[~inside]


def _blank_runs(text: str, ends: npt.NDArray[np.int64]) -> Iterator[tuple[int, int]]:
    """The start and end of each run of at least 64 blank lines. Each has one of every 64th line:
    only these and their neighbours are looked at.
    """

    def bounds(line: int) -> tuple[int, int]:
        return int(ends[line - 1]) if line else 0, int(ends[line])

    def blank(line: int) -> bool:
        start, end = bounds(line)
        return text[end - 1 : end] in ("\n", "\r") and not text[start:end].strip(" \t\r\n")

    after = 0
    for line in range(_MANY_BLANK_LINES - 1, len(ends), _MANY_BLANK_LINES):
        if line < after or not blank(line):
            continue
        first, after = line, line + 1
        while first and blank(first - 1):
            first -= 1
        while after < len(ends) and blank(after):
            after += 1
        if after - first >= _MANY_BLANK_LINES:
            yield bounds(first)[0], bounds(after - 1)[1]


def _blank_to(document: Document, start: int) -> int:
    match = _BLANK.match(document.text, start)
    return match.end() if match else start


def _shortened(room: int) -> Boundary:
    detail = f"{SHARED_RULES['context-shortened']}: it may take {room} tokens"
    return Boundary("context-shortened", detail, limit=room, settings=("max_tokens",))


def _header_dropped(cost: int, room: int) -> Boundary:
    detail = f"reopening the fence takes {cost} tokens, more than half of maxTokens ({room})"
    return Boundary("header-dropped", detail, held=cost, limit=room, settings=("max_tokens",))
