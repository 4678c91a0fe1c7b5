"""A store as another package brings it: this file and one entry point (CONTRIBUTING.md, "A
store")."""

from __future__ import annotations

import shelve
from collections.abc import Iterable, Mapping, Sequence
from contextlib import closing
from pathlib import Path
from typing import Any

from chunking.export.store_address import StoreAddress
from chunking.export.stored_chunks import StoredChunk, Vectors

ABOUT = "facts about all"


class Shelf:
    """Chunks in a shelf of Python's own: `-o shelf://kb`."""

    def __init__(self, address: StoreAddress) -> None:
        self.shown = address.shown
        self._file = address.path
        self._rows: dict[str, Any] = {}
        if list(Path().glob(f"{self._file}*")):
            with closing(shelve.open(self._file, "r")) as shelf:
                self._rows = dict(shelf)

    def facts(self) -> dict[str, str]:
        return dict(self._rows.get(ABOUT, {}))

    def write_facts(self, facts: Mapping[str, str], dimensions: int) -> None:
        del dimensions  # a shelf takes vectors of any length
        self._rows[ABOUT] = dict(facts)

    def upsert(self, chunks: Sequence[StoredChunk], vectors: Vectors) -> None:
        self._rows |= {each.id: (each, vector) for each, vector in zip(chunks, vectors, strict=True)}
        self.flush()

    def delete(self, ids: Sequence[str]) -> None:
        self._rows = {id: row for id, row in self._rows.items() if id not in ids}

    def records(self, ids: Sequence[str]) -> dict[str, str]:
        return {id: self._rows[id][0].record for id in ids if id in self._rows}

    def vectors(self, ids: Sequence[str]) -> dict[str, Vectors]:
        return {id: self._rows[id][1] for id in ids if id in self._rows}

    def ids_of(self, documents: Sequence[str]) -> list[str]:
        return [each.id for each, _ in self._chunks() if each.document in documents]

    def texts(self) -> Iterable[tuple[str, str]]:
        return [(each.id, each.text) for each, _ in self._chunks()]

    def nearest(self, question: Vectors, top: int) -> list[str]:
        by_cosine = sorted(self._chunks(), key=lambda row: float(row[1] @ question), reverse=True)
        return [each.id for each, _ in by_cosine[:top]]

    def count(self) -> int:
        return len(self._chunks())

    def flush(self) -> None:
        with closing(shelve.open(self._file, "n")) as shelf:
            shelf.update(self._rows)

    def close(self) -> None:
        """Nothing is open."""

    def _chunks(self) -> list[tuple[StoredChunk, Vectors]]:
        return [row for id, row in self._rows.items() if id != ABOUT]
