"""Token counters: functions from a text to its number of tokens, exact or labelled as approximate.

`registry.py` finds a counter by name; `index.py` counts spans of a document with it.
Sources: DECISIONS all-5 and block-packing.md, "Per-content-type heuristics".
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import cached_property, lru_cache
from hashlib import sha256

import numpy as np
import numpy.typing as npt

from chunking.tokens import pretokenizer
from chunking.tokens.pretokenizer import Pretokenizer
from chunking.tokens.tiktoken_patterns import WHITE_SPACE
from chunking.tokens.tiktoken_tables import Encoding

_SURROGATES = re.compile("[\ud800-\udfff]")
_BLOCK = 100_000
"""Characters in a block of blanks that is encoded without tiktoken's regex.

The regex panics, which ends the process, after a million backtracking steps in one run of blanks.
Any run of twice this length contains a whole block that begins at a multiple of it."""

SHORT = 256
"""Maximum characters of a text whose count is cached for long."""
_LONGER = 4_000
"""Maximum characters of a text whose count is cached for a while: a table's header is counted with
each of its pieces."""

Cut = tuple[str, int | None, str]
"""A text cut at its first and last firm position (pretokenizer.py): the text before, the number of
tokens between the two, the text after. Without a firm position inside: the text, None and ""."""


class EncodingCounter:
    """Counts by one of tiktoken's encodings; special-token text is ordinary text (DECISIONS
    all-12).

    Equal to tiktoken's `len(encode_ordinary(text))` for every text that tiktoken can encode. It
    cannot encode two kinds of text. A lone surrogate counts as U+FFFD would, each by itself
    (tiktoken would join two into one character). A run of more than 200,000 blanks, where tiktoken
    panics, is split where its pattern splits it: exact for the patterns in pretokenizer.py. For an
    encoding with another pattern it is split at every 100,000 blanks, and may count a token more
    for each such place.
    """

    approximate = False
    special_tokens = 0

    def __init__(self, name: str, encoding: Encoding) -> None:
        self.name = name
        self.table_hash = encoding.table_hash
        self.encoding = encoding
        self.pretokenizer: Pretokenizer | None = pretokenizer.for_pattern(encoding.pattern)
        """Where the encoding's pattern provably splits a text; None if nothing is proven for it."""
        self.count_edge = lru_cache(maxsize=1 << 16)(self._count)
        """The count of a short text, cached: few distinct edges of spans occur, and a breadcrumb is
        counted alone and before its chunks."""
        self._count_longer = lru_cache(maxsize=1 << 6)(self._count)
        self.cut = lru_cache(maxsize=1 << 12)(self._cut)
        """A text cut at its outermost firm positions, cached: a breadcrumb precedes many chunks."""

    def __call__(self, text: str) -> int:
        if len(text) <= SHORT:
            return self.count_edge(text)
        return self._count_longer(text) if len(text) <= _LONGER else self._count(text)

    def _count(self, text: str) -> int:
        if len(text) < _BLOCK:
            return self.encoding.count(countable(text))
        return sum(len(ids) for ids in self.ids(text))

    def _cut(self, text: str) -> Cut:
        ends = self.pretokenizer.firm_ends(text) if self.pretokenizer else None
        if ends is None:
            return text, None, ""
        return text[: ends[0]], self(text[ends[0] : ends[1]]), text[ends[1] :]

    def may_be_token(self, text: str) -> bool:
        """Whether a text is in the table: one that is not has two tokens or more."""
        return countable(text).encode() in self.encoding.ranks

    def ids(self, text: str, marks: Sequence[int] | None = None) -> Iterator[npt.NDArray[np.uint32]]:
        """The tokens of a text, in one or more arrays; `marks` as in Encoding.ids."""
        text = countable(text)
        start = 0
        for piece_start, piece_end in self._giant_blanks(text):
            yield self.encoding.ids(text[start:piece_start])
            yield self.encoding.blank_ids(text[piece_start:piece_end])
            start = piece_end
        yield self.encoding.ids(text[start:], None if start else marks)

    def _giant_blanks(self, text: str) -> Iterator[tuple[int, int]]:
        """Start and end of each run of blanks that is one piece and too long for tiktoken's
        regex."""
        seen = 0
        for block in range(0, len(text) - _BLOCK + 1, _BLOCK):
            if block < seen or text[block : block + _BLOCK].strip(WHITE_SPACE):
                continue
            seen = len(text) - len(text[block:].lstrip(WHITE_SPACE))
            start = len(text[:block].rstrip(WHITE_SPACE))
            if self.pretokenizer is None:
                yield from ((at, min(at + _BLOCK, seen)) for at in range(start, seen, _BLOCK))
                continue
            piece = self.pretokenizer.long_blank_piece(text, start, seen)
            if piece[1] - piece[0] >= _BLOCK:
                yield piece

    @cached_property
    def token_lengths(self) -> npt.NDArray[np.uint8]:
        """Length in bytes of each token, by its id."""
        return self.encoding.token_lengths()

    @cached_property
    def token_characters(self) -> tuple[npt.NDArray[np.uint8], npt.NDArray[np.uint8]]:
        """As Encoding.token_characters."""
        return self.encoding.token_characters()


def countable(text: str) -> str:
    """The text with each lone surrogate as U+FFFD, as tiktoken requires; positions stay the
    same."""
    if text.isascii():
        return text
    try:
        text.encode()
    except UnicodeEncodeError:
        return _SURROGATES.sub("\ufffd", text)
    return text


class _Rule:
    """An approximate counter: a rule whose definition is hashed in place of a table."""

    name: str
    definition: str
    approximate = True
    special_tokens = 0

    @property
    def table_hash(self) -> str:
        return f"sha256:{sha256(self.definition.encode()).hexdigest()}"


class Words(_Rule):
    """Counts words separated by white space."""

    name = "words"
    definition = "words: len(text.split())"

    def __call__(self, text: str) -> int:
        return len(text.split())


class WordsByLine(_Rule):
    """Counts floor(words * 1.3) for each line: what heading-window's spec counts with (DECISIONS,
    heading-window)."""

    name = "words-1.3"
    definition = r"words-1.3: sum of len(line.split()) * 13 // 10 over lines ended by \r\n, \n, \r"

    def __call__(self, text: str) -> int:
        # Every CR and LF ends a line here: the empty line within a CR LF has no words.
        return sum(len(line.split()) * 13 // 10 for line in text.replace("\r", "\n").split("\n"))


class Characters(_Rule):
    """Counts one token per four characters, rounded up: the former behaviour of block-packing."""

    name = "chars-4"
    definition = "chars-4: ceil(characters / 4)"

    def __call__(self, text: str) -> int:
        return -(-len(text) // 4)


HALF_CHARACTERS_PER_TOKEN = {"code": 5, "table": 6, "list": 7, "task-list": 7, "heading": 9}
"""Characters per token times two (so that the rounding is exact) by kind of block; others have
8."""


class BlockRatio(_Rule):
    """Counts by kind of block, as block-packing's spec does (block-packing.md, Option B); parses
    its text."""

    name = "block-ratio"
    definition = (
        "block-ratio: sum over blocks of ceil(characters without outer blanks / ratio); "
        "code 2.5, table 3.0, list 3.5, task-list 3.5, heading 4.5, other 4.0"
    )

    def __call__(self, text: str) -> int:
        # Cutting a document again under another setting counts the same contexts and joins again.
        return _cached_block_ratio(text) if len(text) <= _MAX_CACHED else _block_ratio(text)


_MAX_CACHED = 4_000
"""Maximum characters of a text whose count is cached."""


def _block_ratio(text: str) -> int:
    from chunking.document.parser import parse  # here, so that counting by an encoding loads no parser

    document = parse(text, "text.md")
    return sum(block_tokens(block.kind, len(document[block.span].strip())) for block in document.blocks)


_cached_block_ratio = lru_cache(maxsize=4096)(_block_ratio)


def block_tokens(kind: str, characters: int) -> int:
    """Tokens of one block by block-ratio. `characters` leaves out the white space around it."""
    return -(-2 * characters // HALF_CHARACTERS_PER_TOKEN.get(kind, 8))
