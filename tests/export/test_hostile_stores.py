"""A store that was damaged or altered is one clear line that names it, whatever was done to it."""

from __future__ import annotations

import io
import json
import re
import sqlite3
import struct
from collections.abc import Callable
from contextlib import closing, suppress
from pathlib import Path

import numpy as np
import pytest
from store_signing import sign

from chunking import Config, cli, parse, run
from chunking.core.records import records
from chunking.export.sqlite_store import SqliteStore, write_store
from chunking.export.stored_chunks import rows_of
from chunking.strategies.every_heading import EveryHeading

TEXT = "# Tea\n\nPour boiling water over it.\n\n# Tyres\n\nA flat tyre is mended with a patch.\n"
DIMENSIONS = 384


@pytest.fixture(name="whole", scope="module")
def _whole(tmp_path_factory: pytest.TempPathFactory) -> bytes:
    document, config = parse(TEXT, name="notes.md"), Config(EveryHeading())
    path = tmp_path_factory.mktemp("whole") / "kb.sqlite"
    write_store(rows_of(records(run(document, config).parts, document)), path, config)
    return path.read_bytes()


def altered(*statements: str, **values: object) -> Callable[[Path], object]:
    """Another program runs these statements on the store, and writes all hashes anew."""

    def alter(store: Path) -> None:
        with closing(sqlite3.connect(store)) as database:
            for statement in statements:
                database.execute(statement, values if ":" in statement else {})
            database.commit()
            with suppress(sqlite3.Error):  # where a table is gone, there is nothing to hash
                sign(database)
                database.commit()

    return alter


def damaged(statement: str, **values: object) -> Callable[[Path], object]:
    """Something else is there, and the hashes are as they were."""

    def damage(store: Path) -> None:
        with closing(sqlite3.connect(store)) as database:
            database.execute(statement, values)
            database.commit()

    return damage


def rewritten(change: Callable[[bytes], bytes]) -> Callable[[Path], object]:
    return lambda store: store.write_bytes(change(store.read_bytes()))


def vector(*numbers: float, dimensions: int = DIMENSIONS) -> bytes:
    return np.array([*numbers, *[0.0] * (dimensions - len(numbers))], dtype=np.float32).tobytes()


def record(**changes: object) -> str:
    text = "# Tea\n\nPour boiling water over it."
    plain = {"document": "notes.md", "text": text, "context": "", "start_line": 1, "end_line": 3}
    return json.dumps({**plain, **changes})


def folder(store: Path) -> None:
    store.unlink()
    store.mkdir()


SET_VECTOR = "UPDATE chunks SET vector = :value WHERE number = 1"
SET_RECORD = "UPDATE chunks SET record = :value"
SET_FACT = "UPDATE meta SET value = :value WHERE name = :name"
AS_VIEW = "CREATE VIEW chunks AS SELECT 0 AS number, 'x' AS text, load_extension('x') AS record, x'00' AS vector"
ENDLESS = (
    "CREATE VIEW chunks AS WITH RECURSIVE n(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n) "
    "SELECT i AS number, 'x' AS text, 'x' AS record, x'00' AS vector FROM n"
)
GENERATED = (
    "CREATE TABLE chunks (number INTEGER PRIMARY KEY, id TEXT, document TEXT, tokens INTEGER, record TEXT, "
    "vector BLOB, "
    "text TEXT AS (printf('%.900000000c', 65)))"
)

DAMAGES: dict[str, tuple[Callable[[Path], object], str]] = {
    "missing": (Path.unlink, "no such store"),
    "a folder": (folder, "is a folder"),
    "no bytes": (rewritten(lambda _: b""), "not a store of ours"),
    "another kind of file": (rewritten(lambda _: b"%PDF-1.7"), "not a store of ours"),
    "another database": (
        altered("DROP TABLE meta", "DROP TABLE chunks", "CREATE TABLE notes (x)"),
        "not a store of ours",
    ),
    "the wrong magic": (rewritten(lambda whole: b"SQLite format 4\0" + whole[16:]), "not a store of ours"),
    "cut off after the head": (rewritten(lambda whole: whole[:100]), "is damaged|not a store"),
    "cut off in the middle": (rewritten(lambda whole: whole[: len(whole) // 2]), "is damaged"),
    "a page of zeros": (rewritten(lambda whole: whole[:4096] + bytes(4096) + whole[8192:]), "is damaged"),
    "a page of noise": (rewritten(lambda whole: whole[:4096] + b"\xa5" * 4096 + whole[8192:]), "is damaged"),
    "a page size of its own": (rewritten(lambda w: w[:16] + struct.pack(">H", 512) + w[18:]), "is damaged"),
    "a schema of noise": (rewritten(lambda whole: whole[:100] + b"\xff" * 400 + whole[500:]), "is damaged"),
    "write-ahead mode": (altered("PRAGMA journal_mode = WAL"), "write-ahead mode"),
    "no hashes": (altered("ALTER TABLE chunks DROP COLUMN sums"), "has no plain column sums"),
    "fewer chunks": (altered("DELETE FROM chunks WHERE number = 1"), "is damaged: it has 1 chunks, and '2' were"),
    "another number of chunks": (
        damaged("UPDATE meta SET value = '1' WHERE name = 'chunks'"),
        "its facts about itself",
    ),
    "another config": (
        damaged("UPDATE meta SET value = '' WHERE name = 'config'"),
        "its facts about itself are not as",
    ),
    "another name": (damaged("UPDATE chunks SET document = 'x.md'"), "is damaged: the place of chunk 0 is not as"),
    "another record": (damaged("UPDATE chunks SET record = replace(record, 'T', 't')"), "the record of chunk . is not"),
    "another vector": (damaged(SET_VECTOR, value=vector(1.0)), "is damaged: the vector of chunk 1 is not as it was"),
    "a newer format": (altered(SET_FACT, name="format", value="chunkscope store 2"), "'chunkscope store 2', and this"),
    "a format of another": (altered(SET_FACT, name="format", value="\x1b[31m"), "not a store of ours"),
    "facts that are no text": (altered(SET_FACT, name="model", value=b"\xff"), "facts about itself that are not text"),
    "no embedder": (altered("DELETE FROM meta WHERE name = 'embedder'"), "does not say its embedder"),
    "no table of chunks": (altered("DROP TABLE chunks"), "has no table chunks"),
    "no table of facts": (altered("DROP TABLE meta"), "has no table meta"),
    "no column": (altered("ALTER TABLE chunks RENAME COLUMN vector TO v"), "has no plain column vector"),
    "a view that runs a function": (altered("DROP TABLE chunks", AS_VIEW), "has a view in place of the table chunks"),
    "a view without end": (altered("DROP TABLE chunks", ENDLESS), "has a view in place of the table chunks"),
    "a virtual table": (
        altered("DROP TABLE chunks", "CREATE VIRTUAL TABLE chunks USING fts5(number, text, record, vector)"),
        "has a virtual table in place of the table chunks",
    ),
    "a computed column": (altered("DROP TABLE chunks", GENERATED), "has no plain column text"),
    "chunks without numbers": (
        altered("ALTER TABLE chunks RENAME TO c", "CREATE TABLE chunks AS SELECT * FROM c"),
        "does not number its chunks",
    ),
    "text that is a number of bytes": (altered("UPDATE chunks SET text = x'ff'"), "chunk 0 is not text"),
    "text that is no UTF-8": (altered("UPDATE chunks SET text = CAST(x'ff1b5b' AS TEXT)"), "is damaged"),
    "a record that is no JSON": (altered(SET_RECORD, value='{"text": '), "a record that is not valid JSON"),
    "a record that is deep": (altered(SET_RECORD, value="[" * 100_000), "a record that is not valid JSON"),
    "a record with NaN": (altered(SET_RECORD, value=record(tokens=float("nan"))), "a record that is not valid JSON"),
    "a record with infinity": (altered(SET_RECORD, value='{"a": 1e999}'), "a record that is not valid JSON"),
    "a record that is a list": (altered(SET_RECORD, value="[]"), "a record that is not a JSON object"),
    "a record without a name": (altered(SET_RECORD, value=record(document=None)), "record whose document is not text"),
    "a line that is text": (altered(SET_RECORD, value=record(start_line="1")), "start_line is not a number"),
    "a vector of NaN": (altered(SET_VECTOR, value=vector(float("nan"))), "the vector of chunk 1 has the length nan"),
    "an infinite vector": (altered(SET_VECTOR, value=vector(float("inf"))), "vector of chunk 1 has the length inf"),
    "huge numbers in a vector": (altered(SET_VECTOR, value=vector(3e38)), "vector of chunk 1 has the length"),
    "a scaled vector": (altered(SET_VECTOR, value=vector(5.0)), "the vector of chunk 1 has the length 5, not 1"),
    "a short vector": (altered(SET_VECTOR, value=vector(1.0, dimensions=8)), "has 8 numbers, not 384"),
    "a broken vector": (altered(SET_VECTOR, value=b"abc"), "chunk 1 is not a list of 32-bit numbers"),
    "no vector": (altered(SET_VECTOR, value=b""), "chunk 1 is not a list of 32-bit numbers"),
    "a vector that is text": (altered(SET_VECTOR, value="[1, 0]"), "chunk 1 is not a list of 32-bit numbers"),
    "vectors of another model": (altered("UPDATE chunks SET vector = :value", value=vector(1.0, dimensions=8)), "of 8"),
}
"""What was done to a store, and what is said of it."""


@pytest.mark.parametrize("damage", DAMAGES)
def test_a_damaged_or_altered_store_is_one_line_that_says_what_is_wrong(
    damage: str, whole: bytes, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    store = tmp_path / "kb.sqlite"
    store.write_bytes(whole)
    alter, wanted = DAMAGES[damage]
    alter(store)
    there = sorted(each.name for each in tmp_path.iterdir())

    for mode in ("hybrid", "cosine"):
        code = cli.main(["search", str(store), "boiling water", "--mode", mode])
        said = capfd.readouterr()

        assert (code, said.out) == (2, "")
        assert re.fullmatch(f"chunkscope: [^\n]*({wanted})[^\n]*\n", said.err), said.err
        assert "internal error" not in said.err
        assert "\x1b" not in said.err
    assert sorted(each.name for each in tmp_path.iterdir()) == there


def test_a_store_that_another_process_writes_is_said_to_be(
    whole: bytes, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("chunking.export.store_file._PATIENCE", 0.01)
    store = tmp_path / "kb.sqlite"
    store.write_bytes(whole)
    with closing(sqlite3.connect(store, isolation_level=None)) as writer:
        writer.execute("BEGIN EXCLUSIVE")
        code = cli.main(["search", str(store), "boiling", "--mode", "bm25"])

    assert code == 2
    assert "is being written by another process; try again when that is done" in capfd.readouterr().err


def test_a_store_that_may_not_be_read_says_so(
    whole: bytes, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    store = tmp_path / "kb.sqlite"
    store.write_bytes(whole)

    def refused(*_: object, **__: object) -> io.BytesIO:
        raise PermissionError(13, "Permission denied", str(store))

    monkeypatch.setattr(Path, "open", refused)
    assert cli.main(["search", str(store), "boiling"]) == 2
    assert "cannot be read (Permission denied)" in capfd.readouterr().err


def test_a_value_too_large_to_load_is_refused(
    whole: bytes, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("chunking.export.store_file._LONGEST", 2**20)
    store = tmp_path / "kb.sqlite"
    store.write_bytes(whole)
    altered("UPDATE chunks SET text = zeroblob(2000000)")(store)

    assert cli.main(["search", str(store), "boiling"]) == 2
    assert "holds a value of more than" in capfd.readouterr().err


def test_words_are_searched_without_the_vectors(whole: bytes, tmp_path: Path) -> None:
    store = tmp_path / "kb.sqlite"
    store.write_bytes(whole)
    altered(SET_VECTOR, value=b"abc")(store)

    assert cli.main(["search", str(store), "boiling", "--mode", "bm25"]) == 0


def test_nothing_of_a_store_is_run_when_it_is_changed_and_none_of_its_schema_stays(
    whole: bytes, tmp_path: Path
) -> None:
    place = tmp_path / "kb.sqlite"
    place.write_bytes(whole)
    altered(
        "CREATE TRIGGER gone AFTER INSERT ON chunks BEGIN DELETE FROM chunks; END",
        "CREATE TRIGGER facts AFTER INSERT ON meta BEGIN DELETE FROM meta; END",
    )(place)

    with closing(SqliteStore(place)) as store:
        facts = store.facts()
        store.write_facts({**facts, "notes": "[]"}, 0)
        store.delete([next(iter(store.texts()))[0]])
        store.flush()

    with closing(sqlite3.connect(place)) as database:
        kinds = [kind for (kind,) in database.execute("SELECT DISTINCT type FROM sqlite_master ORDER BY type")]
        assert kinds == ["index", "table"]
        assert database.execute("SELECT count(*) FROM chunks").fetchone() == (1,)
    assert [each.name for each in tmp_path.iterdir()] == ["kb.sqlite"]


def test_noise_in_what_a_search_reads_is_said(whole: bytes, tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    store = tmp_path / "kb.sqlite"
    for part in (b"Pour boiling water", b"boiling", b"local", vector_of(whole, 0)[40:60]):
        found = [at.start() for at in re.finditer(re.escape(part), whole)]
        assert found
        for at in found:
            store.write_bytes(whole[:at] + bytes(byte ^ 1 for byte in part) + whole[at + len(part) :])

            code = cli.main(["search", str(store), "boiling water"])
            said = capfd.readouterr().err
            assert code == 2, (part, at)
            assert re.fullmatch("chunkscope: [^\n]+\n", said), said


def vector_of(whole: bytes, number: int) -> bytes:
    with closing(sqlite3.connect(":memory:")) as database:
        database.deserialize(whole)
        found: bytes = database.execute("SELECT vector FROM chunks WHERE number = ?", (number,)).fetchone()[0]
        return found


def test_every_byte_of_a_store_may_be_wrong(whole: bytes, tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    store, flips = tmp_path / "kb.sqlite", np.random.default_rng(5)
    for _ in range(150):
        damaged = bytearray(whole)
        for at in flips.integers(0, len(whole), 20).tolist():
            damaged[at] ^= int(flips.integers(1, 256))
        store.write_bytes(damaged)

        code = cli.main(["search", str(store), "boiling water"])
        said = capfd.readouterr().err
        assert code in (0, 2)
        assert "internal error" not in said
        assert said.count("\n") <= (1 if code else 2)
