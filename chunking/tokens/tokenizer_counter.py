"""Counting with an embedder's tokenizer: the bundled one, or any tokenizer.json.

    counter("minilm")
    counter("tokenizer.json:models/bge/tokenizer.json")     # path relative to the current folder
    counter("tokenizer:9f3c2a71d05be844")                   # offered by the app (offered_files.py)

Special tokens that an embedder adds around a text are not counted.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import cached_property, lru_cache
from itertools import pairwise
from typing import TypeVar

import numpy as np

from chunking.errors import UnknownCounterError
from chunking.tokens.counters import Cut, countable
from chunking.tokens.tokenizer_files import LoadedTokenizer
from chunking.tokens.tokenizer_splits import Splits, splits_of

Result = TypeVar("Result")
_STRETCH = 1 << 17
"""Characters encoded at a time, if a text has safe positions."""
_AT_A_TIME = 4096
"""Words encoded at a time."""
_WORD = 64
"""Maximum characters of a word whose count is cached."""
_WORDS = 1 << 18
"""Maximum number of words whose counts are cached."""


class TokenizerCounter:
    """Counts by a tokenizer.json, without the `special_tokens` that an embedder adds around a
    text."""

    approximate = False

    def __init__(self, name: str, tokenizer: LoadedTokenizer, title: str = "") -> None:
        self.name = name
        self.title = title or name
        """The name for people, if `name` consists of digits."""
        self.table_hash = tokenizer.table_hash
        self.special_tokens = tokenizer.special_tokens
        self._tokenizer = tokenizer
        self._words: dict[str, int] = {}
        self.count_edge = lru_cache(maxsize=1 << 16)(self.__call__)
        """The count of a short text, cached: the edges of spans, as few distinct ones occur."""
        self.inner_edge = lru_cache(maxsize=1 << 16)(self.inner_count)
        """`inner_count` of a short text, cached."""
        self.cut = lru_cache(maxsize=1 << 12)(self._cut)
        """A text cut at its outermost safe positions, cached: a breadcrumb precedes many chunks."""

    @cached_property
    def splits(self) -> Splits | None:
        """Where a text can be split for counting; None if nothing is proven for this tokenizer."""
        return splits_of(self._tokenizer.definition())

    @cached_property
    def _inner(self) -> LoadedTokenizer:
        splits = self.splits
        inner = splits.inner if splits else None
        return self._tokenizer if inner is None else self._tokenizer.with_definition(inner)

    def __call__(self, text: str) -> int:
        """The count of a text. Raises UnknownCounterError if the tokenizer has no token for part of
        it."""
        if len(text) <= _STRETCH or self.splits is None:
            return self._counts(self._tokenizer, [text])[0]
        first, *rest = _stretches(text, self.splits)
        return self._counts(self._tokenizer, [first])[0] + sum(self._counts(self._inner, rest))

    @cached_property
    def special_around(self) -> tuple[tuple[str, ...], tuple[str, ...]]:
        """The special tokens that an embedder adds before a text and after it."""
        return self._tokenizer.special_around()

    @cached_property
    def special_texts(self) -> tuple[str, ...]:
        """The texts of the special tokens."""
        return self._tokenizer.special_texts()

    def spans(self, text: str, *, continued: bool) -> tuple[list[tuple[int, int]], frozenset[int]]:
        """The characters of each token, and the numbers of the unknown ones; `continued` where the
        text follows a safe position. Raises UnknownCounterError as a count does."""
        tokenizer = self._inner if continued else self._tokenizer
        return self._guarded(lambda: tokenizer.spans(countable(text)))

    def inner_count(self, text: str) -> int:
        """The count of a text that follows a safe position."""
        return self._counts(self._inner, [text])[0]

    def inner_counts(self, pieces: Sequence[str]) -> list[int]:
        """The counts of texts between safe positions. Those of short ones, such as words, are
        cached."""
        known = self._words
        counted = dict.fromkeys(pieces, 0)
        missing = []
        for piece in counted:
            count = known.get(piece)
            if count is None:
                missing.append(piece)
            else:
                counted[piece] = count
        for at in range(0, len(missing), _AT_A_TIME):
            some = missing[at : at + _AT_A_TIME]
            counted.update(zip(some, self._counts(self._inner, some), strict=True))
        if len(known) + len(missing) > _WORDS:
            known.clear()
        known.update((piece, counted[piece]) for piece in missing if len(piece) <= _WORD)
        return [counted[piece] for piece in pieces]

    def _counts(self, tokenizer: LoadedTokenizer, texts: Sequence[str]) -> list[int]:
        return self._guarded(lambda: tokenizer.counts(list(map(countable, texts))))

    def _guarded(self, work: Callable[[], Result]) -> Result:
        try:
            return work()
        except ValueError as error:
            raise UnknownCounterError(
                f"counter: {self.title} cannot count this text ({error}); take another"
            ) from error

    def _cut(self, text: str) -> Cut:
        if self.splits is None:
            return text, None, ""
        safe = np.flatnonzero(self.splits.flags(text)[1:-1]) + 1
        if not len(safe):
            return text, None, ""
        first, last = int(safe[0]), int(safe[-1])
        return text[:first], self.inner_count(text[first:last]) if last > first else 0, text[last:]


def _stretches(text: str, splits: Splits) -> Iterator[str]:
    """A long text in parts that end at safe positions, as far as there are any."""
    safe = np.flatnonzero(splits.flags(text))
    wanted = np.arange(_STRETCH, len(text), _STRETCH)
    ends = sorted({0, *safe[np.searchsorted(safe, wanted)].tolist(), len(text)})
    return (text[start:end] for start, end in pairwise(ends))
