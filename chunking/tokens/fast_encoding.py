"""A faster encoder of two of tiktoken's encodings (extra `fast`), where it proves to be equal.

The only module that imports toktok. It has tables and patterns of its own, so none of its answers
is trusted unseen: its table must be ours, and its tokens of some texts tiktoken's. Its regex engine
may have another version of Unicode: each character is compared when it is first met, and a text
with one that the two take for different classes is encoded by tiktoken.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from typing import Protocol

import numpy as np
import numpy.typing as npt

FAST = "CHUNKSCOPE_FAST"
"""The environment variable that, as `off`, leaves all encoding to tiktoken."""

Ids = npt.NDArray[np.uint32]

_UNASKED, _SAME, _OTHER = range(3)
_STRETCH = 1 << 16
"""Characters looked up together."""
_MANY = 64
"""Unknown characters that are first compared together."""

TEXTS = (
    "It's I'LL we'Ve they're 's'S'd'M'T'RE o'clock don''t",
    "I'\u017f he'\u017f \u212aelvin '\u212a",  # letters that fold to s and k
    " \t \n\n  \r\n\r\n \n x  \n\t\tindented\n   \n    ",
    "trailing blanks   ",
    "a \u00a0b\u2003c\u3000d\x85e\u2028f\x0bg\x0ch\x1ci\u180ej\u200bk\ufeffl",
    "1234567890 12.34 1,234 \u0663\u0664\u0665\u0666 \u216b\u00bd\u2460 v1.2.3-rc4",
    "#!/usr/bin/env !!! ... --- *** ``` //\n//  /x/\n\n {}[]();\n",
    "Caf\u00e9 cafe\u0301 na\u00efve \u0130stanbul \u01c5 \u02b0 \u0e01\u0e34\u0e19 \u0915\u094d\u0937",
    "\u4e2d\u6587\u3001\u65e5\u672c\u8a9e\u306e\u30c6\u30ad\u30b9\u30c8 \ud55c\uad6d\uc5b4 \u0627\u0644\u0639\u0631",
    "\U0001f600\U0001f468\u200d\U0001f469\u200d\U0001f467 \U0001f1e9\U0001f1ea \u2764\ufe0f",
    "CamelCaseHTTPServer snake_case SHOUT\u00c9D x'Ll aB'sC",
    "<|endoftext|><|fim_prefix|>\x00\x02\x7f",
)
"""Each alternative of the patterns, and kinds of characters on either side of it."""


class Encoder(Protocol):
    """What is used of toktok's tokenizer."""

    def encode_to_buffer(self, text: str, _allowed: None, _disallowed: tuple[str, ...], /) -> bytes: ...
    def token_byte_values(self) -> list[bytes]: ...


class FastEncoding:
    """toktok's encoder of an encoding, held against tiktoken's `exact`."""

    def __init__(self, encoder: Encoder, exact: Callable[[str], Ids]) -> None:
        self._encoder = encoder
        self._exact = exact
        self._known = np.zeros(0x110000, dtype=np.uint8)
        """Of each code point, whether the two encoders take it for the same. Threads share it: each
        entry is written once, with what it stays."""
        self._known[:128] = _SAME

    def ids(self, text: str) -> Ids | None:
        """The tokens of a text without lone surrogates; None where tiktoken must be asked."""
        return self._encoded(text) if text.isascii() or self._all_same(text) else None

    def is_equal(self, ranks: Mapping[bytes, int]) -> bool:
        """Whether the table is this one, and some texts have tiktoken's tokens."""
        tokens = self._encoder.token_byte_values()
        same_table = len(tokens) == len(ranks) and all(ranks.get(token) == at for at, token in enumerate(tokens))
        return same_table and all(map(self._is_same, TEXTS))

    def _encoded(self, text: str) -> Ids:
        return np.frombuffer(self._encoder.encode_to_buffer(text, None, ()), dtype=np.uint32)

    def _is_same(self, text: str) -> bool:
        return np.array_equal(self._encoded(text), self._exact(text))

    def _all_same(self, text: str) -> bool:
        for start in range(0, len(text), _STRETCH):
            stretch = text[start : start + _STRETCH]
            if stretch.isascii():
                continue
            codes = np.frombuffer(stretch.encode("utf-32-le"), dtype=np.uint32)
            known = self._known.take(codes)
            if known.min() == _UNASKED:
                self._compare(sorted(set(codes[known == _UNASKED].tolist())))
                known = self._known.take(codes)
            if known.max() == _OTHER:
                return False
        return True

    def _compare(self, codes: list[int]) -> None:
        """Compare characters, many at once, and one by one where these differ."""
        for start in range(0, len(codes), _MANY):
            some = codes[start : start + _MANY]
            alike = self._is_same("|".join(map(_surrounded, some)))
            for code in some:
                self._known[code] = _SAME if alike or self._is_same(_surrounded(code)) else _OTHER


def _surrounded(code: int) -> str:
    """A character where its class decides on tokens of others: of white space two blanks before it
    are one piece with it, a sign keeps 's from being one, and a number begins a group of three
    digits. Between letters its own tokens may show its case."""
    it = chr(code)
    return f"  {it} a{it}'s1{it}2345"


def fast_encoding(name: str, ranks: Mapping[bytes, int], exact: Callable[[str], Ids]) -> FastEncoding | None:
    """The fast encoder for a table of tiktoken's; None where toktok is not installed, does not know
    it, or is not equal."""
    if os.environ.get(FAST) == "off":
        return None
    try:
        import toktok

        found = FastEncoding(toktok._encoding(name), exact)
        return found if found.is_equal(ranks) else None
    except (ImportError, AttributeError, KeyError, TypeError, ValueError):  # not there, or another interface
        return None
