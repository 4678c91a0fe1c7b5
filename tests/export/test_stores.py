"""Every store keeps the same promises: ours, each with its real engine where that is installed, and
one that another package brings (tests/plugins)."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterator, Sequence
from itertools import count
from pathlib import Path

import numpy as np
import pytest
from command_line import CommandResult, chunkscope

from chunking.errors import StoreError
from chunking.export import open_stores
from chunking.export.open_stores import opened
from chunking.export.store_address import is_address
from chunking.export.store_filling import Embedded
from chunking.export.stored_chunks import StoredChunk, Vectors, unit
from chunking.export.vector_store import Store
from chunking.runtime.extras import missing

PLUGINS = Path(__file__).parents[1] / "plugins"
ENGINES = ("sqlite", "shelf", "lancedb", "chroma", "qdrant", "qdrant-edge", "postgresql")
FACTS = {"format": "chunkscope store 1", "provider": "local", "model": "", "embedder": "test"}
HOSTILE = (
    "it's.md",
    "' OR '1'='1",
    "'; DROP TABLE chunks; --",
    'a "quoted" \\ name.md',
    "100%_done?.md",
    "{'$ne': ''}",
    "kitchen/tea kettle 🫖.md",
    "語/章.md",
    "line\nbreak\ttab",
    "x" * 3000,
)


@pytest.fixture(autouse=True)
def _plugins(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setattr(sys, "path", [str(PLUGINS), *sys.path])
    open_stores.others.cache_clear()
    yield
    open_stores.others.cache_clear()


@pytest.fixture(params=ENGINES)
def where(request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    """Where a new store of each engine is."""
    monkeypatch.chdir(tmp_path)
    engine: str = request.param
    if engine in open_stores.OURS and (absent := missing(open_stores.OURS[engine][0])):
        pytest.skip(f"needs {absent}")
    if engine == "qdrant":
        return f"qdrant://:memory:?table={_new_name()}"
    if engine == "postgresql":
        return f"{request.getfixturevalue('postgres')}&table={_new_name()}"
    return "kb.sqlite" if engine == "sqlite" else f"{engine}://kb"


_number = count()


def _new_name() -> str:
    """A table that no other test has: they share what cannot be made anew for each."""
    return f"table{next(_number)}"


@pytest.fixture(scope="session")
def postgres(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The address of a PostgreSQL of these tests' own."""
    pgserver = pytest.importorskip("pgserver", reason="needs PostgreSQL with pgvector: pip install pgserver")
    server = pgserver.get_server(tmp_path_factory.mktemp("postgres"), cleanup_mode="delete")
    yield server.get_uri()
    server.cleanup()


def chunk(id: str, document: str = "a.md", text: str = "Pour the tea.") -> StoredChunk:
    shown = {"document": document, "text": text, "context": "", "start_line": 1, "end_line": 2}
    record = {**shown, "index": 0, "breadcrumb": [document], "metadata": {}}
    return StoredChunk(id, document, 3, text, json.dumps(record), 1, 2)


def vectors(*rows: list[float]) -> Vectors:
    return unit(np.array(rows, dtype=np.float32))


def filled(store: Store, *chunks: StoredChunk) -> None:
    store.write_facts(FACTS, 3)
    angles = np.linspace(0, 1.5, len(chunks))
    store.upsert(chunks, vectors(*([float(np.cos(a)), float(np.sin(a)), 0.0] for a in angles)))
    store.flush()


def test_a_store_that_is_not_there_says_nothing_of_itself_and_is_not_made(where: str) -> None:
    with opened(where) as store:
        assert store.facts() == {}

    assert list(Path().iterdir()) == []


def test_what_is_stored_is_there_for_who_opens_it_next(where: str) -> None:
    with opened(where) as store:
        filled(store, chunk("a"), chunk("b", "b.md", "Boil water."))

    with opened(where) as store:
        assert store.facts() == FACTS
        assert store.count() == 2
        assert sorted(store.texts()) == [("a", "Pour the tea."), ("b", "Boil water.")]
        assert json.loads(store.records(["b", "c"])["b"])["document"] == "b.md"
        assert set(store.records(["b", "c"])) == {"b"}
        np.testing.assert_allclose(store.vectors(["a"])["a"], [1, 0, 0], atol=1e-6)
        assert store.nearest(vectors([0.1, 1, 0])[0], 5) == ["b", "a"]
        assert store.nearest(vectors([0.1, 1, 0])[0], 1) == ["b"]


def test_a_chunk_takes_the_place_of_the_one_with_its_id(where: str) -> None:
    with opened(where) as store:
        filled(store, chunk("a"), chunk("b"))
        store.upsert([chunk("b", text="Anew."), chunk("c")], vectors([0, 0, 1], [0, 1, 1]))
        store.flush()

    with opened(where) as store:
        assert store.count() == 3
        assert dict(store.texts())["b"] == "Anew."
        assert store.nearest(vectors([0, 0, 1])[0], 1) == ["b"]


def test_only_what_is_named_is_deleted(where: str) -> None:
    with opened(where) as store:
        filled(store, chunk("a"), chunk("b"), chunk("c"))
        store.delete(["b", "not there"])
        store.flush()

    with opened(where) as store:
        assert sorted(each for each, _ in store.texts()) == ["a", "c"]
        assert store.count() == 2


def test_hostile_names_and_texts_are_kept_and_are_no_part_of_any_query(where: str) -> None:
    chunks = [chunk(name, name, f"{name} \x00 \ud800 text") for name in HOSTILE]
    with opened(where) as store:
        filled(store, *chunks)

    with opened(where) as store:
        assert sorted(store.records(HOSTILE)) == sorted(HOSTILE)
        for name in HOSTILE:
            assert store.ids_of([name]) == [name]
            assert json.loads(store.records([name])[name])["text"] == f"{name} \x00 \ud800 text"
        assert sorted(store.ids_of(HOSTILE[:3])) == sorted(HOSTILE[:3])
        for at, name in enumerate(HOSTILE):
            store.delete([name])
            assert store.count() == len(HOSTILE) - at - 1


def test_facts_take_the_place_of_all_former_facts(where: str) -> None:
    changed = {**FACTS, "notes": '["it\'s \\"1\\"; -- 語"]'}
    with opened(where) as store:
        filled(store, chunk("a"))
        store.write_facts({**changed, "unfinished": "yes"}, 0)
        store.write_facts(changed, 0)
        store.flush()

    with opened(where) as store:
        assert store.facts() == changed
        assert store.count() == 1


def test_a_folder_has_one_writer_at_a_time(where: str) -> None:
    if not where.startswith(("lancedb", "chroma")):
        pytest.skip("these need none")
    with opened(where) as store, opened(where) as other:
        filled(store, chunk("a"))
        assert list(store.texts()) == [("a", "Pour the tea.")]
        with pytest.raises(StoreError, match="is being written by another process; try again when that is done"):
            other.write_facts(FACTS, 3)

    with opened(where) as store:
        store.delete(["a"])
        assert store.count() == 0


def test_a_table_of_another_program_is_left_alone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    lancedb = pytest.importorskip("lancedb", reason="needs the extra lancedb")
    monkeypatch.chdir(tmp_path)
    lancedb.connect("kb").create_table("chunks", [{"x": 1}])

    with opened("lancedb://kb") as store, pytest.raises(StoreError, match="holds chunks of another program"):
        store.facts()


OTHER_PROGRAMS = {
    "chroma": """
import chromadb
collection = chromadb.PersistentClient("kb").get_collection("chunks", embedding_function=None)
collection.add(ids=["theirs"], documents=["their text"], embeddings=[[1.0, 0.0, 0.0]])
""",
    "qdrant-edge": """
import qdrant_edge as edge
shard = edge.EdgeShard.load("kb/chunks")
point = edge.Point("11111111-1111-1111-1111-111111111111", {"": [1.0, 0.0, 0.0]}, {"theirs": 1})
shard.update(edge.UpdateOperation.upsert_points([point]))
shard.flush()
shard.close()
""",
}
"""Each puts a row of its own among the chunks of `kb`."""


@pytest.mark.parametrize("engine", OTHER_PROGRAMS)
def test_a_row_of_another_program_among_the_chunks_is_one_line(
    engine: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    if absent := missing(open_stores.OURS[engine][0]):
        pytest.skip(f"needs {absent}")
    monkeypatch.chdir(tmp_path)
    with opened(f"{engine}://kb") as store:
        filled(store, chunk("one"))
    subprocess.run([sys.executable, "-c", OTHER_PROGRAMS[engine]], check=True)

    with opened(f"{engine}://kb") as store, pytest.raises(StoreError, match="of another program; give another"):
        store.texts()
    with opened(f"{engine}://kb") as store, pytest.raises(StoreError, match="of another program; give another"):
        store.records(store.nearest(vectors([1.0, 0.0, 0.0])[0], 5))


def test_an_option_of_qdrant_with_a_value_that_it_does_not_have_is_one_line() -> None:
    pytest.importorskip("qdrant_client", reason="needs the extra qdrant")

    with pytest.raises(StoreError, match="tls is yes or no"), opened("qdrant://db.example?tls=maybe"):
        pass


# ---- the command line ----


TEA = "# Tea\n\nPour boiling water over the leaves and wait four minutes.\n\n"
TYRES = "# Tyres\n\nA flat tyre is mended with a patch and rubber solution.\n\n"
KEYS = "# Keys\n\nThe spare key hangs behind the door.\n"


def write(**documents: str) -> None:
    Path("docs").mkdir(exist_ok=True)
    for name, text in documents.items():
        Path("docs", f"{name}.md").write_text(text, "utf-8")


def found(capfd: pytest.CaptureFixture[str], where: str, question: str, *more: str) -> list[list[object]]:
    """The last heading, and the lines, of what is found, best first."""
    hits = json.loads(chunkscope(capfd, "search", where, question, "--json", *more).out)
    return [[hit["chunk"]["breadcrumb"][-1], hit["chunk"]["start_line"]] for hit in hits]


def test_run_fills_a_store_and_search_asks_it_by_meaning_by_words_and_by_both(
    where: str, capfd: pytest.CaptureFixture[str]
) -> None:
    write(notes=TEA + TYRES, keys=KEYS)
    done = chunkscope(capfd, "run", "every-heading", "docs", "-o", where)

    assert (done.code, done.out, done.err) == (0, "", "")
    assert found(capfd, where, "repairing a puncture on my bicycle", "--mode", "cosine")[0] == ["Tyres", 5]
    assert found(capfd, where, "spare", "--mode", "bm25") == [["Keys", 1]]
    assert found(capfd, where, "how long does tea steep?", "--top", "1") == [["Tea", 1]]
    (hit,) = json.loads(chunkscope(capfd, "search", where, "boiling water", "--json", "--top", "1").out)
    assert hit["score"] == pytest.approx(2 / 61, abs=1e-6)
    assert hit["cosine"] > 0.4


def test_a_plan_is_applied_to_a_store_and_nothing_else_is_touched(
    where: str, capfd: pytest.CaptureFixture[str]
) -> None:
    write(notes=TEA + TYRES, keys=KEYS)
    assert chunkscope(capfd, "run", "every-heading", "docs", "-o", where).code == 0
    assert chunkscope(capfd, "run", "every-heading", "docs", "-o", "old/").code == 0
    with opened(where) as store:
        store.upsert([chunk("of another run", "else.md")], np.eye(1, 384, dtype=np.float32))
        store.flush()

    write(notes="# Locks\n\nOil the lock in autumn.\n\n" + TEA)
    Path("docs/keys.md").rename("docs/doors.md")
    assert chunkscope(capfd, "run", "every-heading", "docs", "-o", "new/").code == 0
    plan = json.loads(chunkscope(capfd, "plan", "old", "new", "--json").out)
    assert [plan["keep"], *(len(plan[key]) for key in ("add", "move", "delete"))] == [1, 1, 1, 2]

    for again in ("", "again"):
        done = json.loads(chunkscope(capfd, "plan", "old", "new", "--apply", where, "--json").out)
        assert (done["embedded"], done["moved"]) == ((0, 0) if again else (1, 1))
        assert (done["holds"], done["missing"]) == (4, 0)
        assert found(capfd, where, "boiling", "--mode", "bm25") == [["Tea", 5]]
        assert found(capfd, where, "spare", "--mode", "bm25") == [["Keys", 1]]
        assert found(capfd, where, "oil in autumn", "--top", "1") == [["Locks", 1]]
        assert found(capfd, where, "tyre", "--mode", "bm25") == []
        with opened(where) as store:
            assert store.ids_of(["else.md"]) == ["of another run"]
            assert store.ids_of(["keys.md"]) == []
    assert chunkscope(capfd, "search", where, "tea").err == ""


def test_a_plan_that_was_applied_writes_nothing_when_it_is_applied_again(
    where: str, capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    write(notes=TEA + TYRES)
    for output in (where, "old/"):
        assert chunkscope(capfd, "run", "every-heading", "docs", "-o", output).code == 0
    write(notes=TEA)
    assert chunkscope(capfd, "run", "every-heading", "docs", "-o", "new/").code == 0
    assert json.loads(chunkscope(capfd, "plan", "old", "new", "--apply", where, "--json").out)["deleted"] == 1
    with opened(where) as store:
        facts = store.facts()

        def written(*_: object) -> None:
            raise AssertionError("a write")

        for method in ("write_facts", "upsert", "delete"):
            monkeypatch.setattr(type(store), method, written)

    done = chunkscope(capfd, "plan", "old", "new", "--apply", where, "--json")

    assert (done.code, done.err) == (0, "")
    assert json.loads(done.out)["deleted"] == 0
    with opened(where) as store:
        assert store.facts() == facts


def test_a_file_without_chunks_answers_nothing_and_is_filled_by_a_plan(
    capfd: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    write(notes="")
    for output in ("kb.sqlite", "old/"):
        assert chunkscope(capfd, "run", "every-heading", "docs", "-o", output).code == 0
    assert chunkscope(capfd, "search", "kb.sqlite", "tea").code == 0

    write(notes=TEA)
    assert chunkscope(capfd, "run", "every-heading", "docs", "-o", "new/").code == 0
    assert chunkscope(capfd, "plan", "old", "new", "--apply", "kb.sqlite").code == 0
    assert found(capfd, "kb.sqlite", "tea") == [["Tea", 1]]


def test_a_plan_that_was_ended_in_the_middle_is_applied_again(
    where: str, capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    write(notes=TEA + TYRES, keys=KEYS)
    for output in (where, "old/"):
        assert chunkscope(capfd, "run", "every-heading", "docs", "-o", output).code == 0
    write(notes="# Locks\n\nOil the lock in autumn.\n\n" + TEA, keys="# Doors\n\nClose them.\n")
    assert chunkscope(capfd, "run", "every-heading", "docs", "-o", "new/").code == 0
    monkeypatch.setattr("chunking.export.store_update.BATCH", 1)
    embed, calls = Embedded.__call__, count()

    def stopped(self: Embedded, chunks: Sequence[StoredChunk]) -> Vectors:
        if next(calls) == 1:
            raise KeyboardInterrupt
        return embed(self, chunks)

    monkeypatch.setattr(Embedded, "__call__", stopped)
    assert chunkscope(capfd, "plan", "old", "new", "--apply", where).code == 130
    assert chunkscope(capfd, "plan", "old", "new", "--apply", where).code == 0

    with opened(where) as store:
        assert sorted(text.split()[1] for _, text in store.texts()) == ["Doors", "Locks", "Tea"]
        assert "unfinished" not in store.facts()


def test_run_again_replaces_the_chunks_of_its_documents(where: str, capfd: pytest.CaptureFixture[str]) -> None:
    if not is_address(where):
        pytest.skip("run writes a new SQLite file")
    write(notes=TEA + TYRES, keys=KEYS)
    for _ in range(2):
        assert chunkscope(capfd, "run", "every-heading", "docs", "-o", where).code == 0
    with opened(where) as store:
        assert store.count() == 3
    write(notes=TEA.replace("four", "five"))
    assert chunkscope(capfd, "run", "every-heading", "docs/notes.md", "-o", where, "--root", "docs").code == 0

    with opened(where) as store:
        assert sorted(text.split()[1] for _, text in store.texts()) == ["Keys", "Tea"]
    assert found(capfd, where, "five", "--mode", "bm25") == [["Tea", 1]]


def refused(done: CommandResult) -> str:
    assert (done.code, done.out) == (2, "")
    assert done.err.count("\n") == 1, done.err
    return done.err


def test_another_config_tokenizer_embedder_or_dimension_is_one_line_and_nothing_is_written(
    where: str, capfd: pytest.CaptureFixture[str]
) -> None:
    if not is_address(where):
        pytest.skip("run writes a new SQLite file")
    write(notes=TEA)
    assert chunkscope(capfd, "run", "every-heading", "docs", "-o", where).code == 0
    again = ("run", "every-heading", "docs", "-o", where)
    other = ("run", "fixed", "docs", "-o", where)

    assert "holds chunks of another config; give another" in refused(chunkscope(capfd, *other))
    with opened(where) as store:
        facts = store.facts()
    for changes, wanted in (
        ({"embedder": "another model"}, "holds vectors of another model, and this config's are of"),
        ({"dimensions": "8"}, "holds vectors of 8 numbers, and these have 384"),
        ({"counter": "sha256:ab", "cut_by": "x"}, "counted with another tokenizer (sha256:ab, not sha256:"),
        ({"format": "chunkscope store 2"}, "is in the format 'chunkscope store 2', and this version reads"),
        ({"format": "something"}, "not a store of ours"),
    ):
        with opened(where) as store:
            store.write_facts({**facts, **changes}, 0)
            store.flush()
        write(notes=TEA + KEYS)
        assert wanted in refused(chunkscope(capfd, *again))
        with opened(where) as store:
            assert store.count() == 1


def test_a_write_that_did_not_end_is_said_and_done_again(
    where: str, capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    if not is_address(where):
        pytest.skip("run writes a new SQLite file")
    write(notes=TEA + TYRES, keys=KEYS)
    monkeypatch.setattr("chunking.export.store_filling.BATCH", 1)
    embed, calls = Embedded.__call__, count()

    def stopped(self: Embedded, chunks: Sequence[StoredChunk]) -> Vectors:
        if next(calls) == 2:
            raise KeyboardInterrupt
        return embed(self, chunks)

    with monkeypatch.context() as patched:
        patched.setattr(Embedded, "__call__", stopped)
        assert chunkscope(capfd, "run", "every-heading", "docs", "-o", where).code == 130

    assert "the last write to this store did not end; do it again" in chunkscope(capfd, "search", where, "tea").err
    assert chunkscope(capfd, "run", "every-heading", "docs", "-o", where).code == 0
    assert chunkscope(capfd, "search", where, "tea").err == ""
    with opened(where) as store:
        assert store.count() == 3
