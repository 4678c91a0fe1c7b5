"""A window of one size slides over the text, cutting at a separator when one is late enough in the
window.

Source: semantic-contextual.md, TextSplitter; DECISIONS sc-1.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterator
from typing import ClassVar, NamedTuple

from chunking.core.chunk import BLANK, END, PASSED_OVER, Boundary, Skip, front_matter
from chunking.core.context import SplitContext
from chunking.core.cut_parts import Plan
from chunking.core.planning import PlanningStrategy
from chunking.core.strategy import Family, Limits, Ordered, setting
from chunking.document import Document, Span
from chunking.splitting.close_separators import close_stops
from chunking.splitting.length_functions import Lengths, TokenLengths, Unit, hard_limit, lengths_in
from chunking.splitting.plain_chunks import CountedTogether
from chunking.splitting.token_stops import TokenStops, token_stops
from chunking.text.graphemes import grapheme_ceiling, grapheme_floor, surely_between
from chunking.text.whitespace import is_white
from chunking.tracing import is_traced

_LOOK_BACK = 4
"""Windows before what is asked from which on it is looked for where all walks meet; then four times
as many, and so on."""


class Fixed(PlanningStrategy):
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
        unit_from="unit",
        help="Higher makes larger and fewer chunks. Counts overlap and body, in the unit chosen.",
        ge=1,
        le=10_000_000,
        slider=(100, 4000),
    )
    chunk_overlap: int = setting(
        200,
        title="Overlap",
        unit="characters",
        unit_from="unit",
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

    def plan(self, document: Document, tools: SplitContext) -> Plan[Window]:
        """The front matter and windows of white space as skips, the others as chunks, edges
        kept."""
        windows = _Windows(document, self, lengths_in(document, self.unit, tools))
        if self.unit == "tokens":
            windows.look_up_stops(tools)
        return Plan(document, CountedTogether(document, tools, self._parts(tools, windows)), windows.boundary)

    def _parts(self, tools: SplitContext, windows: _Windows) -> Iterator[Skip | Window]:
        document, text = windows.document, windows.document.text
        at = yield from front_matter(document)
        before, all_matter = windows.last_passed_over(at, tools), not tools.passes_over(Span(0, 1))
        if before is not None:
            yield Skip(Span(at, before.end), PASSED_OVER)
            at = before.end
        while at < len(text):
            if all_matter and before is not None:
                for window in windows.in_a_row(at, before):
                    yield window
                    before, at = window, window.end
            window = windows.next(at, before)
            end = window.end
            if text[at].isspace() and is_white(text, at, end):
                yield Skip(Span(at, end), BLANK)
            else:
                passed_over = not all_matter and tools.passes_over(Span(at, end))
                yield Skip(Span(at, end), PASSED_OVER) if passed_over else window
                before = window
            at = end


class Window(NamedTuple):
    """A window, and why it ends, without the settings' numbers and those that are counted for
    it."""

    begins: int
    """Where its text begins, with the overlap: each begins after the one before began (DECISIONS
    sc-1)."""
    start: int
    """Where its body begins."""
    end: int
    rule: str = "size-reached"
    separator: str = ""
    flags: tuple[Boundary, ...] = ()

    @property
    def kept_start(self) -> int:
        """The same as `start`: white space at the edges is kept."""
        return self.start

    @property
    def kept_end(self) -> int:
        """The same as `end`."""
        return self.end


class _Windows:
    """Finds where windows begin and end."""

    def __init__(self, document: Document, settings: Fixed, lengths: Lengths) -> None:
        self.document = document
        self._text = document.text
        self._set = settings
        self._lengths = lengths
        endings = ("\n", document.line_ending)
        self._separators = {settings.separator.replace("\n", ending) for ending in endings} - {""}
        self._size, self._overlap = settings.chunk_size, settings.chunk_overlap
        one = len(self._separators) == 1 and not (is_traced(self._size) or is_traced(self._overlap))
        self._is_simple = one and settings.unit == "characters"
        self._stops: TokenStops | None = None
        self._has_no_cr = "\r" not in self._text

    def look_up_stops(self, tools: SplitContext) -> None:
        """Find windows of tokens by the separator's stops, where that is known."""
        separators = [*self._separators]
        if len(separators) == 1:
            self._stops = token_stops(self.document, separators[0], tools)

    def next(self, at: int, before: Window | None) -> Window:
        """The window whose body begins at `at`; `before` is the last one that became a chunk."""
        quickly = next(self.in_a_row(at, before), None) if before is not None else None
        return quickly or self._next(at, before)

    def in_a_row(self, at: int, before: Window) -> Iterator[Window]:
        """The windows from `at` on up to the first one that takes more than a look at its edges, or
        at sums."""
        if before.end != at:
            return
        if self._stops is not None and isinstance(self._lengths, TokenLengths):
            yield from self._between_stops(at, before, self._stops, self._lengths)
        elif self._is_simple:
            yield from self._in_characters(at, before)

    def _in_characters(self, at: int, before: Window) -> Iterator[Window]:
        """Windows of characters, each in a fifth of the time, up to the first one where an edge may
        be inside a cluster, the body before is short, all is white space, or the text ends."""
        text, size, overlap, first = self._text, self._size, self._overlap, before.start
        (separator,) = self._separators
        while (full := at - overlap + size) < len(text):
            begins = at - overlap
            if overlap and begins <= first:
                return
            end, cut = full, text.rfind(separator, begins, full)
            is_cut = 2 * (cut - begins) > size and cut + len(separator) > at
            if is_cut:
                end = cut + len(separator)
            if text[at].isspace() and text[at:end].isspace():
                return
            around = text[begins - 1 : begins + 1] + text[full - 1 : full + 1] + text[end - 1 : end + 1]
            simple = self._has_no_cr and around.isascii()
            if not (simple or all(surely_between(text, each) for each in (begins, full, end))):
                return
            window = (
                (begins, at, end, "separator", separator, ()) if is_cut else (begins, at, end, "size-reached", "", ())
            )
            yield tuple.__new__(Window, window)
            first, at = at, end

    def _between_stops(self, at: int, before: Window, stops: TokenStops, lengths: TokenLengths) -> Iterator[Window]:
        """Windows of tokens that end after a separator, up to the first one of which that is not
        sure."""
        text, size, overlap = self._text, self._size, self._overlap
        (separator,) = self._separators
        while (start := stops.start(at, self._first_after(before), overlap, lengths)) is not None:
            begins, bound, least_size = start
            found = stops.last_within(at, bound, size) if size >= least_size else None
            if found is None or found[0] - len(separator) < begins:
                return
            end, sure = found
            if 2 * sure <= size and 2 * lengths.length(begins, end - len(separator)) <= size:
                return
            if text[at].isspace() and text[at:end].isspace():
                return
            before, at = tuple.__new__(Window, (begins, at, end, "separator", separator, ())), end
            yield before

    def _next(self, at: int, before: Window | None) -> Window:
        size, text = self._set.chunk_size, self._text
        begins = self._overlap_start(at, before)
        end = self._lengths.farthest(begins, at, size)
        if end == at and begins < at:
            # The next character is too large beside the overlap.
            begins, end = at, self._lengths.farthest(at, at, size)
        if end == at:
            end = grapheme_ceiling(text, at + 1, at)
            return Window(at, at, end, flags=(self._unsplittable(at, end),))
        if end == len(text):
            return Window(begins, at, end, END.rule)
        return self._after_separator(begins, at, end) or Window(begins, at, end)

    def _overlap_start(self, at: int, before: Window | None) -> int:
        """Where the overlap begins: in the body before, after the window before began; `at` when
        there is none."""
        if before is None or not self._set.chunk_overlap:
            return at
        first = self._first_after(before)
        if first >= before.end:
            return at
        start = self._lengths.farthest_back(at, first, self._set.chunk_overlap)
        return start if start < before.end else at

    def _first_after(self, before: Window) -> int:
        """The first offset in the body before at which a window begins after that one began."""
        first = before.start
        return grapheme_ceiling(self._text, first + 1, first) if first == before.begins else first

    def _after_separator(self, begins: int, at: int, end: int) -> Window | None:
        """The window that is cut after the last separator, when it begins beyond half the window
        and the body is not empty."""
        size, length = self._set.chunk_size, self._lengths.length
        found = [(self._text.rfind(each, begins, end), each) for each in self._separators]
        for cut, separator in sorted(found, reverse=True) if len(found) > 1 else found:
            after = cut + len(separator)
            if cut < 0 or after <= at or length(begins, cut) <= size / 2:
                continue
            if grapheme_floor(self._text, after, at) != after:
                continue
            if length(begins, after) > size:
                continue  # less text may count more: the cut halves a token
            return Window(begins, at, after, "separator", separator)
        return None

    def last_passed_over(self, begin: int, tools: SplitContext) -> Window | None:
        """The last window that, with all before it, makes no difference to what is asked
        (`SplitContext.passes_over`); None where there is none."""
        if tools.tracing or not tools.passes_over(Span(begin, begin + 1)):
            return None  # a traced size cannot be followed in characters
        before = self._meeting(begin, tools)
        at = before.end if before else begin
        while at < len(self._text):
            window = self.next(at, before)
            if not tools.passes_over(Span(at, window.end)):
                break
            before = before if is_white(self._text, at, window.end) else window
            at = window.end
        return before

    def _meeting(self, begin: int, tools: SplitContext) -> Window | None:
        """A window before what is asked that every walk from `begin` comes to; None where none is
        found."""
        size = self._set.chunk_size
        if self._set.unit != "characters" or len(self._separators) != 1:
            return None
        text_end = range(len(self._text))
        last = bisect_left(text_end, True, key=lambda end: not tools.passes_over(Span(0, end)))
        back = _LOOK_BACK * size
        while last - back > begin:
            found = self._meeting_from(self._possible(begin, last - back), tools)
            if found is not None:
                return found
            back *= 4
        return None

    def _possible(self, begin: int, until: int) -> set[Window]:
        """Windows of which every walk has one, as far as those behind it depend on it; empty where
        none are known.

        In a stretch of close separators every window ends at the last one in it, and the overlap of
        the next one begins in its body.
        """
        size, overlap = self._set.chunk_size, self._set.chunk_overlap
        separator = next(iter(self._separators))
        gap = min((size - overlap) // 2, size // 2 - len(separator))
        stops = close_stops(self.document, separator, until, 2 * size, gap) if gap > 0 else []
        if not stops or stops[0] < begin:
            return set()
        ends = stops[bisect_right(stops, stops[0] + size - gap) :]
        # A window longer than this before its end is not blank.
        if any(is_white(self._text, end - (size - gap - overlap), end) for end in ends):
            return set()
        return {Window(stops[0], stops[0], end) for end in ends}

    def _meeting_from(self, windows: set[Window], tools: SplitContext) -> Window | None:
        """The window that all walks from these come to."""
        while windows:
            earliest = min(windows, key=lambda window: window.end)
            windows.remove(earliest)
            at = earliest.end
            following = self.next(at, earliest)
            if not tools.passes_over(Span(at, following.end)) or is_white(self._text, at, following.end):
                return None
            windows.add(following)
            if len(windows) == 1:
                return following
        return None

    def boundary(self, window: Window) -> Boundary:
        """Why a window ends, with its numbers."""
        if window.rule == END.rule:
            return END
        filled = window.end - len(window.separator)
        length, size, unit = self._lengths.length(window.begins, filled), self._set.chunk_size, self._set.unit
        if window.rule == "separator":
            detail = f"the last separator {window.separator!r} within chunkSize ({size}) comes after {length} {unit}"
            return Boundary(window.rule, detail, held=length, limit=size, settings=("separator", "chunk_size"))
        detail = f"the chunk has {length} {unit}, which fill chunkSize ({size}), and no separator in its second half"
        return Boundary(window.rule, detail, held=length, limit=size, settings=("chunk_size",))

    def _unsplittable(self, start: int, end: int) -> Boundary:
        length, size = self._lengths.length(start, end), self._set.chunk_size
        detail = f"one character has {length} {self._set.unit}, more than chunkSize ({size}), and cannot be cut"
        return Boundary("unsplittable", detail, held=length, limit=size, settings=("chunk_size",))
