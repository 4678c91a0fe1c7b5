"""Hashes that a store in a file keeps beside what it holds, so that damage is seen when it is read.

They find what a disk or another program changed by accident. Whoever changes a store on purpose can
write them anew: what is read is not trusted any more because of them.
"""

from __future__ import annotations

from collections.abc import Mapping
from hashlib import blake2b

from chunking.export.stored_chunks import StoredChunk, valid

SUM, ROWS = "sum", "chunks"
"""The facts that a finished file has besides those of every store: the hash of all others, and how
many chunks there are."""
_BYTES = 8
"""Of each hash: one in 2**64 accidents is not seen."""
PARTS = ("place", "text", "record", "vector")
"""What each hash of a chunk is of, in the order of its `sums`. The place is number, id, document
and tokens."""

Row = tuple[int, str, str, int, str, str, bytes, bytes]
"""A chunk's columns: number, id, document, tokens, text, record, vector, sums."""


def row_of(number: int, of: StoredChunk, vector: bytes) -> Row:
    """A chunk as a row, with its hashes."""
    text = valid(of.text)
    place = place_hash(number, of.id, of.document, of.tokens)
    sums = b"".join([place, hash_of(text.encode()), hash_of(of.record.encode()), hash_of(vector)])
    return number, of.id, of.document, of.tokens, text, of.record, vector, sums


def place_hash(number: int, id: str, document: str, tokens: int) -> bytes:
    """The hash of a chunk's place among the others."""
    return hash_of("\0".join([str(number), id, document, str(tokens)]).encode())


def hash_of(content: bytes) -> bytes:
    """The hash of what is in one column."""
    return blake2b(content, digest_size=_BYTES).digest()


def is_of(part: str, sums: object, found: bytes) -> bool:
    """Whether the sums of a chunk have this hash for one of PARTS."""
    at = PARTS.index(part) * _BYTES
    return isinstance(sums, bytes) and sums[at : at + _BYTES] == found


def facts_hash(facts: Mapping[str, str]) -> str:
    """The hash of the facts of a file, but for itself, in hex."""
    said = sorted((name, value) for name, value in facts.items() if name != SUM)
    return hash_of("\0".join(part for pair in said for part in pair).encode()).hex()
