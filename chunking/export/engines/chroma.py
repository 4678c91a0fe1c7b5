"""Chroma, embedded: a folder with a collection, whose metadata are the facts."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import chromadb
import numpy as np
from chromadb.config import Settings

from chunking.errors import StoreError
from chunking.export.engines.folder_lock import FolderLock
from chunking.export.store_address import StoreAddress
from chunking.export.store_facts import ABOUT, facts_from
from chunking.export.stored_chunks import StoredChunk, Vectors, valid

_AT_A_TIME = 500


class ChromaStore:
    """Chunks in one collection of a folder. Nothing is embedded by Chroma, and nothing is told to
    its makers."""

    def __init__(self, address: StoreAddress) -> None:
        address.check_options("table")
        self.shown = address.shown
        self._folder, self._name = Path(address.path), address.table
        self._lock = FolderLock(self._folder, self.shown)
        self._client: Any = None
        self._collection: Any = None
        if (self._folder / "chroma.sqlite3").exists():
            self._open()

    def facts(self) -> dict[str, str]:
        if self._collection is None:
            return {}
        return facts_from((self._collection.metadata or {}).get(ABOUT), self.shown)

    def write_facts(self, facts: Mapping[str, str], dimensions: int) -> None:
        if self._collection is None and not dimensions:
            return
        self._lock.take()
        about = {ABOUT: json.dumps(dict(facts))}
        if self._collection is not None:
            self._collection.modify(metadata=about)
        else:
            if self._client is None:
                self._open()
            self._collection = self._client.create_collection(
                self._name, metadata=about, configuration={"hnsw": {"space": "cosine"}}, embedding_function=None
            )

    def upsert(self, chunks: Sequence[StoredChunk], vectors: Vectors) -> None:
        self._lock.take()
        held = self.vectors([each.id for each in chunks])
        pairs = [*zip(chunks, vectors, strict=True)]
        # To store a vector again is slow: its place in Chroma's index is looked for anew. The text
        # decides the id, and is the same.
        same = [each for each, vector in pairs if each.id in held and np.array_equal(held[each.id], vector)]
        for at in range(0, len(same), _AT_A_TIME):
            some = same[at : at + _AT_A_TIME]
            self._chunks().update(ids=[each.id for each in some], metadatas=[_metadata(each) for each in some])
        kept = {each.id for each in same}
        others = [pair for pair in pairs if pair[0].id not in kept]
        for at in range(0, len(others), _AT_A_TIME):
            written = others[at : at + _AT_A_TIME]
            self._chunks().upsert(
                ids=[each.id for each, _ in written],
                documents=[valid(each.text) for each, _ in written],
                metadatas=[_metadata(each) for each, _ in written],
                embeddings=[vector for _, vector in written],
            )

    def delete(self, ids: Sequence[str]) -> None:
        self._lock.take()
        for some in _some(ids):
            self._chunks().delete(ids=some)

    def records(self, ids: Sequence[str]) -> dict[str, str]:
        return {id: (each or {}).get("record", "") for id, each in self._got(ids, "metadatas")}

    def vectors(self, ids: Sequence[str]) -> dict[str, Vectors]:
        return {id: np.asarray(each, dtype=np.float32) for id, each in self._got(ids, "embeddings")}

    def ids_of(self, documents: Sequence[str]) -> list[str]:
        return [
            each
            for some in _some(documents)
            for each in self._chunks().get(where={"document": {"$in": some}}, include=[])["ids"]
        ]

    def texts(self) -> Iterable[tuple[str, str]]:
        found = self._chunks().get(include=["documents", "metadatas"])
        rows = zip(found["ids"], found["documents"], found["metadatas"], strict=True)
        return [(id if "record" in (each or {}) else "", text) for id, text, each in rows]

    def nearest(self, question: Vectors, top: int) -> list[str]:
        most = min(top, self.count())
        if not most:
            return []
        return list(self._chunks().query(query_embeddings=[question], n_results=most, include=[])["ids"][0])

    def count(self) -> int:
        return int(self._chunks().count())

    def flush(self) -> None:
        """Each write is one."""

    def close(self) -> None:
        if self._client is not None:
            self._client.close()
        self._lock.release()

    def _open(self) -> None:
        settings = Settings(anonymized_telemetry=False)
        self._client = chromadb.PersistentClient(path=str(self._folder), settings=settings)
        if self._name in [each.name for each in self._client.list_collections()]:
            self._collection = self._client.get_collection(self._name, embedding_function=None)

    def _chunks(self) -> Any:
        if self._collection is None:
            raise StoreError(
                f"{self.shown}: no such store; write one with `chunkscope run CONFIG PATH -o {self.shown}`"
            )
        return self._collection

    def _got(self, ids: Sequence[str], what: str) -> Iterator[tuple[str, Any]]:
        for some in _some(ids):
            found = self._chunks().get(ids=some, include=[what])
            yield from zip(found["ids"], found[what], strict=True)


def _metadata(of: StoredChunk) -> dict[str, Any]:
    return {"document": of.document, "tokens": of.tokens, "record": of.record}


def _some(values: Sequence[str]) -> Iterator[list[str]]:
    return (list(values[at : at + _AT_A_TIME]) for at in range(0, len(values), _AT_A_TIME))
