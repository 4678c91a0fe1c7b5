"""Where the tokens of a text begin and end, and what of it people see as one character.

A tokenizer works on bytes, or on a normalized text: a token may end in the middle of a character,
several may share one, and some characters have none. Approximate counters have no tokens.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from chunking.text.graphemes import grapheme_floor
from chunking.tokens.counters import EncodingCounter, countable
from chunking.tokens.index import Offsets
from chunking.tokens.token_counter import TokenCounter
from chunking.tokens.tokenizer_counter import TokenizerCounter

TEXTS_OF_ENCODINGS = ("<|endoftext|>", "<|endofprompt|>", "<|fim_prefix|>", "<|fim_middle|>", "<|fim_suffix|>")
"""The special tokens that OpenAI publishes for its encodings."""


@dataclass(frozen=True, slots=True)
class TokenSpans:
    """The tokens of a text, in order."""

    starts: Sequence[int]
    ends: Sequence[int]
    """Each token is of the characters from its start up to its end, those that it is only a part of
    included. Tokens of one character share it; a token of no character ends where it starts."""
    unknown: frozenset[int]
    """Numbers of the tokens that stand for what the tokenizer has no token for, such as [UNK]."""


class Cell(NamedTuple):  # thousands of them: a dataclass takes three times as long
    """Characters that cannot be divided between tokens: one token's, or those of several that end
    within a character."""

    start: int
    end: int
    tokens: int
    """How many tokens; more than one where a token ends in the middle of a character."""
    unknown: bool = False


def has_tokens(counter: TokenCounter) -> bool:
    """Whether a counter is a tokenizer's; the others estimate."""
    return isinstance(counter, EncodingCounter | TokenizerCounter)


def token_spans(text: str, counter: TokenCounter, *, continued: bool = False) -> TokenSpans | None:
    """The tokens that the counter counts in a text; None for a counter that has none.

    A text is `continued` when it follows one of `sure_borders` of a longer one. Raises
    UnknownCounterError as the counter does.
    """
    if isinstance(counter, EncodingCounter):
        return _spans_of_bytes(text, counter)
    if isinstance(counter, TokenizerCounter):
        spans, unknown = counter.spans(text, continued=continued)
        return TokenSpans([start for start, _ in spans], [end for _, end in spans], unknown)
    return None


def sure_borders(text: str, counter: TokenCounter) -> Offsets:
    """Positions inside a text where a token ends whatever stands before and after it, ascending; no
    positions where nothing is proven for the counter."""
    if isinstance(counter, EncodingCounter) and counter.pretokenizer is not None and text:
        from chunking.tokens.pretokenizer import classes_of

        return counter.pretokenizer.firm_inside(classes_of(text))
    if isinstance(counter, TokenizerCounter) and counter.splits is not None and text:
        found: Offsets = np.flatnonzero(counter.splits.flags(text)[1:-1]) + 1
        return found
    return np.zeros(0, dtype=np.int64)


def token_cells(text: str, found: TokenSpans) -> list[Cell]:
    """The tokens as cells of whole characters, as people see them, in order. Characters that no
    token is of are in none."""
    cells: list[Cell] = []
    plain = text.isascii()
    for number, (start, end) in enumerate(zip(found.starts, found.ends, strict=True)):
        unknown = number in found.unknown
        if not cells:
            cells.append(Cell(start, end, 1, unknown))
            continue
        last = cells[-1]
        apart = start >= last.end > last.start and end > start and (plain or not _inside_character(text, start, last))
        if apart:
            cells.append(Cell(start, end, 1, unknown))
        elif last.end == last.start:  # a token of no character goes with the one after it
            cells[-1] = Cell(start, end, last.tokens + 1, last.unknown or unknown)
        else:
            cells[-1] = Cell(last.start, max(last.end, end), last.tokens + 1, last.unknown or unknown)
    return cells


def special_texts(counter: TokenCounter) -> tuple[str, ...]:
    """The texts of a tokenizer's special tokens; in a document they are ordinary text (DECISIONS
    all-12)."""
    if isinstance(counter, TokenizerCounter):
        return counter.special_texts
    return TEXTS_OF_ENCODINGS if isinstance(counter, EncodingCounter) else ()


def special_around(counter: TokenCounter) -> tuple[Sequence[str], Sequence[str]]:
    """The special tokens that an embedder with this tokenizer puts before a text, and after it."""
    return counter.special_around if isinstance(counter, TokenizerCounter) else ((), ())


def differing_borders(text: str, some: Sequence[int], others: Sequence[int]) -> tuple[set[int], set[int], int]:
    """Where tokens begin by the first tokenizer alone, by the second alone, and in how many places
    by both.

    `some` and `others` are the offsets where tokens begin, ascending. White space is left aside: a
    token with a space before a word begins where the word does.
    """
    one, other = _by_visible(text, some), _by_visible(text, others)
    return (
        {start for place, start in one.items() if place not in other},
        {start for place, start in other.items() if place not in one},
        len(one.keys() & other.keys()),
    )


def _by_visible(text: str, starts: Sequence[int]) -> dict[int, int]:
    """The offsets by the first character at or after each that is no white space."""
    found: dict[int, int] = {}
    known = place = len(text)
    for start in reversed(starts):
        at = start
        while at < known and text[at].isspace():
            at += 1
        place = at if at < known else place
        known = start
        found[place] = start
    return found


def _inside_character(text: str, start: int, before: Cell) -> bool:
    """Whether a token begins inside what people see as one character."""
    if start != before.end or start >= len(text):
        return False
    return grapheme_floor(text, start, before.start) != start


def _spans_of_bytes(text: str, counter: EncodingCounter) -> TokenSpans:
    ids = list(counter.ids(text))
    lengths = np.concatenate([counter.token_lengths[some] for some in ids]).astype(np.int64)
    ends = np.cumsum(lengths)
    starts = ends - lengths
    if not text.isascii():
        encoded = np.frombuffer(countable(text).encode(), dtype=np.uint8)
        character = np.cumsum((encoded & 0xC0) != 0x80) - 1  # of each byte
        starts, ends = character[starts], character[ends - 1] + 1
    return TokenSpans(starts.tolist(), ends.tolist(), frozenset())
