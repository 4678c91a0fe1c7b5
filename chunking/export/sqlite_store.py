"""The store in one SQLite file: written whole by `run -o kb.sqlite`, changed by `plan --apply`,
read by `search`.

The spec's pipeline in one file: load, chunk, embed, store, search (semantic-contextual.md, "Full
Pipeline").
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack, closing, contextmanager
from itertools import groupby
from operator import attrgetter
from pathlib import Path

import numpy as np

from chunking.config.config import Config
from chunking.errors import StoreError
from chunking.export.store_file import OpenStore, opened_store
from chunking.export.store_filling import Stored, fill
from chunking.export.store_sums import ROWS, SUM, Row, facts_hash, row_of
from chunking.export.stored_chunks import StoredChunk, Vectors
from chunking.runtime.whole_file import replacing
from chunking.text.display import shown_text

_TABLES = """
CREATE TABLE meta (name TEXT PRIMARY KEY, value TEXT NOT NULL);
CREATE TABLE chunks (
    number INTEGER PRIMARY KEY, id TEXT NOT NULL, document TEXT NOT NULL, tokens INTEGER NOT NULL,
    text TEXT NOT NULL, record TEXT NOT NULL, vector BLOB NOT NULL, sums BLOB NOT NULL
);
"""
# Made when all rows are there: ids come in no order, and each would change another page.
_INDEX = "CREATE INDEX chunks_by_id ON chunks (id)"
_PRAGMAS = ("journal_mode = OFF", "synchronous = OFF", "locking_mode = EXCLUSIVE", "temp_store = FILE")
"""For a file that nobody else has yet, and that counts only once it is whole."""
_INSERT = "INSERT INTO chunks VALUES (?, ?, ?, ?, ?, ?, ?, ?)"


def write_store(chunks: Iterable[StoredChunk], place: Path, config: Config, folder: Path | None = None) -> Stored:
    """Embed the chunks and write them to `place`, an empty file or none, as one SQLite database.

    Each batch is in the file before the next one is embedded, and nothing of it is kept in memory.
    `folder` is where the store will be, if not the current one: its YAML names a tokenizer.json
    relative to it. Raises ModelError; what is at `place` then is no store.
    """
    by_document = ((name, list(some)) for name, some in groupby(chunks, key=attrgetter("document")))
    with closing(_NewFile(place)) as store:
        return fill(store, by_document, config, folder)


def _empty(place: Path) -> sqlite3.Connection:
    """A new database with the tables of a store."""
    database = sqlite3.connect(place)
    try:
        for pragma in _PRAGMAS:
            database.execute(f"PRAGMA {pragma}")
        database.executescript(_TABLES)
    except BaseException:
        database.close()
        raise
    return database


def _put_facts(database: sqlite3.Connection, facts: Mapping[str, str]) -> None:
    database.execute("DELETE FROM meta")
    database.executemany("INSERT INTO meta VALUES (?, ?)", facts.items())


def _seal(database: sqlite3.Connection) -> None:
    """Write how many chunks there are, and the hash of all facts: the last of a finished file."""
    facts = dict(database.execute("SELECT name, value FROM meta"))
    facts[ROWS] = str(database.execute("SELECT count(*) FROM chunks").fetchone()[0])
    _put_facts(database, {**facts, SUM: facts_hash(facts)})


def _row(number: int, of: StoredChunk, vector: Vectors) -> Row:
    return row_of(number, of, vector.tobytes())


class _NotFlushed(Exception):  # noqa: N818  # not an error
    """Ends a file that does not take its place."""


class SqliteStore:
    """A store in a file. A change is made in a new file beside it, which takes its place when it is
    flushed: whatever happens before, the file is as it was."""

    def __init__(self, place: Path) -> None:
        self._place = place
        self.shown = shown_text(str(place), 200)
        self._changed: sqlite3.Connection | None = None
        self._until_flushed = ExitStack()
        self._numbers: dict[str, int] | None = None

    def facts(self) -> dict[str, str]:
        if self._changed is None and not self._place.exists():
            return {}
        with self._read() as opened:
            return opened.facts()

    def write_facts(self, facts: Mapping[str, str], dimensions: int) -> None:  # noqa: ARG002  # each vector has its own
        with self._change() as database:
            _put_facts(database, facts)

    def upsert(self, chunks: Sequence[StoredChunk], vectors: Vectors) -> None:
        known = self._known()
        free = max(known.values(), default=-1) + 1
        with self._change() as database:
            for each, vector in zip(chunks, vectors, strict=True):
                number = known.setdefault(each.id, free)
                free += number == free
                database.execute(f"INSERT OR REPLACE{_INSERT.removeprefix('INSERT')}", _row(number, each, vector))

    def delete(self, ids: Sequence[str]) -> None:
        known = self._known()
        numbers = [(known.pop(each),) for each in ids if each in known]
        with self._change() as database:
            database.executemany("DELETE FROM chunks WHERE number = ?", numbers)

    def records(self, ids: Sequence[str]) -> dict[str, str]:
        known = self._known()
        with self._read() as opened:
            return {each: opened.record(known[each]) for each in ids if each in known}

    def vectors(self, ids: Sequence[str]) -> dict[str, Vectors]:
        known = self._known()
        with self._read() as opened:
            return {each: opened.vector(known[each]) for each in ids if each in known}

    def ids_of(self, documents: Sequence[str]) -> list[str]:
        wanted = set(documents)
        with self._read() as opened:
            return [each for _, each, document in opened.column("document") if document in wanted]

    def texts(self) -> Iterable[tuple[str, str]]:
        with self._read() as opened:
            return [(each, text) for _, each, text in opened.column("text")]

    def nearest(self, question: Vectors, top: int) -> list[str]:
        with self._read() as opened:
            ids = [each for _, each, _ in opened.column("text")]
            if not ids:
                return []
            vectors = opened.vectors(len(ids))
        if vectors.shape[1] != len(question):
            raise StoreError(
                f"{self.shown}: holds vectors of {vectors.shape[1]} numbers, and the question's has "
                f"{len(question)}; write it again"
            )
        order = np.argsort(-(vectors @ question), kind="stable")
        return [ids[at] for at in order[:top].tolist()]

    def count(self) -> int:
        return len(self._known())

    def flush(self) -> None:
        if self._changed is None:
            return
        with self._change() as database:
            database.execute(_INDEX)
            _seal(database)
            database.commit()
            database.close()
            self._changed = None
            self._until_flushed.close()

    def close(self) -> None:
        if self._changed is not None:
            self._changed.close()
            self._changed = None
        self._until_flushed.__exit__(_NotFlushed, _NotFlushed(), None)

    def _known(self) -> dict[str, int]:
        """The number of every chunk by its id, in the order of the numbers."""
        if self._numbers is None:
            if self._changed is None and not self._place.exists():
                return {}
            with self._read() as opened:
                self._numbers = {each: number for number, each, _ in opened.column("id")}
        return self._numbers

    @contextmanager
    def _read(self) -> Iterator[OpenStore]:
        if self._changed is not None:
            yield OpenStore(self._changed, self._place, finished=False)
        else:
            with opened_store(self._place) as opened:
                yield opened

    @contextmanager
    def _change(self) -> Iterator[sqlite3.Connection]:
        """The new file: what the store holds is read with distrust, and written there as we write
        it. So nothing of another program's schema is in it, or is run."""
        try:
            if self._changed is None:
                new = self._until_flushed.enter_context(replacing(self._place.resolve()))
                self._changed = _empty(Path(new.name))
                if self._place.exists():
                    with opened_store(self._place) as opened:
                        _put_facts(self._changed, opened.facts())
                        self._changed.executemany(_INSERT, opened.rows())
            yield self._changed
        except (sqlite3.Error, OSError) as error:
            raise StoreError(f"{self.shown}: cannot be written ({error}); it is as it was before") from error


class _NewFile(SqliteStore):
    """A store that is written for the first time, where it is: rows as they come, of which nothing
    is kept in memory. Errors of SQLite are for who opened the file."""

    def __init__(self, place: Path) -> None:
        super().__init__(place)
        self._rows = 0

    def facts(self) -> dict[str, str]:
        return {}

    def upsert(self, chunks: Sequence[StoredChunk], vectors: Vectors) -> None:
        with self._change() as database:
            numbers = range(self._rows, self._rows + len(chunks))
            database.executemany(_INSERT, map(_row, numbers, chunks, vectors))
            database.commit()
        self._rows += len(chunks)

    @contextmanager
    def _change(self) -> Iterator[sqlite3.Connection]:
        self._changed = self._changed or _empty(self._place)
        yield self._changed
