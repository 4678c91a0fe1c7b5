"""A store whose content was changed on purpose, hashes included: what reads it has to look at the
content all the same."""

from __future__ import annotations

import sqlite3

from chunking.export.store_sums import facts_hash, hash_of, place_hash


def sign(database: sqlite3.Connection) -> None:
    """Write the hashes that belong to what is there."""
    database.text_factory = bytes
    for number, id, document, tokens, *contents in database.execute(
        "SELECT number, id, document, tokens, text, record, vector FROM chunks"
    ).fetchall():
        hashes = [hash_of(each if isinstance(each, bytes) else str(each).encode()) for each in contents]
        sums = b"".join([place_hash(number, id.decode(), document.decode(), tokens), *hashes])
        database.execute("UPDATE chunks SET sums = ? WHERE number = ?", (sums, number))
    facts = {name.decode(): value.decode(errors="replace") for name, value in database.execute("SELECT * FROM meta")}
    database.execute("UPDATE meta SET value = ? WHERE name = 'sum'", (facts_hash(facts),))
