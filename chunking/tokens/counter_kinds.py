"""Which class counts by which name, and which index counts spans for it.

`registry.py` imports this module when the first counter is asked for: with it come tiktoken, numpy
and the patterns. The modules for tokenizer.json files are imported on first use.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

from chunking.text.display import shown_text
from chunking.tokens.bpe_index import EncodingIndex, read_together
from chunking.tokens.counters import BlockRatio, Characters, EncodingCounter, Words, WordsByLine
from chunking.tokens.heuristic_index import BlockRatioIndex, CharactersIndex, WordsByLineIndex, WordsIndex
from chunking.tokens.index import TokenIndex
from chunking.tokens.tiktoken_patterns import CL100K, O200K
from chunking.tokens.tiktoken_tables import PACKAGED, encoding_names, fetched_encoding, packaged_encoding
from chunking.tokens.token_counter import MINILM, TokenCounter

_RULES = (Words, WordsByLine, Characters, BlockRatio)
_PATTERNS = {"cl100k_base": CL100K, "o200k_base": O200K, "o200k_harmony": O200K}


def all_names() -> tuple[str, ...]:
    """Every counter's name, except those of files: packaged ones, then tiktoken's others."""
    ours = (*PACKAGED, MINILM, *(rule.name for rule in _RULES))
    return (*ours, *(name for name in encoding_names() if name not in ours))


def named_counter(name: str) -> TokenCounter:
    """The counter of one of `all_names()`. Raises UnknownCounterError for an encoding of tiktoken
    whose table cannot be fetched."""
    if name == MINILM:
        from chunking.tokens.tokenizer_counter import TokenizerCounter
        from chunking.tokens.tokenizer_files import load_tokenizer, packaged_minilm

        return TokenizerCounter(name, load_tokenizer(packaged_minilm(), name))
    if name in PACKAGED:
        return EncodingCounter(name, packaged_encoding(name, _PATTERNS[name]))
    for rule in _RULES:
        if rule.name == name:
            return rule()
    return EncodingCounter(name, fetched_encoding(name))


def file_counter(name: str, path: Path) -> TokenCounter:
    """The counter by the tokenizer.json at a path. Raises UnknownCounterError for any other
    file."""
    from chunking.tokens.tokenizer_counter import TokenizerCounter
    from chunking.tokens.tokenizer_files import bytes_of, load_tokenizer

    shown = shown_text(str(path), 200)
    return TokenizerCounter(name, load_tokenizer(bytes_of(path, shown), shown))


def index_of(text: str, counter: Callable[[str], int]) -> TokenIndex:
    """A new index of the text for this counter, our own or anybody's."""
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
    return _tokenizer_index(text, counter) or TokenIndex(text, counter)


def indexes_of(texts: Sequence[str], counter: Callable[[str], int]) -> Iterator[TokenIndex | None]:
    """As `index_of` for each of the texts, where one pass over all of them gives it; else None."""
    if not isinstance(counter, EncodingCounter) or (pretokenizer := counter.pretokenizer) is None:
        yield from [None] * len(texts)
        return
    for text, reading in zip(texts, read_together(texts, counter, pretokenizer), strict=True):
        yield EncodingIndex(text, counter, pretokenizer, reading) if reading else None


def _tokenizer_index(text: str, counter: Callable[[str], int]) -> TokenIndex | None:
    """The index for a counter by a tokenizer.json; None for any other counter.

    Imports within the function: most programs never need these modules.
    """
    from chunking.tokens.tokenizer_counter import TokenizerCounter
    from chunking.tokens.tokenizer_index import TokenizerIndex

    if not isinstance(counter, TokenizerCounter) or counter.splits is None:
        return None
    return TokenizerIndex(text, counter, counter.splits)
