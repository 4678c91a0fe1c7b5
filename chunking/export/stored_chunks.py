"""A chunk as every store keeps it, and what its text and its vector are made into for that."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from chunking.core.records import Record, json_line

Vectors = npt.NDArray[np.float32]


@dataclass(frozen=True, slots=True)
class StoredChunk:
    """A chunk as a row of a store, without its vector."""

    id: str
    document: str
    tokens: int
    text: str
    """As it is; `valid` makes it what a store can hold."""
    record: str
    """The record as JSON."""
    first_line: int
    last_line: int


def rows_of(records: Iterable[Record]) -> list[StoredChunk]:
    """The chunks among some records, as rows."""
    return [
        StoredChunk(
            *(each["id"], valid(each["document"]), each["tokens"], each["text"], json_line(each)),
            *(each["start_line"], each["end_line"]),
        )
        for each in records
        if each["type"] == "chunk"
    ]


def valid(text: str) -> str:
    """The text with lone surrogates, which no UTF-8 holds, as visible escapes. The record keeps
    them as they are."""
    return text.encode("utf-8", "backslashreplace").decode("utf-8")


def unit(vectors: Vectors) -> Vectors:
    """The vectors scaled to length 1, so that their products are cosines; a zero vector stays."""
    lengths = np.linalg.norm(vectors, axis=1, keepdims=True)
    unit: Vectors = (vectors / np.where(lengths == 0, 1, lengths)).astype(np.float32)
    return unit
