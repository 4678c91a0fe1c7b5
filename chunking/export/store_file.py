"""A store's file, read with distrust: whatever was done to it is one line that names it.

It is opened to be read only. Only plain tables are read, no function of its schema is run, and
vectors, records and facts are checked as they come.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Literal, NoReturn, cast

import numpy as np

from chunking.errors import StoreError
from chunking.export.store_sums import ROWS, SUM, facts_hash, hash_of, is_of, place_hash
from chunking.export.stored_chunks import Vectors
from chunking.export.vector_store import FORMAT
from chunking.text.display import shown, shown_text

_MAGIC = b"SQLite format 3\0"
_WAL_VERSION = 2
"""What bytes 18 and 19 of a database in write-ahead mode say."""
_COLUMNS = {
    "meta": ("name", "value"),
    "chunks": ("number", "id", "document", "tokens", "text", "record", "vector", "sums"),
}
"""What is read of each table for a search."""
_KINDS = {
    "number": int,
    "id": str,
    "document": str,
    "tokens": int,
    "text": str,
    "record": str,
    "vector": bytes,
    "sums": bytes,
}
"""The columns of a chunk, with what is in them."""
_FACTS = ("provider", "model", "embedder")
_MOST_FACTS = 100
_LONGEST = 256 * 2**20
"""Bytes of one row; more is not loaded."""
_PATIENCE = 2.0
"""Seconds that a writer is waited for."""
_UNIT_TOLERANCE = 1e-3
"""How far the length of a stored vector may be from 1."""


class OpenStore:
    """A store that is open and is one of ours. Its methods raise StoreError for what is damaged."""

    def __init__(self, database: sqlite3.Connection, store: Path, *, finished: bool = True) -> None:
        self._database = database
        self._store = store
        self._finished = finished
        """Whether it was written to its end, with the hash of its facts."""

    def facts(self) -> dict[str, str]:
        """What the store says of itself, by name."""
        facts = self._facts()
        if (form := facts.get("format", "")) != FORMAT:
            newer = form.startswith(FORMAT.rstrip("1"))
            problem = f"is in the format {shown(form)}, and this version reads {FORMAT!r}" if newer else _NOT_OURS
            _refuse(self._store, problem)
        for name in _FACTS:
            if name not in facts:
                _refuse(self._store, f"does not say its {name}")
        if self._finished and facts.get(SUM) != facts_hash(facts):
            _refuse(self._store, "is damaged: its facts about itself are not as they were written")
        return {name: value for name, value in facts.items() if name not in (SUM, ROWS)}

    def _facts(self) -> dict[str, str]:
        found = self._database.execute("SELECT name, value FROM meta LIMIT ?", (_MOST_FACTS,)).fetchall()
        facts = {name: value for name, value in found if isinstance(name, str) and isinstance(value, str)}
        if len(facts) < len(found):
            _refuse(self._store, "holds facts about itself that are not text")
        return facts

    def column(self, name: Literal["id", "document", "text"]) -> Iterator[tuple[int, str, str]]:
        """The number and the id of every chunk in order, with the text in this column."""
        last, rows = -1, 0
        text = "text" if name == "text" else "''"
        asked = f"SELECT number, id, document, tokens, {text}, sums FROM chunks ORDER BY number"
        for number, id, document, tokens, content, sums in self._database.execute(asked):
            if not isinstance(number, int) or number <= last:  # pages that lead back to themselves never end
                _refuse(self._store, f"a chunk after chunk {last} is out of order")
            if not all(isinstance(each, str) for each in (id, document, content)):
                _refuse(self._store, f"chunk {number} is not text")
            self._check(number, "place", sums, place_hash(number, id, document, tokens))
            if name == "text":
                self._check(number, "text", sums, hash_of(content.encode()))
            yield number, id, {"id": id, "document": document, "text": content}[name]
            last = number
            rows += 1
        if self._finished and (written := self._facts().get(ROWS, "")) != str(rows):
            _refuse(self._store, f"is damaged: it has {rows} chunks, and {shown(written)} were written")

    def _check(self, number: int, part: str, sums: object, found: bytes) -> None:
        """Refuse what has not the hash that it was written with."""
        if not is_of(part, sums, found):
            _refuse(self._store, f"is damaged: the {part} of chunk {number} is not as it was written")

    def rows(self) -> Iterator[tuple[object, ...]]:
        """Every chunk with all its columns, to be written to another store as it is."""
        last = -1
        for row in self._database.execute(f"SELECT {', '.join(_KINDS)} FROM chunks ORDER BY number"):
            if not isinstance(row[0], int) or row[0] <= last:
                _refuse(self._store, f"a chunk after chunk {last} is out of order")
            if any(not isinstance(value, kind) for value, kind in zip(row, _KINDS.values(), strict=True)):
                _refuse(self._store, f"chunk {row[0]} is not as it was written")
            number, id, document, tokens, text, record, vector, sums = row
            self._check(number, "place", sums, place_hash(number, id, document, tokens))
            self._check(number, "text", sums, hash_of(text.encode()))
            self._check(number, "record", sums, hash_of(record.encode()))
            self._check(number, "vector", sums, hash_of(vector))
            yield row
            last = row[0]

    def record(self, number: int) -> str:
        """The record of a chunk, as JSON."""
        found, sums = self._one("record", number, str, "no text")
        record = cast(str, found)
        self._check(number, "record", sums, hash_of(record.encode()))
        return record

    def vector(self, number: int) -> Vectors:
        """The vector of a chunk, as it is: `vectors` checks all of them."""
        found, sums = self._one("vector", number, bytes, "no vector")
        vector = cast(bytes, found)
        if len(vector) % 4:
            _refuse(self._store, f"the vector of chunk {number} is not a list of 32-bit numbers")
        self._check(number, "vector", sums, hash_of(vector))
        return np.frombuffer(vector, dtype=np.float32)

    def _one(self, column: str, number: int, kind: type, missing: str) -> tuple[object, object]:
        """What a chunk has in a column, and its sums."""
        found = self._database.execute(f"SELECT {column}, sums FROM chunks WHERE number = ?", (number,)).fetchone()
        if found is None or not isinstance(found[0], kind):
            _refuse(self._store, f"chunk {number} has {missing} in its column {column}")
        return found[0], found[1]

    def vectors(self, chunks: int) -> Vectors:
        """The vector of every chunk in order, each of length 1 or zero; shape (chunks, d)."""
        rows = self._database.execute("SELECT number, vector, sums FROM chunks ORDER BY number LIMIT ?", (chunks,))
        rows_of_bytes: list[bytes] = []
        for number, vector, sums in rows:
            if not isinstance(vector, bytes) or not vector or len(vector) % 4:
                _refuse(self._store, f"the vector of chunk {number} is not a list of 32-bit numbers")
            if rows_of_bytes and len(vector) != len(rows_of_bytes[0]):
                _refuse(
                    self._store,
                    f"the vector of chunk {number} has {len(vector) // 4} numbers, not {len(rows_of_bytes[0]) // 4}",
                )
            self._check(number, "vector", sums, hash_of(vector))
            rows_of_bytes.append(vector)
        if len(rows_of_bytes) != chunks:
            _refuse(self._store, f"is damaged: it has {len(rows_of_bytes)} vectors for {chunks} chunks")
        vectors = np.frombuffer(b"".join(rows_of_bytes), dtype=np.float32).reshape(len(rows_of_bytes), -1)
        with np.errstate(all="ignore"):  # what is not finite is what is looked for
            lengths = np.linalg.norm(vectors, axis=1)
            wrong = ~((lengths == 0) | (np.abs(lengths - 1) <= _UNIT_TOLERANCE))
        if wrong.any():
            at = int(np.flatnonzero(wrong)[0])
            _refuse(self._store, f"the vector of chunk {at} has the length {lengths[at]:g}, not 1")
        return vectors


@contextmanager
def opened_store(store: Path) -> Iterator[OpenStore]:
    """A store, read only. The path is never created, and nothing is made beside it. Raises
    StoreError."""
    _check_file(store)
    try:
        with closing(_connected(store)) as database:
            _check_tables(database, store)
            yield OpenStore(database, store)
    except (sqlite3.Error, UnicodeDecodeError) as error:  # SQLite's own message may be no UTF-8
        _refuse(store, _problem(error), error)


_NOT_OURS = "not a store of ours"


def _refuse(store: Path, problem: str, cause: Exception | None = None) -> NoReturn:
    way_out = "write one with `chunkscope run CONFIG PATH -o kb.sqlite`"
    raise StoreError(f"{shown_text(str(store), 200)}: {shown_text(problem, 300)}; {way_out}") from cause


def _check_file(store: Path) -> None:
    """Whether it is a file, of SQLite, in the mode that we write."""
    try:
        if store.is_dir():
            _refuse(store, "is a folder, not a store")
        if not store.exists():
            raise StoreError(
                f"{shown_text(str(store), 200)}: no such store; write one with "
                f"`chunkscope run CONFIG PATH -o {shown_text(store.name, 200)}`"
            )
        if not store.is_file():
            _refuse(store, "is not a file")
        with store.open("rb") as file:
            head = file.read(100)
    except (OSError, ValueError) as error:
        _refuse(store, f"cannot be read ({error.strerror if isinstance(error, OSError) else error})", error)
    if not head.startswith(_MAGIC):
        _refuse(store, _NOT_OURS)
    if _WAL_VERSION in head[18:20]:
        # To read it, SQLite would make files beside it.
        _refuse(store, "was changed by another program (it is in write-ahead mode)")


def _connected(store: Path) -> sqlite3.Connection:
    database = sqlite3.connect(f"{store.resolve().as_uri()}?mode=ro", uri=True, timeout=_PATIENCE)
    database.setlimit(sqlite3.SQLITE_LIMIT_LENGTH, _LONGEST)
    database.setlimit(sqlite3.SQLITE_LIMIT_ATTACHED, 0)
    for pragma in ("trusted_schema = OFF", "cell_size_check = ON", "query_only = ON", "mmap_size = 0"):
        database.execute(f"PRAGMA {pragma}")
    return database


def _check_tables(database: sqlite3.Connection, store: Path) -> None:
    """Whether the tables are tables, with columns that hold what they say: a view or a generated
    column would be computed by the store's own words."""
    found = database.execute("SELECT name, type, sql FROM sqlite_master WHERE name IN ('meta', 'chunks')").fetchmany(3)
    kinds = {name: "virtual table" if "VIRTUAL" in str(sql).upper()[:20] else kind for name, kind, sql in found}
    if not kinds:
        _refuse(store, _NOT_OURS)
    for table, columns in _COLUMNS.items():
        if kinds.get(table) != "table":
            _refuse(store, f"has {f'a {kinds[table]} in place of the' if table in kinds else 'no'} table {table}")
        there = {row[1]: row for row in database.execute(f"PRAGMA table_xinfo({table})")}
        for column in columns:
            if column not in there or there[column][6]:
                _refuse(store, f"has no plain column {column} in its table {table}")
    if not there["number"][5]:
        _refuse(store, "does not number its chunks")


_PROBLEMS = {
    sqlite3.SQLITE_BUSY: "is being written by another process; try again when that is done",
    sqlite3.SQLITE_LOCKED: "is being written by another process; try again when that is done",
    sqlite3.SQLITE_NOTADB: _NOT_OURS,
    sqlite3.SQLITE_TOOBIG: f"holds a value of more than {_LONGEST // 2**20} MB",
    sqlite3.SQLITE_CANTOPEN: "cannot be opened",
    sqlite3.SQLITE_IOERR: "cannot be read (input/output error)",
}


def _problem(error: Exception) -> str:
    primary = getattr(error, "sqlite_errorcode", 0) & 0xFF
    return _PROBLEMS.get(primary, f"is damaged ({error})")
