"""Where the chunk ends that begins at a block, found for all blocks of a document at once by sums
of tokens. What sums do not say is packed block by block (packing.py)."""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence

import numpy as np

from chunking.core.chunk import Skip
from chunking.core.chunk_table import Numbers
from chunking.document import BlockKind, Document
from chunking.splitting.document_cache import Memo
from chunking.strategies.block_packing.units import IN_CONTEXT, BlockUnit, Path, ShortenedPath
from chunking.text.whitespace import first_visible
from chunking.tokens import TokenIndex

WHOLE: frozenset[BlockKind] = frozenset({"code", "list", "task-list", "table", "quote", "image", "math"})
"""Kinds that the spec keeps whole whatever their size; only prose is split (block-packing.md,
section 2; bp-3)."""
RULES = ("end", "budget-reached", "top-level-section", "section")
NOT_KNOWN = -1
NO_LINE = sys.maxsize
"""In place of the tokens of a context line that is not known, or does not add up with what is
behind it: more than any maximum."""


class Ends:
    """By the number of the block that a chunk begins with, where it ends for some settings."""

    def __init__(self, following: Numbers, rules: Numbers) -> None:
        self.following = following
        """The number of the block that begins the next chunk; how many there are after the last
        one."""
        self.rules = rules
        """Why, as an index into `RULES`; NOT_KNOWN where sums do not say where it ends."""
        # Lists are read faster one by one.
        self.following_blocks: list[int] = following.tolist()
        self.rule_numbers: list[int] = rules.tolist()

    def of(self, block: int) -> tuple[int, int]:
        """Both for one block."""
        return self.following_blocks[block], self.rule_numbers[block]


class _Holes(Memo[tuple[int, int], tuple[Skip, ...]]):
    """By the block that a chunk begins with and the one that begins the next, what its body has and
    its text has not, but for what is before the document's first chunk."""


class UnitColumns:
    """The typed blocks of a document as columns, whatever the settings. Threads share them."""

    def __init__(self, document: Document, units: Sequence[BlockUnit], index: TokenIndex) -> None:
        self._units = units
        self._leading: dict[int, tuple[Skip, ...]] = {}
        self.holes = _Holes()
        self.lines: dict[int, ShortenedPath] = {}
        """By block, the context line of chunks that begin with it (`Packing.line_by_sums`)."""
        self.line_tokens = np.full(len(units), NO_LINE, np.int64)
        """The tokens of these, and their characters."""
        self.line_lengths = np.zeros(len(units), np.int64)
        self.starts: list[int] = []
        """Where the first visible character of each block stands."""
        text, ends, begins, said_by_line, whole, plain = document.text, [], [], [], [], []
        self.paths: list[int] = []
        """By block the number of its path."""
        self.path_numbers: dict[Path, int] = {}
        paths = self.path_numbers
        for headings, start, end, kind, path, _, said in units:
            self.starts.append(first_visible(text, start, end) if text[start : start + 1].isspace() else start)
            begins.append(headings[0].span.start if headings else start)
            ends.append(end)
            self.paths.append(paths.setdefault(path, len(paths)))
            whole.append(kind in WHOLE)
            plain.append(kind != "heading" and said == len(headings) <= len(path))
            said_by_line.append(bool(headings))
        self.starts_of, self.ends_of = np.array(self.starts, np.int64), np.array(ends, np.int64)
        """The same, and where each block ends."""
        self.begins = np.array(begins, np.int64)
        """Where a chunk begins that begins with each block."""
        every = np.arange(len(units), dtype=np.int64)
        sums = index.sums_around(self.starts_of, self.ends_of)
        self.are_sure = sums is not None
        """Whether there are sums of tokens at all."""
        self._before, self._up_to, sure = sums or (every, every, np.zeros(len(units), np.bool_))
        self.sums: tuple[list[int], list[int]] = self._before.tolist(), self._up_to.tolist()
        """Of a chunk that begins with one block and ends with another, the tokens are the
        difference of the other's number in the second list and the one's in the first."""
        self._rising = np.maximum.accumulate(self._up_to)
        tops = dict[Path, int]()
        self._path = np.array(self.paths, np.int64)
        self._depth = np.array([len(path) for path in paths], np.int64)[self._path]
        self._top = np.array([tops.setdefault(path[:1], len(tops)) for path in paths], np.int64)[self._path]
        self._other_path, self._other_top = _next_other(self._path), _next_other(self._top)
        self._whole, self._plain = np.array(whole, np.bool_), np.array(plain, np.bool_) & sure
        lines = np.array([_most_tokens(path) for path in paths], np.int64)[self._path]
        self._line = np.where(np.array(said_by_line, np.bool_), lines, 0)
        """At least the tokens of the context line that says the headings in front of a block."""

    def keep_line(self, block: int, line: ShortenedPath) -> ShortenedPath:
        """Remember the context line of chunks that begin with a block, and return it."""
        self.lines[block], self.line_lengths[block] = line, len(line.text)
        self.line_tokens[block] = line.tokens  # after the rest: another thread may look
        return line

    def goes_on(self, ends: Ends, maximum: int) -> bytes:
        """By block 1 where of the chunk behind the one that begins with it no more need be asked:
        sums say where it ends, it is within the maximum and its line within half of it, and as
        their sections are apart it repeats nothing."""
        blocks = len(self.starts)
        tokens = self.tokens_between(np.arange(blocks), ends.following - 1)
        is_sure = (ends.rules != NOT_KNOWN) & (tokens <= maximum) & (self.line_tokens <= maximum // 2)
        following = np.minimum(ends.following, blocks - 1)
        same_depth = (self._path[following] != self._path) & (self._depth[following] == self._depth)
        are_apart = same_depth | (self._top[following] != self._top)
        found: bytes = (is_sure[following] & are_apart & (ends.following < blocks)).tobytes()
        return found

    def leading(self, block: int) -> tuple[Skip, ...]:
        """The headings in front of a block, which the context says."""
        known = self._leading.get(block)
        if known is None:
            known = tuple([Skip(heading.span, IN_CONTEXT) for heading in self._units[block].headings])
            self._leading[block] = known
        return known

    def tokens(self, first: int, following: int) -> int:
        """Of the blocks from `first` to before `following`, where sums say it."""
        before, up_to = self.sums
        return up_to[following - 1] - before[first]

    def tokens_between(self, first: Numbers, last: Numbers) -> Numbers:
        """Those of many, each up to and with the block `last`."""
        tokens: Numbers = self._up_to[last] - self._before[first]
        return tokens

    def ends(self, budget: int, fill: int, half: int, is_said: Callable[[int], bool]) -> Ends:
        """Where chunks end with this `budget`, with at least `fill` tokens where another section
        begins, and with context lines of at most `half`. `is_said` gives of a block whether its
        context says its headings in full, where that is not known here. Source: block-packing.md,
        section 2; DECISIONS bp-2.
        """
        blocks = len(self.starts)
        after = np.arange(1, blocks + 1, dtype=np.int64)
        plain = self._plain & (self._whole | (self._up_to - self._before <= budget))
        doubtful = np.flatnonzero(plain & (self._line > half))
        plain[doubtful] = [is_said(number) for number in doubtful.tolist()]
        over = np.maximum(self._rising.searchsorted(self._before + budget, "right"), after)
        section = self._next_section(np.maximum(self._rising.searchsorted(self._before + fill) + 1, after))
        following = np.minimum(np.minimum(over, section), self._other_top)
        rules = np.full(blocks, RULES.index("section"))
        rules[self._other_top == following] = RULES.index("top-level-section")
        rules[over == following] = RULES.index("budget-reached")
        rules[following == blocks] = RULES.index("end")
        # A longer chunk may have fewer tokens than a shorter one: then the search found too little.
        here = following < blocks
        reached, held = self._up_to[following[here]], self._up_to[following[here] - 1]
        before, rule = self._before[here], rules[here]
        wrong = ((rule == RULES.index("budget-reached")) & (reached - before <= budget)) | (
            (section[here] == following[here]) & (held - before < fill)
        )
        odd = np.append(np.flatnonzero(~plain), blocks)
        next_odd = odd[odd.searchsorted(after)]
        rules[~plain | ((next_odd <= following) & (next_odd < blocks))] = NOT_KNOWN
        rules[np.flatnonzero(here)[wrong]] = NOT_KNOWN
        return Ends(following, rules)

    def _next_section(self, blocks: Numbers) -> Numbers:
        """The first of the blocks from each of these on that is not in the section of the chunk."""
        found = blocks.copy()
        inside = np.flatnonzero(blocks < len(self.starts))
        same = inside[self._path[blocks[inside]] == self._path[inside]]
        found[same] = self._other_path[blocks[same]]
        return found


def _next_other(values: Numbers) -> Numbers:
    """For each value, the number of the first one after it that is another; how many there are
    where none is."""
    changes = np.append(np.flatnonzero(values[1:] != values[:-1]) + 1, len(values))
    found: Numbers = changes[changes.searchsorted(np.arange(1, len(values) + 1))]
    return found


def _most_tokens(path: Path) -> int:
    """At least the tokens of the context line of a path: its bytes, with all between the titles."""
    return len("".join(path).encode("utf-8", "surrogatepass")) + 3 * len(path) + 3
