"""Counting tokens: a counter by its name, and an index of counts for a document's text.

counter("cl100k_base")("some text")                 # 2
token_index(document.text, counter("words")).count(start, end)
"""

from __future__ import annotations

from collections.abc import Callable
from difflib import get_close_matches
from functools import lru_cache

from chunking import pretokens
from chunking.counters import BlockRatio, Characters, EncodingCounter, TokenCounter, Words, WordsByLine
from chunking.encoding_index import EncodingIndex
from chunking.encodings import PACKAGED, encoding_names, fetched_encoding, packaged_encoding
from chunking.errors import UnknownCounterError
from chunking.once import once
from chunking.rule_indexes import BlockRatioIndex, CharactersIndex, WordsByLineIndex, WordsIndex
from chunking.token_index import TokenIndex

__all__ = ["TokenCounter", "TokenIndex", "counter", "counter_names", "token_index"]

EXACT = "cl100k_base"
"""The exact counter that is always there: the default of every strategy, and what estimates are measured against."""
_RULES = (Words, WordsByLine, Characters, BlockRatio)
_PATTERNS = {"cl100k_base": pretokens.CL100K, "o200k_base": pretokens.O200K, "o200k_harmony": pretokens.O200K}
_SHOWN = 40
"""Characters of a wrong name that an error repeats."""


@once
def counter_names() -> tuple[str, ...]:
    """Every name that `counter` takes: the encodings that come with the package, the rules, tiktoken's others."""
    ours = (*PACKAGED, *(rule.name for rule in _RULES))
    return (*ours, *(name for name in encoding_names() if name not in ours))


@once
def counter(name: str) -> TokenCounter:
    """The counter of that name, made once.

    Raises UnknownCounterError for a name that is not in `counter_names()`, and for an encoding of tiktoken's whose
    table has to be fetched and cannot be.
    """
    if name not in counter_names():
        raise UnknownCounterError(_unknown(name))
    if name in PACKAGED:
        return EncodingCounter(name, packaged_encoding(name, _PATTERNS[name]))
    for rule in _RULES:
        if rule.name == name:
            return rule()
    return EncodingCounter(name, fetched_encoding(name))


def token_index(text: str, counter: Callable[[str], int]) -> TokenIndex:
    """The index of a text's counts by a counter; the last eight are remembered, so that a text is encoded once."""
    return _remembered(text, counter)


@lru_cache(maxsize=8)
def _remembered(text: str, counter: Callable[[str], int]) -> TokenIndex:
    if isinstance(counter, EncodingCounter) and counter.pretokenizer is not None:
        return EncodingIndex(text, counter, counter.pretokenizer)
    if isinstance(counter, Words):
        return WordsIndex(text, counter)
    if isinstance(counter, WordsByLine):
        return WordsByLineIndex(text, counter)
    if isinstance(counter, Characters):
        return CharactersIndex(text, counter)
    if isinstance(counter, BlockRatio):
        return BlockRatioIndex(text, counter)
    return TokenIndex(text, counter)


def _unknown(name: str) -> str:
    names = counter_names()
    likely = get_close_matches(name[:_SHOWN].lower(), names, n=1)
    guess = f"did you mean {likely[0]!r}? " if likely else ""
    return f"no counter named {_shown(name)}; {guess}there are: {', '.join(names)}"


def _shown(name: str) -> str:
    """A name as an error can show it: shortened, and a lookalike from another alphabet with its code point."""
    cut = name if len(name) <= _SHOWN else name[: _SHOWN - 1] + "…"
    strange = next((f" (it has U+{ord(character):04X})" for character in name[:_SHOWN] if not character.isascii()), "")
    return f"{cut!a}{strange}" if strange else f"{cut!r}"
