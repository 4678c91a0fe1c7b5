"""PostgreSQL with pgvector: a table of chunks, and a table of facts about them, in one database."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, LiteralString

import numpy as np
import psycopg
from pgvector.psycopg import register_vector
from psycopg import sql

from chunking.errors import StoreError
from chunking.export.store_address import StoreAddress
from chunking.export.store_facts import of_others
from chunking.export.stored_chunks import StoredChunk, Vectors, valid
from chunking.text.hashing import uuid_of

_PATIENCE = 10
"""Seconds that a server is waited for, where the address does not say."""


class PostgresStore:
    """Chunks in one table of a database. Each batch is one transaction. What libpq reads from the
    environment (PGPASSWORD, a password file) holds here too."""

    def __init__(self, address: StoreAddress) -> None:
        self.shown = address.shown
        _check_user(address)
        self._chunks, self._about = sql.Identifier(address.table), sql.Identifier(f"{address.table}_about")
        self._names = address.table, f"{address.table}_about"
        patience = {} if "connect_timeout" in address.options else {"connect_timeout": _PATIENCE}
        self._database = psycopg.connect(address.without_options("table"), autocommit=True, **patience)
        self._registered = False

    def facts(self) -> dict[str, str]:
        there = [self._is_there(name) for name in self._names]
        if not any(there):
            return {}
        if not all(there):
            raise StoreError(of_others(self.shown))
        return dict(self._rows("SELECT name, value FROM {about}"))

    def write_facts(self, facts: Mapping[str, str], dimensions: int) -> None:
        with self._database.transaction():
            if not self._is_there(self._names[0]):
                if not dimensions:
                    return
                self._do("CREATE EXTENSION IF NOT EXISTS vector")
                self._do("CREATE TABLE {about} (name text PRIMARY KEY, value text NOT NULL)")
                self._do(
                    "CREATE TABLE {chunks} (id text PRIMARY KEY, uuid uuid NOT NULL, document text NOT NULL, "
                    "tokens integer NOT NULL, text text NOT NULL, record text NOT NULL, "
                    f"embedding vector({dimensions:d}) NOT NULL)"
                )
                self._do("CREATE INDEX ON {chunks} USING hash (document)")
            self._do("DELETE FROM {about}")
            self._many("INSERT INTO {about} VALUES (%s, %s)", [(name, _kept(value)) for name, value in facts.items()])

    def upsert(self, chunks: Sequence[StoredChunk], vectors: Vectors) -> None:
        self._vectors_known()
        rows = [
            (each.id, uuid_of(each.id), _kept(each.document), each.tokens, _kept(each.text), each.record, vector)
            for each, vector in zip(chunks, vectors, strict=True)
        ]
        with self._database.transaction():
            self._many(
                "INSERT INTO {chunks} VALUES (%s, %s, %s, %s, %s, %s, %s) ON CONFLICT (id) DO UPDATE SET "
                "document = EXCLUDED.document, tokens = EXCLUDED.tokens, text = EXCLUDED.text, "
                "record = EXCLUDED.record, embedding = EXCLUDED.embedding",
                rows,
            )

    def delete(self, ids: Sequence[str]) -> None:
        self._do("DELETE FROM {chunks} WHERE id = ANY(%s)", list(ids))

    def records(self, ids: Sequence[str]) -> dict[str, str]:
        return dict(self._rows("SELECT id, record FROM {chunks} WHERE id = ANY(%s)", list(ids)))

    def vectors(self, ids: Sequence[str]) -> dict[str, Vectors]:
        self._vectors_known()
        found = self._rows("SELECT id, embedding FROM {chunks} WHERE id = ANY(%s)", list(ids))
        return {id: np.asarray(vector.to_numpy(), dtype=np.float32) for id, vector in found}

    def ids_of(self, documents: Sequence[str]) -> list[str]:
        names = [_kept(each) for each in documents]
        return [id for (id,) in self._rows("SELECT id FROM {chunks} WHERE document = ANY(%s)", names)]

    def texts(self) -> Iterable[tuple[str, str]]:
        return [(id, text) for id, text in self._rows("SELECT id, text FROM {chunks}")]

    def nearest(self, question: Vectors, top: int) -> list[str]:
        self._vectors_known()
        nearest = self._rows("SELECT id FROM {chunks} ORDER BY embedding <=> %s LIMIT %s", question, top)
        return [id for (id,) in nearest]

    def count(self) -> int:
        return int(self._rows("SELECT count(*) FROM {chunks}")[0][0])

    def flush(self) -> None:
        """Each write is one."""

    def close(self) -> None:
        self._database.close()

    def _is_there(self, table: str) -> bool:
        return bool(self._rows("SELECT to_regclass(%s) IS NOT NULL", f'"{table}"')[0][0])

    def _vectors_known(self) -> None:
        """The type of vectors is the extension's: known once that is there."""
        if not self._registered:
            register_vector(self._database)
            self._registered = True

    def _rows(self, query: LiteralString, *values: object) -> list[Any]:
        return list(self._database.execute(self._named(query), values).fetchall())

    def _do(self, statement: str, *values: object) -> None:
        self._database.execute(self._named(statement), values or None)

    def _many(self, statement: LiteralString, rows: Sequence[Sequence[object]]) -> None:
        with self._database.cursor() as cursor:
            cursor.executemany(self._named(statement), rows)

    def _named(self, query: Any) -> sql.Composed:
        return sql.SQL(query).format(chunks=self._chunks, about=self._about)


def _check_user(address: StoreAddress) -> None:
    """PostgreSQL's library would take a part of such a password for the host or an option, and say
    it."""
    if set(address.place.rpartition("@")[0]) & {"@", "/"} or any("@" in name for name in address.options):
        raise StoreError(
            f"{address.scheme}://***: in a user or password, @ is written %40, / is %2F and ? is %3F; better, leave "
            "the password out and set PGPASSWORD"
        )


def _kept(text: str) -> str:
    """Text as PostgreSQL holds it: without NUL, which its text cannot have, as a visible escape.
    The record keeps it."""
    return valid(text).replace("\0", "\\x00")
