"""Counts of spans by the rules of thumb: prefix sums of words, lines, characters or blocks, without
any tokens."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Sequence
from functools import cached_property
from itertools import accumulate

import numpy as np

from chunking.document import Block, Span
from chunking.text.whitespace import white_flags
from chunking.tokens.counters import BlockRatio, Characters, Words, WordsByLine, block_tokens
from chunking.tokens.index import Offsets, SummingIndex, TokenIndex


class WordsIndex(SummingIndex):
    """Counts words: those that begin inside the span, and the one it begins in the middle of."""

    def __init__(self, text: str, counter: Words | WordsByLine) -> None:
        super().__init__(text, counter)
        blank = white_flags(text)
        begins = ~blank
        begins[1:] &= blank[:-1]
        before = np.zeros(len(text) + 1, dtype=np.int32)
        np.cumsum(begins, out=before[1:])
        self._before = before
        self._words = before.data

    def count(self, start: int, end: int) -> int:
        """The count of words in `text[start:end]`."""
        return self._words_between(start, end)

    def _words_between(self, start: int, end: int) -> int:
        if start >= end:
            return 0
        begun: int = self._words[end] - self._words[start]
        return begun + self._inside_word(start)

    def _inside_word(self, position: int) -> bool:
        """Whether the characters on both sides of a position belong to one word."""
        around = self.text[max(position - 1, 0) : position + 1]
        return len(around) == 2 and not around[0].isspace() and not around[1].isspace()

    def _anchor(self, start: int) -> int:
        return start

    def _level(self, start: int, anchor: int) -> int:
        level: int = self._words[anchor]
        return level - self._inside_word(start)

    def _levels(self, stops: Offsets) -> Offsets:
        return self._before[stops].astype(np.int64)

    def _count_joined(self, parts: Sequence[str | Span]) -> int:
        words, last = 0, " "
        for part in parts:
            first, following = self._edges(part)
            words += self.counter(part) if isinstance(part, str) else self._words_between(part.start, part.end)
            words -= not last.isspace() and not first.isspace()
            last = following
        return words

    def _edges(self, part: str | Span) -> tuple[str, str]:
        """The first and last character of a part that is not empty."""
        return (part[0], part[-1]) if isinstance(part, str) else (self.text[part.start], self.text[part.end - 1])


class WordsByLineIndex(WordsIndex):
    """Counts floor(words * 1.3) by line: whole lines from prefix sums, the first and last from
    their words."""

    def __init__(self, text: str, counter: WordsByLine) -> None:
        super().__init__(text, counter)
        codes = np.frombuffer(text.encode("utf-32-le", "surrogatepass"), dtype=np.uint32)
        is_end = (codes == 10) | (codes == 13)
        self._is_end = is_end.tobytes()
        self._ends = np.flatnonzero(is_end)
        self._line_starts = np.concatenate(([0], self._ends + 1))
        at_ends = np.concatenate(([0], self._before[self._ends])).astype(np.int64)
        # A word never spans a line ending, so words that begin in a line are the line's words.
        self._whole = np.concatenate(([0], np.cumsum(np.diff(at_ends) * 13 // 10)))
        lines = np.zeros(len(text) + 1, dtype=np.int32)
        np.cumsum(is_end, out=lines[1:])
        self._lines_ended = lines.data
        self._weighed = self._whole.data

    def count(self, start: int, end: int) -> int:
        """The count of `text[start:end]`."""
        if start >= end:
            return 0
        return _weight(self._lines(start, end))

    def _lines(self, start: int, end: int) -> tuple[int, int | None, int]:
        """Words of the first line, the weight of the whole lines between (None within one line),
        words of the last."""
        first = self._is_end.find(1, start, end)
        if first < 0:
            return self._words_between(start, end), None, 0
        last = self._is_end.rfind(1, start, end)
        between: int = self._weighed[self._lines_ended[last + 1]] - self._weighed[self._lines_ended[first + 1]]
        return self._words_between(start, first), between, self._words_between(last + 1, end)

    def _anchor(self, start: int) -> int:
        first = self._is_end.find(1, start)
        return first + 1 if first >= 0 else len(self.text) + 1

    def _level(self, start: int, anchor: int) -> int:
        level: int = self._weighed[self._lines_ended[anchor]]
        return level - self._words_between(start, anchor) * 13 // 10

    def _levels(self, stops: Offsets) -> Offsets:
        ended = np.searchsorted(self._ends, stops, side="left")
        words = self._before[stops].astype(np.int64) - self._before[self._line_starts[ended]]
        levels: Offsets = self._whole[ended] + words * 13 // 10
        return levels

    def _count_joined(self, parts: Sequence[str | Span]) -> int:
        weight, line_words, last = 0, 0, " "
        for part in parts:
            first, following = self._edges(part)
            opening, between, closing = _lines_of(part) if isinstance(part, str) else self._lines(part.start, part.end)
            line_words += opening - (not last.isspace() and not first.isspace())
            if between is not None:
                weight += line_words * 13 // 10 + between
                line_words = closing
            last = following
        return weight + line_words * 13 // 10


def _lines_of(text: str) -> tuple[int, int | None, int]:
    words = [len(line.split()) for line in text.replace("\r", "\n").split("\n")]
    if len(words) == 1:
        return words[0], None, 0
    return words[0], sum(line * 13 // 10 for line in words[1:-1]), words[-1]


def _weight(lines: tuple[int, int | None, int]) -> int:
    opening, between, closing = lines
    return opening * 13 // 10 + (between or 0) + closing * 13 // 10


class CharactersIndex(SummingIndex):
    """Counts four characters for a token."""

    def __init__(self, text: str, counter: Characters) -> None:
        super().__init__(text, counter)

    def count(self, start: int, end: int) -> int:
        """The count of `text[start:end]`."""
        return -(-max(end - start, 0) // 4)

    def _anchor(self, start: int) -> int:
        return start

    def _level(self, start: int, anchor: int) -> int:  # noqa: ARG002
        return start // 4

    def _levels(self, stops: Offsets) -> Offsets:
        return -(-stops // 4)

    def _count_joined(self, parts: Sequence[str | Span]) -> int:
        return -(-sum(map(len, parts)) // 4)


class BlockRatioIndex(TokenIndex):
    """Counts by kind of block: whole blocks from prefix sums, lines of prose by their length, the
    rest by parsing.

    A block begins and ends where it does whatever stands around it, but the start of a text is
    special: what is front matter there is none elsewhere, and the other way round.
    """

    def __init__(self, text: str, counter: BlockRatio) -> None:
        super().__init__(text, counter)

    def count(self, start: int, end: int) -> int:
        """The count of `text[start:end]`."""
        if start >= end:
            return 0
        whole = self._whole_blocks(start, end)
        return self._count_partial(start, end) if whole is None else whole

    def _whole_blocks(self, start: int, end: int) -> int | None:
        """The count of a span that begins with a block and ends after one; None of any other."""
        blocks, starts, weighed = self._blocks
        first, last = bisect_left(starts, start), bisect_left(starts, end) - 1
        if first > last or starts[first] != start or blocks[last].content_end > end:
            return None
        if start and self.text.startswith(_OPENING, start):
            return None
        return weighed[last + 1] - weighed[first]

    def _count_partial(self, start: int, end: int) -> int:
        """The count of a span that begins or ends inside a block: what is left of a paragraph, and
        whole blocks."""
        blocks, starts, _ = self._blocks
        following = bisect_left(starts, start)
        at = starts[following]
        if at < end and blocks[following - 1].kind == "paragraph" and self._ends_blank(start, at):
            opening, rest = self._prose(start, at), self._whole_blocks(at, end)
            if opening is not None and rest is not None:
                return opening + rest
        prose = self._prose(start, end)
        return self._count_slice(start, end) if prose is None else prose

    def _prose(self, start: int, end: int) -> int | None:
        """The count of lines that all begin with a letter: they are one paragraph. None of anything
        else."""
        if not _PROSE.fullmatch(self.text, start, end):
            return None
        while self.text[end - 1].isspace():
            end -= 1
        return block_tokens("paragraph", end - start)

    def _ends_blank(self, start: int, end: int) -> bool:
        """Whether a blank line ends the span: what comes after it does not go on with a
        paragraph."""
        return self.text.endswith(_BLANK_LINES, start, end)

    def _count_joined(self, parts: Sequence[str | Span]) -> int:
        """Adds where a blank line comes after a heading or a paragraph: nothing after it can be a
        part of these."""
        first, rest = parts[0], parts[1:]
        if not rest or self._opens(rest[0]) or not self._is_apart(first):
            return super()._count_joined(parts)
        before = self.counter(first) if isinstance(first, str) else self.count(first.start, first.end)
        return before + self.count_parts(rest)

    def _opens(self, part: str | Span) -> bool:
        """Whether a part would be read in another way at the start of a text."""
        return part.startswith(_OPENING) if isinstance(part, str) else self.text.startswith(_OPENING, part.start)

    def _is_apart(self, part: str | Span) -> bool:
        """Whether a part is a line of heading, or ends with a paragraph, and then a blank line."""
        if isinstance(part, str):
            return _HEADING.fullmatch(part) is not None
        if self._opens(part) or not self._ends_blank(part.start, part.end):
            return False
        blocks, starts, _ = self._blocks
        first, last = bisect_left(starts, part.start), bisect_left(starts, part.end) - 1
        if starts[first] == part.start and first <= last:
            return blocks[last].kind == "paragraph" and blocks[last].content_end <= part.end
        return self._prose(part.start, part.end) is not None

    @cached_property
    def _blocks(self) -> tuple[tuple[Block, ...], list[int], list[int]]:
        """The text's blocks; where each starts, and the end of the text; the weight of all blocks
        before each."""
        from chunking.document.parser import parse  # here, so that counting by an encoding loads no parser

        document = parse(self.text, "text.md")
        starts = [*(block.span.start for block in document.blocks), len(self.text)]
        weights = (block_tokens(block.kind, len(document[block.span].strip())) for block in document.blocks)
        return document.blocks, starts, [*accumulate(weights, initial=0)]


_OPENING = ("---", "+++", "\ufeff")
_BLANK_LINES = ("\n\n", "\r\n\r\n", "\r\r")
_PROSE = re.compile(r"[^\W\d_][^\r\n]*(?:(?:\r\n|\r|\n)[^\W\d_][^\r\n]*)*\s*")
"""No list, table, quote, fence, heading, rule, html, definition, image or indented code begins with
a letter."""
_HEADING = re.compile(r"# [^\r\n]*(?:\r\n|\r|\n){2}")
