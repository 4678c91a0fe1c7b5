"""The pipeline's end: embed, store, search. The local model is asked for real; the texts are
few."""

from __future__ import annotations

import json
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest
from store_signing import sign

from chunking import Config, parse, run
from chunking.cli import main
from chunking.core.records import records
from chunking.errors import ModelError, StoreError
from chunking.export.sqlite_store import SqliteStore, write_store
from chunking.export.store_facts import Embedding, embedding_of, notes_in
from chunking.export.store_search import search, terms
from chunking.export.stored_chunks import rows_of
from chunking.strategies import get
from chunking.strategies.every_heading import EveryHeading

TEXT = (
    "# Tea\n\nPour boiling water over the leaves and wait four minutes.\n\n"
    "# Tyres\n\nA flat tyre is mended with a patch and rubber solution.\n\n"
    "# 発車メロディ\n\n列車が発車する前に音楽が流れる。\n"
)


@pytest.fixture(name="file")
def _file(tmp_path: Path) -> Path:
    document = parse(TEXT, name="notes.md")
    config = Config(EveryHeading())
    path = tmp_path / "kb.sqlite"
    write_store(rows_of(records(run(document, config).parts, document)), path, config)
    return path


@pytest.fixture(name="store")
def _store(file: Path) -> SqliteStore:
    return SqliteStore(file)


def test_meaning_finds_a_chunk_that_shares_no_word_with_the_question(store: SqliteStore) -> None:
    hits = search(store, "repairing a puncture on my bicycle", mode="cosine")

    assert hits[0].record["breadcrumb"] == ["notes.md", "Tyres"]
    assert hits[0].bm25 is None


def test_words_find_only_chunks_that_share_one(store: SqliteStore) -> None:
    hits = search(store, "boiling", mode="bm25")

    assert [hit.record["breadcrumb"][-1] for hit in hits] == ["Tea"]


def test_words_are_compared_in_scripts_without_blanks(store: SqliteStore) -> None:
    assert [hit.record["breadcrumb"][-1] for hit in search(store, "音楽", mode="bm25")] == ["発車メロディ"]
    assert terms("Über 音楽!") == ["über", "音", "楽"]


def test_hybrid_fuses_both_orders_by_reciprocal_rank(store: SqliteStore) -> None:
    first = search(store, "boiling water for tea", top=1)[0]

    assert first.record["breadcrumb"][-1] == "Tea"
    assert first.score == pytest.approx(2 / 61, abs=1e-6)


def test_a_question_without_a_known_word_finds_nothing_by_words(store: SqliteStore) -> None:
    assert search(store, "zeppelin", mode="bm25") == ()


def test_the_store_holds_the_records_and_the_config(file: Path) -> None:
    opened = sqlite3.connect(file)
    config = opened.execute("SELECT value FROM meta WHERE name = 'config'").fetchone()[0]
    first = json.loads(opened.execute("SELECT record FROM chunks ORDER BY number").fetchone()[0])

    assert Config.from_yaml(config) == Config(EveryHeading())
    assert first["text"].startswith("# Tea")


def test_a_store_of_another_embedder_is_refused_for_meaning(file: Path) -> None:
    opened = sqlite3.connect(file)
    opened.execute("UPDATE meta SET value = 'other model' WHERE name = 'embedder'")
    sign(opened)
    opened.commit()
    opened.close()

    with pytest.raises(ModelError, match="was embedded with other model"):
        search(SqliteStore(file), "tea", mode="cosine")


@pytest.mark.parametrize("content", [b"", b"not a database", b"SQLite format 3\0" + bytes(100)])
def test_a_file_that_is_no_store_is_one_clear_line(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "x.sqlite"
    path.write_bytes(content)

    with pytest.raises(StoreError, match="not a store of ours; write one with"):
        search(SqliteStore(path), "tea")


def test_a_missing_store_is_not_created(tmp_path: Path) -> None:
    with pytest.raises(StoreError, match="no such store"):
        search(SqliteStore(tmp_path / "missing.sqlite"), "tea")
    assert not (tmp_path / "missing.sqlite").exists()


def test_the_vectors_are_made_by_the_embedder_that_the_strategy_cuts_by() -> None:
    semantic = get("semantic").model_validate({"embedder": "openai", "model": "text-embedding-3-small"})

    assert embedding_of(semantic) == Embedding("openai", "text-embedding-3-small")
    assert embedding_of(EveryHeading()) == Embedding("local", "")


def test_run_and_search_work_from_the_command_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "notes.md").write_text(TEXT, encoding="utf-8")
    (tmp_path / "c.yaml").write_text("strategy: every-heading\n", encoding="utf-8")
    store = str(tmp_path / "kb.sqlite")

    assert main(["run", str(tmp_path / "c.yaml"), str(tmp_path / "notes.md"), "-o", store]) == 0
    assert main(["search", store, "how long should tea steep?", "--json", "--top", "1"]) == 0

    assert json.loads(capsys.readouterr().out)[0]["chunk"]["breadcrumb"] == ["notes.md", "Tea"]


def test_writing_a_store_says_which_chunks_lose_their_ends_and_searching_it_says_so_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    long = "A kettle is filled with cold water. " * 60
    Path("a.md").write_text(f"# Short\n\nwords\n\n# Long\n\n{long}\n", encoding="utf-8")

    assert main(["run", "every-heading", "a.md", "-o", "kb.sqlite"]) == 0
    said = capfd.readouterr().err
    assert "1 of 2 chunks loses its end" in said
    assert "a.md lines 5-7" in said

    assert main(["search", "kb.sqlite", "kettle"]) == 0
    assert "1 of 2 chunks loses its end" in capfd.readouterr().err
    assert main(["search", "kb.sqlite", "kettle", "--mode", "bm25"]) == 0
    assert capfd.readouterr().err == ""


def test_a_store_of_another_language_says_so_when_written_and_when_asked(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    german = "Das Wasser wird gekocht und dann in die Kanne gegossen, wenn es nicht mehr zu heiß ist. " * 8
    Path("kanne.md").write_text(f"# Kanne\n\n{german}\n", encoding="utf-8")

    assert main(["run", "every-heading", "kanne.md", "-o", "kb.sqlite"]) == 0
    assert "kanne.md seems not to be English" in capfd.readouterr().err
    assert main(["search", "kb.sqlite", "вода в чайнике для чая"]) == 0
    said = capfd.readouterr().err
    assert "kanne.md seems not to be English" in said
    assert "the question seems not to be English" in said


def test_a_store_written_before_notes_were_kept_is_still_searched(file: Path) -> None:
    with closing(sqlite3.connect(file)) as opened:
        opened.execute("DELETE FROM meta WHERE name IN ('notes', 'lost_ends')")
        sign(opened)
        opened.commit()

    store = SqliteStore(file)
    assert search(store, "tea")
    assert notes_in(store.facts(), "tea") == ()
