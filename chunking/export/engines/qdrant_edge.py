"""Qdrant's engine inside this process, as its package `qdrant-edge-py` has it: a folder with one
shard, and a file of facts about its points."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import qdrant_edge as edge

from chunking.errors import StoreError
from chunking.export.engines.qdrant_payload import payload
from chunking.export.store_address import StoreAddress
from chunking.export.store_facts import facts_from, of_others
from chunking.export.stored_chunks import StoredChunk, Vectors
from chunking.runtime.whole_file import replacing
from chunking.text.hashing import uuid_of

_FACTS, _SHARD = "chunkscope.json", "edge_config.json"
_AT_A_TIME = 500


class EdgeStore:
    """Chunks as points of one shard, with the payload that a server's collection has. One process
    has it open at a time."""

    def __init__(self, address: StoreAddress) -> None:
        address.check_options("table")
        self.shown = address.shown
        self._folder = Path(address.path, address.table)
        self._opened: Any = None

    def facts(self) -> dict[str, str]:
        if not (self._folder / _SHARD).exists():
            return {}
        if not (self._folder / _FACTS).exists():
            raise StoreError(of_others(self.shown))
        return facts_from((self._folder / _FACTS).read_text("utf-8"), self.shown)

    def write_facts(self, facts: Mapping[str, str], dimensions: int) -> None:
        is_new = not (self._folder / _SHARD).exists()
        if is_new and not dimensions:
            return
        self._folder.mkdir(parents=True, exist_ok=True)
        # Before the shard is there: a shard without facts is another program's.
        with replacing(self._folder / _FACTS) as file:
            file.write(json.dumps(dict(facts)).encode())
        if is_new:
            space = edge.EdgeVectorParams(size=dimensions, distance=edge.Distance.Cosine)
            self._opened = edge.EdgeShard.create(str(self._folder), edge.EdgeConfig(vectors={"": space}))

    def upsert(self, chunks: Sequence[StoredChunk], vectors: Vectors) -> None:
        points = [
            edge.Point(uuid_of(each.id), {"": vector.tolist()}, payload(each))
            for each, vector in zip(chunks, vectors, strict=True)
        ]
        self._shard().update(edge.UpdateOperation.upsert_points(points))

    def delete(self, ids: Sequence[str]) -> None:
        self._shard().update(edge.UpdateOperation.delete_points([uuid_of(each) for each in ids]))

    def records(self, ids: Sequence[str]) -> dict[str, str]:
        wanted = [uuid_of(each) for each in ids]
        found = self._shard().retrieve(wanted, with_payload=["chunk_id", "record"], with_vector=False)
        return {point.payload.get("chunk_id", ""): point.payload.get("record", "") for point in found}

    def vectors(self, ids: Sequence[str]) -> dict[str, Vectors]:
        wanted = [uuid_of(each) for each in ids]
        found = self._shard().retrieve(wanted, with_payload=["chunk_id"], with_vector=True)
        return {point.payload.get("chunk_id", ""): np.asarray(point.vector, dtype=np.float32) for point in found}

    def ids_of(self, documents: Sequence[str]) -> list[str]:
        chosen = edge.FieldCondition("document", match=edge.MatchAny(list(documents)))
        return [each.get("chunk_id", "") for each in self._all(["chunk_id"], edge.Filter(must=[chosen]))]

    def texts(self) -> Iterable[tuple[str, str]]:
        return [(each.get("chunk_id", ""), each.get("text", "")) for each in self._all(["chunk_id", "text"])]

    def nearest(self, question: Vectors, top: int) -> list[str]:
        asked = edge.Query.Nearest(question.tolist())
        found = self._shard().query(edge.QueryRequest(limit=top, query=asked, with_payload=["chunk_id"]))
        return [point.payload.get("chunk_id", "") for point in found]

    def count(self) -> int:
        return int(self._shard().count(edge.CountRequest(exact=True)))

    def flush(self) -> None:
        if self._opened is not None:
            self._opened.flush()

    def close(self) -> None:
        if self._opened is not None:
            self._opened.close()

    def _shard(self) -> Any:
        if self._opened is None:
            if not self.facts():
                raise StoreError(f"{self.shown}: no such store; write one with `chunkscope run CONFIG PATH -o`")
            try:
                self._opened = edge.EdgeShard.load(str(self._folder))
            except Exception as error:
                if "WouldBlock" in str(error):
                    raise StoreError(f"{self.shown}: is open in another process; try again when that is done") from None
                raise
        return self._opened

    def _all(self, fields: Sequence[str], where: Any = None) -> Iterator[dict[str, Any]]:
        after: Any = None
        while True:
            wanted = edge.ScrollRequest(offset=after, limit=_AT_A_TIME, filter=where, with_payload=list(fields))
            found, after = self._shard().scroll(wanted)
            yield from (point.payload for point in found)
            if after is None:
                return
