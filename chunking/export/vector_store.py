"""What a store of chunks with vectors is: one protocol, which SQLite, vector databases and other
packages' stores follow."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Protocol

from chunking.export.stored_chunks import StoredChunk, Vectors

FORMAT = "chunkscope store 1"
"""What a store says of itself as `format`."""
UNFINISHED = "unfinished"
"""The fact that a store has from the first chunk of a write to its last."""


class Store(Protocol):
    """Chunks with their vectors, each known by its id, and facts about all of them.

    A method may raise whatever its engine raises: `opened` makes one line of it. Vectors have the
    length 1, or are zero. Nothing is made before `write_facts`.
    """

    @property
    def shown(self) -> str:
        """Its address for people: no password is in it."""

    def facts(self) -> dict[str, str]:
        """What it says of itself, by name; empty for a store that is not there yet."""

    def write_facts(self, facts: Mapping[str, str], dimensions: int) -> None:
        """Put these in the place of its facts. A store that is not there is made, for vectors of so
        many numbers; with 0, as no chunk came, it need not be."""

    def upsert(self, chunks: Sequence[StoredChunk], vectors: Vectors) -> None:
        """Store the chunks, each in the place of what it holds under that id."""

    def delete(self, ids: Sequence[str]) -> None:
        """Remove these chunks; an id that it does not hold is passed over."""

    def records(self, ids: Sequence[str]) -> dict[str, str]:
        """The records, as JSON, of those of these chunks that it holds, by id."""

    def vectors(self, ids: Sequence[str]) -> dict[str, Vectors]:
        """The vectors of those of these chunks that it holds, by id."""

    def ids_of(self, documents: Sequence[str]) -> list[str]:
        """The ids of all chunks of these documents."""

    def texts(self) -> Iterable[tuple[str, str]]:
        """The id and the text of every chunk."""

    def nearest(self, question: Vectors, top: int) -> list[str]:
        """The ids of the chunks whose vectors have the greatest cosine with this one, best
        first."""

    def count(self) -> int:
        """How many chunks it holds."""

    def flush(self) -> None:
        """Make what was written last. What was not flushed may be there or not."""

    def close(self) -> None:
        """Leave it; called once, whatever happened before."""
