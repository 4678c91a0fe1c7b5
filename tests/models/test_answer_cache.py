"""The cache of model answers: by content, over processes, and never in the way."""

from __future__ import annotations

import sqlite3
import subprocess
import sys
from contextlib import closing
from pathlib import Path

import numpy as np
import pytest
from sample_embedders import GivenEmbedder

from chunking.errors import ConfigError
from chunking.models import answer_cache
from chunking.models.answer_cache import AnswerCache, Limits, answer_key, cache_contents, cache_folder, limits, pruned
from chunking.models.embedders import CachedEmbedder


def test_what_was_put_is_found_by_another_reader_of_the_file(tmp_path: Path) -> None:
    file = tmp_path / "deep" / "answers.sqlite"
    AnswerCache(file).put({b"k": b"\x00\xff", b"l": b""})

    assert AnswerCache(file).get([b"k", b"l", b"m", b"k"]) == {b"k": b"\x00\xff", b"l": b""}


def test_a_later_answer_replaces_an_earlier_one(tmp_path: Path) -> None:
    one, two = AnswerCache(tmp_path / "a.sqlite"), AnswerCache(tmp_path / "a.sqlite")
    one.put({b"k": b"old"})
    two.put({b"k": b"new"})

    assert two.get([b"k"]) == {b"k": b"new"}
    assert AnswerCache(tmp_path / "a.sqlite").get([b"k"]) == {b"k": b"new"}


def test_more_keys_than_one_statement_takes_are_all_found(tmp_path: Path) -> None:
    answers = {str(number).encode(): b"x" for number in range(1203)}
    AnswerCache(tmp_path / "a.sqlite").put(answers)

    assert AnswerCache(tmp_path / "a.sqlite").get(list(answers)) == answers


def test_memory_is_bounded_and_the_file_still_has_everything(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(answer_cache, "_MOST_BYTES", 10)
    held = AnswerCache(tmp_path / "a.sqlite")
    held.put({b"a": b"12345678"})
    held.put({b"b": b"12345678"})

    assert list(held._in_memory) == [b"b"]
    assert held.get([b"a", b"b"]) == {b"a": b"12345678", b"b": b"12345678"}


DAMAGED = {
    "another number": np.array([9.0, 0.0], dtype=np.float32).tobytes(),
    "NaN": np.array([np.nan, 0.0], dtype=np.float32).tobytes(),
    "cut off": b"\0\0\0\0",
    "no bytes": b"",
    "text": "vector",
}


@pytest.mark.parametrize("damage", DAMAGED)
def test_an_answer_that_was_damaged_in_the_file_is_asked_for_again(damage: str, tmp_path: Path) -> None:
    file, asked = tmp_path / "a.sqlite", GivenEmbedder({"tea": [1.0, 0.0]})
    before = CachedEmbedder(asked, 9, AnswerCache(file))(["tea"])
    with closing(sqlite3.connect(file)) as database:
        database.execute("UPDATE kept SET answer = ?", (DAMAGED[damage],))
        database.commit()

    after = CachedEmbedder(asked, 9, AnswerCache(file))(["tea"])

    assert asked.calls == [["tea"], ["tea"]]
    assert after.tolist() == before.tolist()
    assert CachedEmbedder(asked, 9, AnswerCache(file))(["tea"]).tolist() == [[1, 0]]
    assert len(asked.calls) == 2


def test_a_vector_of_nan_that_was_remembered_is_asked_for_again() -> None:
    memory, asked = AnswerCache(None), GivenEmbedder({"tea": [1.0, 0.0]})
    memory.put({answer_key(asked.name, "tea"): np.array([np.nan, 0.0], dtype=np.float32).tobytes()})

    assert CachedEmbedder(asked, 9, memory)(["tea"]).tolist() == [[1, 0]]


def test_what_was_not_used_for_long_goes_and_what_is_used_stays(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file, today = tmp_path / "a.sqlite", iter([1000, 1000, 1100, 1181, 1181, 1181, 1181])
    monkeypatch.setattr(answer_cache, "_today", lambda: next(today))
    AnswerCache(file).put({b"used": b"1", b"unused": b"2"})
    AnswerCache(file).get([b"used"])

    assert pruned(file, Limits(days=180)) == 1
    assert AnswerCache(file).get([b"used", b"unused"]) == {b"used": b"1"}


def test_the_file_stays_within_its_size_and_the_oldest_go_first(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "a.sqlite"
    monkeypatch.setenv("CHUNKSCOPE_CACHE_MB", "1")
    monkeypatch.setattr(answer_cache, "_BETWEEN_LOOKS", 100_000)
    for day in range(30):
        monkeypatch.setattr(answer_cache, "_today", lambda day=day: 20_000 + day)
        AnswerCache(file).put({f"{day} {number}".encode(): bytes(1000) for number in range(100)})

    there = AnswerCache(file).get([f"{day} 0".encode() for day in range(30)])
    assert cache_contents(file).bytes <= 1_000_000
    assert file.stat().st_size <= 1_100_000
    assert b"29 0" in there
    assert b"0 0" not in there
    assert 5 <= len(there) <= 10, len(there)


def test_a_limit_that_is_no_number_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CHUNKSCOPE_CACHE_DAYS", "\x1bmany")

    with pytest.raises(ConfigError, match=r"^CHUNKSCOPE_CACHE_DAYS: '\[U\+001B\]many' is not a whole number; set it"):
        limits()


def test_a_file_of_an_earlier_version_is_gone_over_to_the_new_form(tmp_path: Path) -> None:
    file = tmp_path / "a.sqlite"
    with closing(sqlite3.connect(file)) as database:
        database.execute("CREATE TABLE answers (key BLOB PRIMARY KEY, answer BLOB) WITHOUT ROWID")
        database.execute("INSERT INTO answers VALUES (x'00', x'00')")
        database.commit()
    AnswerCache(file).put({b"k": b"v"})

    assert AnswerCache(file).get([b"k", b"\0"]) == {b"k": b"v"}


def test_a_file_that_is_no_database_is_done_without(tmp_path: Path) -> None:
    file = tmp_path / "answers.sqlite"
    file.write_bytes(b"not a database at all, by any measure" * 100)
    held = AnswerCache(file)
    held.put({b"k": b"v"})

    assert held.get([b"k"]) == {b"k": b"v"}
    assert file.read_bytes().startswith(b"not a database")


def test_a_folder_that_cannot_be_made_is_done_without(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("in the way")
    held = AnswerCache(tmp_path / "file" / "answers.sqlite")
    held.put({b"k": b"v"})

    assert held.get([b"k", b"other"]) == {b"k": b"v"}


def test_several_processes_write_at_once_and_nothing_is_lost(tmp_path: Path) -> None:
    file = tmp_path / "answers.sqlite"
    program = (
        "import sys; from pathlib import Path; from chunking.models.answer_cache import AnswerCache\n"
        "held = AnswerCache(Path(sys.argv[1]))\n"
        "for n in range(40): held.put({f'{sys.argv[2]}-{n}'.encode(): b'v'})\n"
        "assert held.file is not None\n"
    )
    writers = [subprocess.Popen([sys.executable, "-c", program, str(file), name]) for name in "abc"]

    assert [writer.wait(timeout=120) for writer in writers] == [0, 0, 0]
    keys = [f"{name}-{number}".encode() for name in "abc" for number in range(40)]
    assert len(AnswerCache(file).get(keys)) == 120


def test_the_key_tells_model_and_text_apart_and_takes_any_text() -> None:
    keys = {
        answer_key("m", "a"),
        answer_key("m", "b"),
        answer_key("n", "a"),
        answer_key("m", "\ud800"),
        answer_key("m", ""),
    }

    assert len(keys) == 5
    assert all(len(key) == 32 for key in keys)


def test_the_folder_is_the_one_the_environment_names(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("CHUNKSCOPE_CACHE", str(tmp_path))
    assert cache_folder() == tmp_path

    monkeypatch.setenv("CHUNKSCOPE_CACHE", "off")
    assert cache_folder() is None

    monkeypatch.delenv("CHUNKSCOPE_CACHE")
    monkeypatch.setattr(sys, "platform", "linux")
    monkeypatch.setenv("XDG_CACHE_HOME", "/somewhere")
    assert cache_folder() == Path("/somewhere/chunkscope")
