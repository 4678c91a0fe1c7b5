"""LanceDB, embedded: a folder with a table of chunks, and a table of facts about them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import lancedb
import numpy as np
import pyarrow as pa  # type: ignore[import-untyped]

from chunking.errors import StoreError
from chunking.export.engines.folder_lock import FolderLock
from chunking.export.store_address import StoreAddress
from chunking.export.store_facts import of_others
from chunking.export.stored_chunks import StoredChunk, Vectors, valid

_AT_A_TIME = 500
"""Ids or names in one filter."""


class LanceStore:
    """Chunks in one table of a folder. Each batch is a version of the table: a reader sees all of
    it or nothing."""

    def __init__(self, address: StoreAddress) -> None:
        address.check_options("table")
        self.shown = address.shown
        self._folder = address.path
        self._lock = FolderLock(Path(self._folder), self.shown)
        self._name, self._about = address.table, f"{address.table}_about"
        self._tables: dict[str, Any] = {}

    def facts(self) -> dict[str, str]:
        if self._table(self._name) is None:
            return {}
        if (about := self._table(self._about)) is None:
            raise StoreError(of_others(self.shown))
        return {row["name"]: row["value"] for row in about.to_arrow().to_pylist()}

    def write_facts(self, facts: Mapping[str, str], dimensions: int) -> None:
        if self._table(self._name) is None and not dimensions:
            return
        self._lock.take()
        database = lancedb.connect(self._folder)
        columns = {"name": list(facts), "value": list(facts.values())}
        mode = "create" if self._table(self._about) is None else "overwrite"
        # Before the chunks are there: a table of chunks without facts is another program's.
        self._tables[self._about] = database.create_table(self._about, pa.table(columns), mode=mode)
        if self._table(self._name) is None:
            self._tables[self._name] = database.create_table(self._name, schema=_schema(dimensions))

    def upsert(self, chunks: Sequence[StoredChunk], vectors: Vectors) -> None:
        columns = {
            "id": [each.id for each in chunks],
            "document": [each.document for each in chunks],
            "tokens": [each.tokens for each in chunks],
            "text": [valid(each.text) for each in chunks],
            "record": [each.record for each in chunks],
            "vector": list(vectors),
        }
        self._lock.take()
        rows = pa.table(columns, schema=_schema(vectors.shape[1]))
        self._chunks().merge_insert("id").when_matched_update_all().when_not_matched_insert_all().execute(rows)

    def delete(self, ids: Sequence[str]) -> None:
        self._lock.take()
        for some in _any_of("id", ids):
            self._chunks().delete(some)

    def records(self, ids: Sequence[str]) -> dict[str, str]:
        return {row["id"]: row["record"] for some in _any_of("id", ids) for row in self._rows(some, "record")}

    def vectors(self, ids: Sequence[str]) -> dict[str, Vectors]:
        return {
            row["id"]: np.asarray(row["vector"], dtype=np.float32)
            for some in _any_of("id", ids)
            for row in self._rows(some, "vector")
        }

    def ids_of(self, documents: Sequence[str]) -> list[str]:
        return [row["id"] for some in _any_of("document", documents) for row in self._rows(some)]

    def texts(self) -> Iterable[tuple[str, str]]:
        return [(row["id"], row["text"]) for row in self._rows("", "text")]

    def nearest(self, question: Vectors, top: int) -> list[str]:
        asked = self._chunks().search(question, vector_column_name="vector").distance_type("cosine")
        return [row["id"] for row in asked.select(["id", "_distance"]).limit(top).to_arrow().to_pylist()]

    def count(self) -> int:
        return int(self._chunks().count_rows())

    def flush(self) -> None:
        """Each write is one."""

    def close(self) -> None:
        self._tables.clear()
        self._lock.release()

    def _rows(self, where: str, *columns: str) -> list[dict[str, Any]]:
        asked = self._chunks().search().select(["id", *columns])
        found = (asked.where(where) if where else asked).to_arrow()
        return list(found.to_pylist())

    def _chunks(self) -> Any:
        if (table := self._table(self._name)) is None:
            raise StoreError(
                f"{self.shown}: no such store; write one with `chunkscope run CONFIG PATH -o {self.shown}`"
            )
        return table

    def _table(self, name: str) -> Any:
        """A table of the folder; None where it has none of this name."""
        if name not in self._tables:
            if not Path(self._folder, f"{name}.lance").exists():
                return None  # asked, LanceDB would make the folder
            self._tables[name] = lancedb.connect(self._folder).open_table(name)
        return self._tables[name]


def _schema(dimensions: int) -> Any:
    fields = [
        *((name, pa.string()) for name in ("id", "document")),
        ("tokens", pa.int64()),
        *((name, pa.string()) for name in ("text", "record")),
        ("vector", pa.list_(pa.float32(), dimensions)),
    ]
    return pa.schema(fields)


def _any_of(column: str, values: Sequence[str]) -> Iterator[str]:
    """Filters in SQL for the rows that have one of these values, some at a time."""
    for at in range(0, len(values), _AT_A_TIME):
        quoted = ", ".join("'" + each.replace("'", "''") + "'" for each in values[at : at + _AT_A_TIME])
        yield f"{column} IN ({quoted})"
