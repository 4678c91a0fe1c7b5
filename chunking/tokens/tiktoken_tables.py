"""Encodings, their tables and their regex engine: the only module that imports tiktoken.

The tables of cl100k_base and o200k_base come with the package (chunking/data, see NOTICE), so that
nothing is fetched; tiktoken's other encodings are fetched by tiktoken itself. Patterns are in
pretokenizer.py, with the proofs about them.
"""

from __future__ import annotations

import base64
import gzip
import os
from functools import cache, cached_property, partial
from hashlib import sha256
from importlib.resources import files

import numpy as np
import numpy.typing as npt
import tiktoken
import tiktoken.load

from chunking.errors import UnknownCounterError
from chunking.tokens.fast_encoding import FastEncoding, fast_encoding

PACKAGED = {
    "cl100k_base": ("cl100k_base", "223921b76ee99bde995b7ff738513eef100fb51d18c93597a113bcffe865b2a7"),
    "o200k_base": ("o200k_base", "446a9538cb6c348e3516120d7c08b09f57c36495e2acfffe59a5bf8b0cfb1a2d"),
    "o200k_harmony": ("o200k_base", "446a9538cb6c348e3516120d7c08b09f57c36495e2acfffe59a5bf8b0cfb1a2d"),
}
"""Encodings whose table is in the package: its file, and the sha256 that tiktoken publishes for the
unpacked table."""

WHITE_SPACE = (
    "\t\n\x0b\x0c\r \x85\xa0\u1680" + "".join(map(chr, range(0x2000, 0x200B))) + "\u2028\u2029\u202f\u205f\u3000"
)
"""What `\\s` is to tiktoken: Unicode's White_Space. `str.isspace` also takes \\x1c to \\x1f."""


class Encoding:
    """A table and a pattern. The text of a special token is encoded as ordinary text (DECISIONS
    all-12)."""

    def __init__(self, encoding: tiktoken.Encoding, table_hash: str, fast: FastEncoding | None = None) -> None:
        self._encoding = encoding
        self._fast = fast
        self.pattern = encoding._pat_str
        self.table_hash = table_hash
        """sha256 of the table in tiktoken's file format: the one it publishes and checks downloads
        by."""

    def count(self, text: str) -> int:
        """Tokens of a text without lone surrogates."""
        return len(self.ids(text)) if self._fast else len(self._encoding.encode_ordinary(text))

    def ids(self, text: str) -> npt.NDArray[np.uint32]:
        """encode_ordinary as an array, by the fast encoder where that is sure to give the same."""
        found = self._fast.ids(text) if self._fast else None
        return _ids(self._encoding, text) if found is None else found

    def blank_ids(self, piece: str) -> npt.NDArray[np.uint32]:
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
        ranks = {token: rank for token, rank in self._encoding._mergeable_ranks.items() if possible.issuperset(token)}
        special = {"<|endoftext|>": self._encoding.max_token_value + 1}  # as in packaged_encoding
        return tiktoken.Encoding("blanks", pat_str="(?s).+", mergeable_ranks=ranks, special_tokens=special)

    def token_lengths(self) -> npt.NDArray[np.uint8]:
        """Length in bytes of each token, by its id."""
        return self._by_id(np.fromiter(map(len, self._encoding._mergeable_ranks), dtype=np.uint8))

    def token_characters(self) -> tuple[npt.NDArray[np.uint8], npt.NDArray[np.uint8]]:
        """Of each token, by its id: how many characters have their first byte in it, and 1 where it
        begins within a character, else 0."""
        tokens = [*self._encoding._mergeable_ranks]
        joined = np.frombuffer(b"".join(tokens), dtype=np.uint8)
        first_bytes = np.concatenate(([0], np.cumsum((joined & 0xC0) != 0x80)))
        ends = np.cumsum(np.fromiter(map(len, tokens), dtype=np.int64, count=len(tokens)))
        starts = np.concatenate(([0], ends[:-1]))
        characters = (first_bytes[ends] - first_bytes[starts]).astype(np.uint8)
        return self._by_id(characters), self._by_id(((joined[starts] & 0xC0) == 0x80).astype(np.uint8))

    def _by_id(self, of_each: npt.NDArray[np.uint8]) -> npt.NDArray[np.uint8]:
        """Numbers of the tokens, given in the table's order, by the tokens' ids; 0 where an id is
        none's."""
        ranks = self._encoding._mergeable_ranks
        found = np.zeros(self._encoding.max_token_value + 1, dtype=np.uint8)
        found[np.fromiter(ranks.values(), dtype=np.int64, count=len(ranks))] = of_each
        return found


def _ids(encoding: tiktoken.Encoding, text: str) -> npt.NDArray[np.uint32]:
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
    ranks = {base64.b64decode(token): int(rank) for token, rank in map(bytes.split, table.splitlines())}
    # Never used, but required: without any, `ids` looks for an empty string at every character.
    special = {"<|endoftext|>": max(ranks.values()) + 1}
    encoding = tiktoken.Encoding(name, pat_str=pattern, mergeable_ranks=ranks, special_tokens=special)
    return Encoding(encoding, f"sha256:{expected}", fast_encoding(file, ranks, partial(_ids, encoding)))


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
    return Encoding(encoding, f"sha256:{digest.hexdigest()}")


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
