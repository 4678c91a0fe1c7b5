"""Qdrant: a collection of points, whose payload is the one of section-rules.md, "Metadata Schema",
with what a search needs besides."""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache
from typing import Any
from urllib.parse import urlsplit

import numpy as np
from qdrant_client import QdrantClient, models

from chunking.errors import StoreError
from chunking.export.engines.qdrant_payload import payload
from chunking.export.store_address import StoreAddress
from chunking.export.store_facts import ABOUT, facts_from
from chunking.export.stored_chunks import StoredChunk, Vectors
from chunking.text.hashing import uuid_of

KEY = "QDRANT_API_KEY"
MEMORY = ":memory:"
_LOOPBACK = ("localhost", "127.0.0.1", "::1")
_AT_A_TIME = 500
_PATIENCE = 30
"""Seconds that a server may take for one answer."""


class QdrantStore:
    """Chunks as points of one collection, each under the UUID of its id: stored again, it takes its
    own place. The facts are the collection's metadata."""

    def __init__(self, address: StoreAddress) -> None:
        address.check_options("table", "tls")
        self.shown = address.shown
        if address.options.get("tls", "no") not in ("yes", "no"):
            raise StoreError(f"{self.shown}: tls is yes or no")
        self._name = address.table
        self._client = _imitation() if address.place == MEMORY else _client(address)
        self._is_imitation = address.place == MEMORY

    def facts(self) -> dict[str, str]:
        if not self._client.collection_exists(self._name):
            return {}
        metadata = self._client.get_collection(self._name).config.metadata or {}
        return facts_from(metadata.get(ABOUT), self.shown)

    def write_facts(self, facts: Mapping[str, str], dimensions: int) -> None:
        about = {ABOUT: json.dumps(dict(facts))}
        if self._client.collection_exists(self._name):
            self._client.update_collection(self._name, metadata=about)
        elif dimensions:
            space = models.VectorParams(size=dimensions, distance=models.Distance.COSINE)
            self._client.create_collection(self._name, vectors_config=space, metadata=about)
            if not self._is_imitation:  # it would say that it has none
                self._client.create_payload_index(self._name, "document", models.PayloadSchemaType.KEYWORD, wait=True)

    def upsert(self, chunks: Sequence[StoredChunk], vectors: Vectors) -> None:
        points = [
            models.PointStruct(id=uuid_of(each.id), vector=vector.tolist(), payload=payload(each))
            for each, vector in zip(chunks, vectors, strict=True)
        ]
        self._client.upsert(self._name, points, wait=True)

    def delete(self, ids: Sequence[str]) -> None:
        for some in _some(ids):
            wanted: list[Any] = [uuid_of(each) for each in some]
            self._client.delete(self._name, models.PointIdsList(points=wanted), wait=True)

    def records(self, ids: Sequence[str]) -> dict[str, str]:
        found = self._points(ids, with_payload=["chunk_id", "record"])
        return {point.payload.get("chunk_id", ""): point.payload.get("record", "") for point in found}

    def vectors(self, ids: Sequence[str]) -> dict[str, Vectors]:
        found = self._points(ids, with_payload=["chunk_id"], with_vectors=True)
        return {point.payload.get("chunk_id", ""): np.asarray(point.vector, dtype=np.float32) for point in found}

    def ids_of(self, documents: Sequence[str]) -> list[str]:
        return [
            point.payload.get("chunk_id", "")
            for some in _some(documents)
            for point in self._all(["chunk_id"], _in_documents(some))
        ]

    def texts(self) -> Iterable[tuple[str, str]]:
        found = self._all(["chunk_id", "text"])
        return [(point.payload.get("chunk_id", ""), point.payload.get("text", "")) for point in found]

    def nearest(self, question: Vectors, top: int) -> list[str]:
        found = self._client.query_points(self._name, question.tolist(), limit=top, with_payload=["chunk_id"])
        return [(point.payload or {}).get("chunk_id", "") for point in found.points]

    def count(self) -> int:
        return int(self._client.count(self._name, exact=True).count)

    def flush(self) -> None:
        """Each write waits until it is one."""

    def close(self) -> None:
        if not self._is_imitation:
            self._client.close()

    def _points(self, ids: Sequence[str], **wanted: Any) -> list[Any]:
        found: list[Any] = []
        for some in _some(ids):
            found += self._client.retrieve(self._name, [uuid_of(each) for each in some], **wanted)
        return found

    def _all(self, fields: Sequence[str], where: Any = None) -> Iterator[Any]:
        after: Any = None
        while True:
            found, after = self._client.scroll(
                self._name, scroll_filter=where, limit=_AT_A_TIME, offset=after, with_payload=list(fields)
            )
            yield from found
            if after is None:
                return


def _in_documents(names: Sequence[str]) -> Any:
    return models.Filter(must=[models.FieldCondition(key="document", match=models.MatchAny(any=list(names)))])


def _some(values: Sequence[str]) -> Iterator[Sequence[str]]:
    return (values[at : at + _AT_A_TIME] for at in range(0, len(values), _AT_A_TIME))


@cache
def _imitation() -> QdrantClient:
    """The client's own imitation of a server, which ends with this process."""
    return QdrantClient(MEMORY)


def _client(address: StoreAddress) -> QdrantClient:
    if "@" in address.place:
        raise StoreError(f"{address.shown}: no key belongs in the address; set {KEY}")
    place = urlsplit(f"//{address.place}")
    tls, key = address.options.get("tls") == "yes", os.environ.get(KEY)
    if key and not tls and place.hostname not in _LOOPBACK:
        raise StoreError(f"{address.shown}: {KEY} is set, and would be sent without TLS; add ?tls=yes")
    return QdrantClient(
        host=place.hostname,
        port=place.port or 6333,
        https=tls,
        api_key=key,
        timeout=_PATIENCE,
        check_compatibility=False,
    )
