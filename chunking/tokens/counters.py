"""The counters: what a text weighs in tokens, exactly or by a rule of thumb that says it is one.

A counter is a function of a text. tokens.py finds one by name; token_index.py counts spans of a document with it.
Sources: DECISIONS all-5 and block-packing.md, "Per-content-type heuristics".
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cached_property, lru_cache
from hashlib import sha256
from typing import Protocol

import numpy as np
import numpy.typing as npt

from chunking.tokens import pretokenizer
from chunking.tokens.pretokenizer import WHITE_SPACE, Pretokenizer
from chunking.tokens.tiktoken_tables import Encoding

MINILM = "minilm"
"""The tokenizer of the embedder that comes with us."""
FILE = "tokenizer.json:"
"""Before the path of a tokenizer.json."""
OFFERED = "tokenizer:"
"""Before the first digits of the sha256 of an offered tokenizer.json."""

_SURROGATES = re.compile("[\ud800-\udfff]")
_BLOCK = 100_000
"""Characters. tiktoken's regex gives up, and its process with it, after a million steps back in one run of blanks; a
run of twice this length holds an aligned block of it, and is taken out of the regex's hands."""


Cut = tuple[str, int | None, str]
"""A text cut at its first and last firm position (pretokenizer.py): what is before, the count between, what is after.
Without a firm position inside it is the text, None and nothing."""


class TokenCounter(Protocol):
    """Counts the tokens of a text."""

    @property
    def name(self) -> str: ...
    @property
    def approximate(self) -> bool:
        """Whether counts are estimates; they are then labelled so."""
        ...

    @property
    def table_hash(self) -> str:
        """`sha256:` and the hash of the tokenizer's table, or of the rule's definition: the proof in a YAML."""
        ...

    @property
    def special_tokens(self) -> int:
        """How many special tokens an embedder with this tokenizer adds around one text. Counts leave them out."""
        ...

    def __call__(self, text: str) -> int: ...


class EncodingCounter:
    """Counts by one of tiktoken's encodings; special-token text is ordinary text (DECISIONS all-12).

    Equal to tiktoken's `len(encode_ordinary(text))` for every text that tiktoken can encode. Two kinds it cannot.
    A lone surrogate counts as U+FFFD would, each by itself (tiktoken would join two into one character). A run of
    more than 200,000 blanks, where tiktoken panics, is split where its pattern splits it: exact for the patterns in
    pretokenizer.py. For an encoding with another pattern it is split at every 100,000 blanks, and may count a token
    more for each such place.
    """

    approximate = False
    special_tokens = 0

    def __init__(self, name: str, encoding: Encoding) -> None:
        self.name = name
        self.table_hash = encoding.table_hash
        self.encoding = encoding
        self.pretokenizer: Pretokenizer | None = pretokenizer.for_pattern(encoding.pattern)
        """Where its pattern provably splits; None for a pattern that nothing is proven of."""
        self.count_edge = lru_cache(maxsize=1 << 16)(self.__call__)
        """The count of a short text, remembered: the edges of spans, of which documents have few different ones."""
        self.cut = lru_cache(maxsize=1 << 12)(self._cut)
        """A text cut at its outermost firm positions, remembered: breadcrumbs come before many chunks."""

    def __call__(self, text: str) -> int:
        if len(text) < _BLOCK:
            return self.encoding.count(countable(text))
        return sum(len(ids) for ids in self.ids(text))

    def _cut(self, text: str) -> Cut:
        ends = self.pretokenizer.firm_ends(text) if self.pretokenizer else None
        if ends is None:
            return text, None, ""
        return text[: ends[0]], self(text[ends[0] : ends[1]]), text[ends[1] :]

    def ids(self, text: str) -> Iterator[npt.NDArray[np.uint32]]:
        """The tokens of a text, in one or more arrays."""
        text = countable(text)
        start = 0
        for piece_start, piece_end in self._giant_blanks(text):
            yield self.encoding.ids(text[start:piece_start])
            yield self.encoding.piece_ids(text[piece_start:piece_end])
            start = piece_end
        yield self.encoding.ids(text[start:])

    def _giant_blanks(self, text: str) -> Iterator[tuple[int, int]]:
        """Spans of blanks that are one piece each and too long for tiktoken's regex."""
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


def countable(text: str) -> str:
    """The text as tiktoken can take it: each lone surrogate as U+FFFD, so that positions stay. Only ever counted."""
    if text.isascii():
        return text
    try:
        text.encode()
    except UnicodeEncodeError:
        return _SURROGATES.sub("\ufffd", text)
    return text


class _Rule:
    """A rule of thumb: its definition stands for the table it does not have."""

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
    """Counts floor(words * 1.3) for each line: what heading-window's spec counts with (DECISIONS, heading-window)."""

    name = "words-1.3"
    definition = r"words-1.3: sum of len(line.split()) * 13 // 10 over lines ended by \r\n, \n, \r"

    def __call__(self, text: str) -> int:
        # A line ending at every CR and LF: between the two of a CR LF stands an empty line, which weighs nothing.
        return sum(len(line.split()) * 13 // 10 for line in text.replace("\r", "\n").split("\n"))


class Characters(_Rule):
    """Counts a token for every four characters begun: block-packing's old behaviour."""

    name = "chars-4"
    definition = "chars-4: ceil(characters / 4)"

    def __call__(self, text: str) -> int:
        return -(-len(text) // 4)


HALF_CHARACTERS_PER_TOKEN = {"code": 5, "table": 6, "list": 7, "task-list": 7, "heading": 9}
"""Twice the characters per token by kind of block, so that the rounding is exact; 8 for every other kind."""


class BlockRatio(_Rule):
    """Counts by kind of block, as block-packing's spec does (block-packing.md, Option B); parses its text."""

    name = "block-ratio"
    definition = (
        "block-ratio: sum over blocks of ceil(characters without outer blanks / ratio); "
        "code 2.5, table 3.0, list 3.5, task-list 3.5, heading 4.5, other 4.0"
    )

    def __call__(self, text: str) -> int:
        # A document that is cut again under another setting asks for the same contexts and joins again.
        return _block_ratio_again(text) if len(text) <= _SHORT else _block_ratio(text)


_SHORT = 4_000
"""Characters of a text whose count is remembered."""


def _block_ratio(text: str) -> int:
    from chunking.document.parser import parse  # here, so that counting by an encoding loads no parser

    document = parse(text, "text.md")
    return sum(block_tokens(block.kind, len(document[block.span].strip())) for block in document.blocks)


_block_ratio_again = lru_cache(maxsize=4096)(_block_ratio)


def block_tokens(kind: str, characters: int) -> int:
    """What one block of so many characters, outer blanks not among them, weighs by block-ratio."""
    return -(-2 * characters // HALF_CHARACTERS_PER_TOKEN.get(kind, 8))
