"""THIN VERSION, being replaced: counters and the index of counts."""

from __future__ import annotations

import base64
import gzip
from collections.abc import Sequence
from functools import cache, lru_cache
from importlib.resources import files
from typing import Protocol

import tiktoken

from chunking.document import Span
from chunking.errors import UnknownCounterError


class TokenCounter(Protocol):
    @property
    def name(self) -> str: ...
    @property
    def approximate(self) -> bool: ...
    def __call__(self, text: str) -> int: ...


class _Encoding:
    approximate = False

    def __init__(self, name: str) -> None:
        self.name = name
        raw = gzip.decompress((files("chunking") / "data" / f"{name}.tiktoken.gz").read_bytes())
        ranks = {base64.b64decode(a): int(b) for a, b in (line.split() for line in raw.splitlines() if line)}
        pattern = r"""'(?i:[sdmt]|ll|ve|re)|[^\r\n\p{L}\p{N}]?+\p{L}++|\p{N}{1,3}+| ?[^\s\p{L}\p{N}]++[\r\n]*+|\s++$|\s*[\r\n]|\s+(?!\S)|\s"""
        self._encoding = tiktoken.Encoding(name, pat_str=pattern, mergeable_ranks=ranks, special_tokens={})

    def __call__(self, text: str) -> int:
        return len(self._encoding.encode_ordinary(text))


class _Words13:
    name = "words-1.3"
    approximate = True

    def __call__(self, text: str) -> int:
        import re

        return sum(len(line.split()) * 13 // 10 for line in re.split(r"\r\n|\r|\n", text))


@cache
def counter(name: str) -> TokenCounter:
    if name == "words-1.3":
        return _Words13()
    if name == "cl100k_base":
        return _Encoding(name)
    raise UnknownCounterError(f"no counter named {name!r}")


class TokenIndex:
    def __init__(self, text: str, counter: TokenCounter) -> None:
        self.text = text
        self.counter = counter

    def count(self, start: int, end: int) -> int:
        return self.counter(self.text[start:end])

    def count_parts(self, parts: Sequence[str | Span]) -> int:
        return self.counter("".join(p if isinstance(p, str) else self.text[p.start : p.end] for p in parts))

    def reach(self, start: int, stops: Sequence[int], limit: int, first: int = 0) -> int:
        k = first
        while k < len(stops) and self.count(start, stops[k]) <= limit:
            k += 1
        return k - 1


@lru_cache(maxsize=8)
def token_index(text: str, counter: TokenCounter) -> TokenIndex:
    return TokenIndex(text, counter)
