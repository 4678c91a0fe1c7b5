"""Encodings, their tables and their regex engine: the only module that imports tiktoken.

The tables of cl100k_base and o200k_base come with the package (chunking/data, see NOTICE), so that
nothing is fetched; tiktoken's other encodings are fetched by tiktoken itself. Patterns are in
tiktoken_patterns.py, the proofs about them in pretokenizer.py.
"""

from __future__ import annotations

import base64
import gzip
import os
from binascii import a2b_base64
from collections.abc import Sequence
from functools import cache, cached_property
from hashlib import sha256
from importlib.resources import files

import numpy as np
import numpy.typing as npt
import tiktoken
import tiktoken.load

from chunking.errors import UnknownCounterError
from chunking.tokens.fast_encoding import FastEncoding, Ids, fast_encoding
from chunking.tokens.tiktoken_patterns import LINEAR, MARK, WHITE_SPACE, has_marks, marked, marks_of

PACKAGED = {
    "cl100k_base": ("cl100k_base", "223921b76ee99bde995b7ff738513eef100fb51d18c93597a113bcffe865b2a7"),
    "o200k_base": ("o200k_base", "446a9538cb6c348e3516120d7c08b09f57c36495e2acfffe59a5bf8b0cfb1a2d"),
    "o200k_harmony": ("o200k_base", "446a9538cb6c348e3516120d7c08b09f57c36495e2acfffe59a5bf8b0cfb1a2d"),
}
"""Encodings whose table is in the package: its file, and the sha256 that tiktoken publishes for the
unpacked table."""

_SHORT = 256
"""Characters up to which a text is encoded as a list to be counted."""


class Encoding:
    """A table and a pattern. The text of a special token is encoded as ordinary text (DECISIONS
    all-12)."""

    def __init__(
        self,
        name: str,
        pattern: str,
        ranks: dict[bytes, int],
        table_hash: str,
        *,
        loaded: tiktoken.Encoding | None = None,
    ) -> None:
        """`loaded` is tiktoken's own encoding, where it has been made."""
        self._name = name
        self.pattern = pattern
        self.ranks = ranks
        """The number of each token, by its bytes."""
        self.table_hash = table_hash
        """sha256 of the table in tiktoken's file format: the one it publishes and checks downloads
        by."""
        self._loaded = loaded
        self._fast: FastEncoding | None = None
        self._linear_pattern = LINEAR.get(pattern)

    def count(self, text: str) -> int:
        """Tokens of a text without lone surrogates."""
        if len(text) > _SHORT or self._fast:
            return len(self.ids(text))
        # Of a short text a list is made in a third of the time of an array.
        if self._linear_pattern is None or MARK in text:
            return len(self._encoding.encode_ordinary(text))
        marks = marks_of(text) if has_marks(text) else []
        return len(self._linear.encode_ordinary(marked(text, marks))) - len(marks)

    def ids(self, text: str, marks: Sequence[int] | None = None) -> Ids:
        """encode_ordinary as an array, by what is fastest and sure to give the same; `marks` are
        those of the text (`tiktoken_patterns.marks_of`), where they are known."""
        found = self._fast.ids(text) if self._fast else None
        return self.ids_by_tiktoken(text, marks) if found is None else found

    def ids_by_tiktoken(self, text: str, marks: Sequence[int] | None = None) -> Ids:
        """As `ids`, without the fast encoder."""
        if self._linear_pattern is None or MARK in text:
            return _ids(self._encoding, text)
        marks = marks_of(text) if marks is None else marks
        found = _ids(self._linear, marked(text, marks))
        return found[found != self.ranks[MARK.encode()]] if len(marks) else found

    @cached_property
    def _encoding(self) -> tiktoken.Encoding:
        """tiktoken's own, by the pattern as it is."""
        return self._loaded or self._by_pattern(self.pattern)

    @cached_property
    def _linear(self) -> tiktoken.Encoding:
        return self._by_pattern(self._linear_pattern or self.pattern)

    def _by_pattern(self, pattern: str, ranks: dict[bytes, int] | None = None) -> tiktoken.Encoding:
        # Never used, but required: without any, `ids` looks for an empty string at every character.
        special = {"<|endoftext|>": max(self.ranks.values()) + 1}
        return tiktoken.Encoding(
            self._name, pat_str=pattern, mergeable_ranks=ranks or self.ranks, special_tokens=special
        )

    def blank_ids(self, piece: str) -> Ids:
        """The tokens of white space that is known to be one piece: the pattern is not applied.

        Not by tiktoken's `encode_single_piece`, which keeps the interpreter's lock meanwhile: some
        seconds for megabytes.
        """
        return self._of_blanks.encode_to_numpy(piece, disallowed_special=())

    @cached_property
    def _of_blanks(self) -> tiktoken.Encoding:
        """The encoding with a pattern that takes all text for one piece, and with the tokens that
        white space can have: merging looks up nothing but parts of the piece."""
        possible = frozenset(WHITE_SPACE.encode())
        return self._by_pattern(
            "(?s).+", {token: rank for token, rank in self.ranks.items() if possible.issuperset(token)}
        )

    def token_lengths(self) -> npt.NDArray[np.uint8]:
        """Length in bytes of each token, by its id."""
        return self._by_id(np.fromiter(map(len, self.ranks), dtype=np.uint8))

    def token_characters(self) -> tuple[npt.NDArray[np.uint8], npt.NDArray[np.uint8]]:
        """Of each token, by its id: how many characters have their first byte in it, and 1 where it
        begins within a character, else 0."""
        tokens = [*self.ranks]
        joined = np.frombuffer(b"".join(tokens), dtype=np.uint8)
        first_bytes = np.concatenate(([0], np.cumsum((joined & 0xC0) != 0x80)))
        ends = np.cumsum(np.fromiter(map(len, tokens), dtype=np.int64, count=len(tokens)))
        starts = np.concatenate(([0], ends[:-1]))
        characters = (first_bytes[ends] - first_bytes[starts]).astype(np.uint8)
        return self._by_id(characters), self._by_id(((joined[starts] & 0xC0) == 0x80).astype(np.uint8))

    def _by_id(self, of_each: npt.NDArray[np.uint8]) -> npt.NDArray[np.uint8]:
        """Numbers of the tokens, given in the table's order, by the tokens' ids; 0 where an id is
        none's."""
        at = np.fromiter(self.ranks.values(), dtype=np.int64, count=len(self.ranks))
        found = np.zeros(int(at.max()) + 1, dtype=np.uint8)
        found[at] = of_each
        return found


def _ids(encoding: tiktoken.Encoding, text: str) -> Ids:
    """encode_ordinary without the list of ints between (a tenth faster)."""
    return encoding.encode_to_numpy(text, disallowed_special=())


@cache
def encoding_names() -> tuple[str, ...]:
    """Names of tiktoken's encodings, those of its plugins included."""
    return tuple(tiktoken.list_encoding_names())


def packaged_encoding(name: str, pattern: str) -> Encoding:
    """An encoding of PACKAGED, with the given pattern. Raises UnknownCounterError for a damaged
    file."""
    file, expected = PACKAGED[name]
    table = gzip.decompress((files("chunking") / "data" / f"{file}.tiktoken.gz").read_bytes())
    if (actual := sha256(table).hexdigest()) != expected:
        raise UnknownCounterError(
            f"the packaged table of {file} has sha256 {actual[:12]}…, not {expected[:12]}…; install chunkscope again"
        )
    words = table.split()
    ranks = dict(zip(map(a2b_base64, words[::2]), map(int, words[1::2]), strict=True))
    found = Encoding(name, pattern, ranks, f"sha256:{expected}")
    found._fast = fast_encoding(file, ranks, found.ids_by_tiktoken)
    return found


FETCHING = "CHUNKSCOPE_FETCH"
"""The environment variable that, as `off`, keeps tiktoken from fetching a table; worker processes
inherit it. Of tables, those in the package and in tiktoken's own cache are then read."""


def fetch_nothing() -> None:
    """Fetch no table from now on, nor in worker processes, unless the variable says otherwise: for
    where strangers name the counter."""
    os.environ.setdefault(FETCHING, "off")


def fetched_encoding(name: str) -> Encoding:
    """One of tiktoken's encodings, loaded by tiktoken. Raises UnknownCounterError if that fails, or
    would fetch what may not be fetched."""
    tiktoken.load.read_file = _read_if_allowed
    try:
        encoding = tiktoken.get_encoding(name)
    except _NotFetchedError:
        raise UnknownCounterError(
            f"counter {name!r} needs a table that would be fetched, which is not done here; take cl100k_base or "
            f"o200k_base, or count with {name} on the command line once: tiktoken keeps the table in its cache"
        ) from None
    except Exception as error:  # network, proxy, disk or a plugin
        raise UnknownCounterError(
            f"counter {name!r} needs a table that tiktoken fetches on first use, and that failed "
            f"({type(error).__name__}); connect once, or use cl100k_base or o200k_base, which come with chunkscope"
        ) from error
    digest = sha256()
    for token, rank in sorted(encoding._mergeable_ranks.items(), key=lambda entry: entry[1]):
        digest.update(base64.b64encode(token) + b" " + str(rank).encode() + b"\n")
    ranks, table_hash = encoding._mergeable_ranks, f"sha256:{digest.hexdigest()}"
    return Encoding(name, encoding._pat_str, ranks, table_hash, loaded=encoding)


class _NotFetchedError(Exception):
    """A table is neither in the package nor in tiktoken's cache."""


_read = tiktoken.load.read_file


def _read_if_allowed(blobpath: str) -> bytes:
    """What tiktoken fetches a table with, when its cache has none."""
    if os.environ.get(FETCHING) == "off":
        raise _NotFetchedError(blobpath)
    return _read(blobpath)


@cache
def _byte_encoding(pattern: str) -> tiktoken.Encoding:
    ranks = {bytes([byte]): byte for byte in range(256)}
    return tiktoken.Encoding("bytes", pat_str=pattern, mergeable_ranks=ranks, special_tokens={})


def matching(pattern: str, text: str) -> str:
    """The parts of a text that a pattern matches, joined, by tiktoken's regex engine.

    A table of single bytes encodes these parts; text between them is dropped.
    """
    return bytes(_byte_encoding(pattern).encode_ordinary(text)).decode()
