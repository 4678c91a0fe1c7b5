"""Which store an address is of: ours by the table here, others by the packages that bring them.

A package registers one by the entry point `chunkscope.stores`: the scheme of its addresses, and a
function from a `StoreAddress` to a `Store` (vector_store.py). An engine is imported when an address
names it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import cache
from importlib import import_module
from pathlib import Path
from typing import TypeVar, cast

from chunking.errors import ChunkscopeError, StoreError
from chunking.export.store_address import StoreAddress, is_address, store_address
from chunking.export.store_facts import of_others
from chunking.export.stored_chunks import StoredChunk, Vectors
from chunking.export.vector_store import Store
from chunking.runtime.extras import missing
from chunking.text.display import shown_text
from chunking.text.suggest import did_you_mean

Answer = TypeVar("Answer")
Opener = Callable[[StoreAddress], Store]

OURS = {
    "chroma": ("chroma", "chunking.export.engines.chroma:ChromaStore"),
    "lancedb": ("lancedb", "chunking.export.engines.lance:LanceStore"),
    "postgresql": ("pgvector", "chunking.export.engines.postgres:PostgresStore"),
    "qdrant": ("qdrant", "chunking.export.engines.qdrant:QdrantStore"),
    "qdrant-edge": ("qdrant-edge", "chunking.export.engines.qdrant_edge:EdgeStore"),
}
"""Scheme -> the extra that it needs, and the class, as an entry point names it."""


@cache
def others() -> Mapping[str, Callable[[], Opener]]:
    """What loads the stores of other packages, by scheme."""
    from importlib.metadata import entry_points  # 20 ms, which only whoever names a store waits for

    return {entry.name.lower(): entry.load for entry in entry_points(group="chunkscope.stores")}


def schemes() -> tuple[str, ...]:
    """Every scheme that an address may have, ours first."""
    return (*OURS, *(name for name in others() if name not in OURS))


def _opener(address: StoreAddress) -> Opener:
    if address.scheme in OURS:
        extra, named = OURS[address.scheme]
        if absent := missing(extra):
            raise StoreError(f"{address.shown}: {absent}, or write a file with -o kb.sqlite")
        module, _, name = named.partition(":")
        return cast(Opener, getattr(import_module(module), name))
    if address.scheme not in others():
        raise StoreError(
            f"{address.shown}: there is no store {shown_text(address.scheme, 40)}://; "
            f"{did_you_mean(address.scheme, [*schemes(), 'FILE.sqlite'])}"
        )
    return others()[address.scheme]()


@contextmanager
def opened(where: str) -> Iterator[Store]:
    """The store at an address, or in a SQLite file. Raises StoreError, one line, for whatever goes
    wrong in it, without the secrets of its address."""
    if not is_address(where):
        from chunking.export.sqlite_store import SqliteStore

        with _closing(SqliteStore(Path(where))) as file:
            yield file
        return
    address = store_address(where)
    with _closing(_Checked(address)) as store:
        yield store


@contextmanager
def _closing(store: Store) -> Iterator[Store]:
    try:
        yield store
    finally:
        store.close()


class _Checked:
    """A store whose every error is one line that names its address and keeps its secrets."""

    def __init__(self, address: StoreAddress) -> None:
        self._address = address
        self.shown = address.shown
        self._store = self._said("be opened", lambda: _opener(address)(address))

    def _said(self, what: str, work: Callable[[], Answer]) -> Answer:
        try:
            return work()
        except (ChunkscopeError, KeyboardInterrupt, SystemExit, GeneratorExit):
            raise
        except BaseException as error:  # a panic in Rust is no Exception
            first = next(iter(str(error).strip().splitlines()), "") or type(error).__name__
            said = shown_text(self._address.scrubbed(first), 300)
        # Outside of the handler: what the engine raised may have secrets in it, and is not chained.
        raise StoreError(f"{self.shown}: cannot {what} ({said}); check that it is there, and that it is yours")

    def _refuse_others(self, ids: Iterable[object], texts: Iterable[object] = ()) -> None:
        """Raises StoreError for what another program put among our chunks: it has no id or no text
        of ours."""
        if all(isinstance(each, str) and each for each in ids) and all(isinstance(each, str) for each in texts):
            return
        raise StoreError(of_others(self.shown))

    def facts(self) -> dict[str, str]:
        return self._said("be read", self._store.facts)

    def write_facts(self, facts: Mapping[str, str], dimensions: int) -> None:
        self._said("be written", lambda: self._store.write_facts(facts, dimensions))

    def upsert(self, chunks: Sequence[StoredChunk], vectors: Vectors) -> None:
        self._said("be written", lambda: self._store.upsert(chunks, vectors))

    def delete(self, ids: Sequence[str]) -> None:
        self._said("be written", lambda: self._store.delete(ids))

    def records(self, ids: Sequence[str]) -> dict[str, str]:
        found = self._said("be read", lambda: self._store.records(ids))
        self._refuse_others((*found, *found.values()))
        return found

    def vectors(self, ids: Sequence[str]) -> dict[str, Vectors]:
        return self._said("be read", lambda: self._store.vectors(ids))

    def ids_of(self, documents: Sequence[str]) -> list[str]:
        found = self._said("be read", lambda: self._store.ids_of(documents))
        self._refuse_others(found)
        return found

    def texts(self) -> Iterable[tuple[str, str]]:
        found = self._said("be read", lambda: list(self._store.texts()))
        self._refuse_others((each for each, _ in found), (text for _, text in found))
        return found

    def nearest(self, question: Vectors, top: int) -> list[str]:
        found = self._said("be searched", lambda: self._store.nearest(question, top))
        self._refuse_others(found)
        return found

    def count(self) -> int:
        return self._said("be read", self._store.count)

    def flush(self) -> None:
        self._said("be written", self._store.flush)

    def close(self) -> None:
        self._said("be closed", self._store.close)
