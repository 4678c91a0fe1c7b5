"""`chunkscope run --engine daft`: parts of many documents, the same records, and nothing lost with
a worker."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import replace
from hashlib import sha256
from pathlib import Path
from typing import IO, Any

import pytest
from command_line import CommandResult, chunkscope, process
from sample_server import Asked as Request
from sample_server import Reply, serving

from chunking.cli.daft_engine import Where
from chunking.cli.run_folder import Parts
from chunking.cli.shared_parts import Asked, Done, cut_batch
from chunking.export.open_stores import opened
from chunking.export.part_records import read_shared
from chunking.runtime.extras import missing
from chunking.runtime.run_limits import RunLimits
from chunking.text.decoding import TO_UTF_8

pytestmark = [
    pytest.mark.usefixtures("folder"),
    pytest.mark.skipif(bool(missing("parquet")), reason=missing("parquet")),
]
needs_daft = pytest.mark.skipif(bool(missing("cluster")), reason=missing("cluster"))


DESCRIBED = """
strategy: contextual
settings:
  base: {strategy: every-heading}
  provider: compatible
  model: tiny
"""


class OneProcess:
    """An engine that does in this process what daft's workers do: batches of two."""

    def __init__(self, where: Where) -> None:
        self.workers = where.workers

    def cut(self, asked: Iterable[Asked], parts: Parts, limits: RunLimits) -> Iterator[Done]:
        waiting = [*asked]
        for start in range(0, len(waiting), 2):
            yield from cut_batch(waiting[start : start + 2], parts, limits)


@pytest.fixture(name="here")
def _here(monkeypatch: pytest.MonkeyPatch) -> None:
    """What daft would do is done in this process."""
    read_shared.cache_clear()
    monkeypatch.setattr("chunking.cli.run_cluster.DaftEngine", OneProcess)


def run(capfd: pytest.CaptureFixture[str], *more: str) -> CommandResult:
    read_shared.cache_clear()
    return chunkscope(capfd, "run", "c.yaml", "docs", "-o", "out/", "--engine", "daft", *more)


def manifest(folder: Path) -> list[dict[str, object]]:
    return [json.loads(line) for line in (folder / "manifest.jsonl").read_text().splitlines()[1:]]


def rows(folder: Path) -> list[dict[str, object]]:
    """The records of all parts of a folder, sorted."""
    import pyarrow.parquet as pq  # type: ignore[import-untyped]

    found = [row for part in folder.rglob("*.parquet") for row in pq.read_table(part).to_pylist()]
    return sorted(found, key=lambda row: (row["document"], row["start"] or 0, row["type"]))


def contents(folder: Path) -> dict[str, bytes]:
    return {str(file.relative_to(folder)): file.read_bytes() for file in folder.rglob("*") if file.is_file()}


def local_rows(capfd: pytest.CaptureFixture[str], *more: str) -> list[dict[str, object]]:
    assert chunkscope(capfd, "run", "c.yaml", "docs", "-o", "local/", "--format", "parquet", *more).code in (0, 2)
    return rows(Path("local"))


@pytest.mark.usefixtures("here")
def test_the_records_and_the_manifest_are_those_of_a_local_run(capfd: pytest.CaptureFixture[str]) -> None:
    said = run(capfd, "--skips")

    assert said == CommandResult(0, "", "")
    assert rows(Path("out")) == local_rows(capfd, "--skips")
    ours, local = manifest(Path("out")), manifest(Path("local"))
    apart = {"part", "size"}
    assert [{key: each[key] for key in each.keys() - apart} for each in ours] == [
        {key: each[key] for key in each.keys() - apart} for each in local
    ]
    assert len({each["part"] for each in ours}) == 1
    assert chunkscope(capfd, "plan", "local/", "out/").out.startswith("")
    assert (
        chunkscope(capfd, "verify", "out/").out == "2 documents verified: every part is what the config makes of it\n"
    )


@pytest.mark.usefixtures("here")
def test_a_document_that_cannot_be_read_is_a_line_and_the_others_are_written(
    folder: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    (folder / "docs" / "bad.md").write_bytes(b"caf\xe9\n")
    said = run(capfd)

    assert said.code == 2
    assert "docs/bad.md: byte 3 (0xE9) is not UTF-8" in said.err
    assert said.err.count("\n") == 1
    assert [each["document"] for each in manifest(Path("out"))] == ["guide.md", "more/short.md"]


@pytest.mark.usefixtures("here")
def test_a_folder_is_not_emptied_where_no_document_could_be_read(
    folder: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    run(capfd)
    before = contents(folder / "out")
    (folder / "docs").rename(folder / "elsewhere")

    said = run(capfd)
    assert said.err.endswith("out: left as it was, for not one document could be cut\n")
    assert (said.code, contents(folder / "out")) == (2, before)


@pytest.mark.usefixtures("here")
def test_again_only_the_parts_of_what_changed_are_made(folder: Path, capfd: pytest.CaptureFixture[str]) -> None:
    for number in range(4):
        (folder / "docs" / f"{number}.md").write_text(f"# {number}\n\nA text.\n")
    run(capfd)
    first = contents(Path("out"))
    assert run(capfd).code == 0
    assert contents(Path("out")) == first

    (folder / "docs" / "1.md").write_text("# Another\n")
    (folder / "docs" / "guide.md").unlink()
    assert run(capfd).code == 0
    kept = set(first) & set(contents(Path("out")))
    assert len([each for each in kept if each.endswith(".parquet")]) == 1
    assert rows(Path("out")) == local_rows(capfd)
    assert chunkscope(capfd, "verify", "out/").code == 0


@pytest.mark.usefixtures("here")
def test_a_folder_may_be_gone_on_with_by_the_other_engine(capfd: pytest.CaptureFixture[str]) -> None:
    wanted = local_rows(capfd)
    run(capfd)
    chunkscope(capfd, "run", "c.yaml", "docs", "-o", "out/", "--format", "parquet")
    assert contents(Path("out")) == contents(Path("local"))
    run(capfd)

    assert rows(Path("out")) == wanted


@pytest.mark.usefixtures("here")
def test_verify_says_which_part_was_changed(folder: Path, capfd: pytest.CaptureFixture[str]) -> None:
    run(capfd)
    lines = (folder / "out" / "manifest.jsonl").read_text().splitlines(keepends=True)
    (folder / "out" / "manifest.jsonl").write_text("".join(lines[:-1]))
    read_shared.cache_clear()
    said = chunkscope(capfd, "verify", "out/")
    assert said.code == 1
    assert "also holds more/short.md, which is not in the manifest" in said.out

    (part,) = (folder / "out").rglob("*.parquet")
    part.write_bytes(b"nothing")
    read_shared.cache_clear()
    assert "cannot be read (" in chunkscope(capfd, "verify", "out/").out


@pytest.mark.usefixtures("here")
@pytest.mark.parametrize("engine", ["daft", "local"])
def test_a_plan_of_parquet_parts_brings_a_store_to_what_a_new_one_would_hold(
    engine: str, folder: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    run_again = ("run", "c.yaml", "docs", "--engine", engine, "--format", "parquet", "-o")
    assert chunkscope(capfd, *run_again, "old/").code == 0
    assert chunkscope(capfd, "run", "c.yaml", "docs", "-o", "kb.sqlite").code == 0
    (folder / "docs" / "guide.md").write_text("# Guide\n\nAnother text.\n")
    (folder / "docs" / "more" / "short.md").rename(folder / "docs" / 'it\'s "new" 語.md')
    read_shared.cache_clear()
    assert chunkscope(capfd, *run_again, "new/").code == 0
    assert chunkscope(capfd, "run", "c.yaml", "docs", "-o", "wanted.sqlite").code == 0

    first = chunkscope(capfd, "plan", "old/", "new/", "--apply", "kb.sqlite")
    again = chunkscope(capfd, "plan", "old/", "new/", "--apply", "kb.sqlite")
    assert "0 embedded" not in first.out
    assert again.out.startswith("kb.sqlite: 0 embedded, 0 moved, 0 rewritten with their vectors, 0 deleted; it holds")
    with opened("kb.sqlite") as store, opened("wanted.sqlite") as wanted:
        ids = [id for id, _ in wanted.texts()]
        assert store.count() == len(ids)
        assert store.records(ids) == wanted.records(ids)

    (part, *_) = (folder / "new").rglob("*.parquet")
    part.write_bytes(b"nothing")
    read_shared.cache_clear()
    said = chunkscope(capfd, "plan", "old/", "new/", "--apply", "kb.sqlite")
    assert said.code == 2
    assert said.err.count("\n") == 1
    assert "run again" in said.err


@pytest.mark.usefixtures("here")
def test_a_folder_that_cannot_be_written_to_ends_the_run(
    capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("chunking.cli.shared_parts.write_tables", full)
    said = run(capfd)

    assert said.code == 2
    assert "No space left on device" in said.err
    assert said.err.count("\n") == 1


@pytest.mark.usefixtures("here")
@pytest.mark.parametrize(("place", "says"), [("docs", "holds other files"), ("c.yaml", "is a file")])
def test_a_dataset_is_not_put_between_other_files(
    place: str, says: str, folder: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    said = run(capfd, "--lance", place)

    assert said == CommandResult(2, "", f"chunkscope: --lance {place}: {says}; give a new place, or a dataset\n")
    assert not (folder / "out").exists()


def bucket(monkeypatch: pytest.MonkeyPatch) -> None:
    """The folder docs, as an engine has a bucket: every file below a place, by its URL."""

    def files(_: OneProcess, url: str) -> list[tuple[str, int]]:
        place = Path(url.removeprefix("mem://").removesuffix("**"))
        below = [place] if place.is_file() else [each for each in sorted(place.rglob("*")) if each.is_file()]
        return [(f"mem://{each}", each.stat().st_size) for each in below]

    @contextmanager
    def opened(_: OneProcess, url: str) -> Iterator[IO[bytes]]:
        with Path(url.removeprefix("mem://")).open("rb") as file:
            yield file

    really = cut_batch

    def bring(batch: list[Asked], *given: Any) -> Iterator[Done]:
        for each in batch:
            content = each.found.content or Path(each.found.url.removeprefix("mem://")).read_bytes()
            yield from really([replace(each, found=replace(each.found, content=content))], *given)

    monkeypatch.setattr(OneProcess, "files", files, raising=False)
    monkeypatch.setattr(OneProcess, "opened", opened, raising=False)
    monkeypatch.setattr(sys.modules[__name__], "cut_batch", bring)


@pytest.mark.usefixtures("here")
def test_files_at_urls_are_documents_with_the_names_below_theirs(
    folder: Path, capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    bucket(monkeypatch)
    (folder / "docs" / "bad.md").write_bytes(b"caf\xe9\n")
    (folder / "docs" / "notes.xyz").write_text("no document")
    (folder / "docs" / "all.zip").write_bytes(b"PK")
    (folder / "more").mkdir()
    (folder / "more" / "guide.md").write_text("Another guide.\n")
    places = ("mem://docs", "mem://docs/guide.md", "mem://more")
    said = chunkscope(capfd, "run", "c.yaml", *places, "-o", "out/", "--engine", "daft")

    assert said.code == 2
    assert said.err.splitlines() == [
        "chunkscope: mem://docs/all.zip: an archive is not read there; unpack it first",
        "chunkscope: mem://more/guide.md: mem://docs/guide.md is called guide.md too; give the folder above both",
        "chunkscope: 1 passed over: 1 .xyz; a file that is named is read, and --include PATTERN brings a type",
        "chunkscope: mem://docs/bad.md: byte 3 (0xE9) is not UTF-8 (invalid continuation byte); save the file as UTF-8"
        + TO_UTF_8,
        "chunkscope: 3 documents left out, for the reasons above",
    ]
    (folder / "docs" / "all.zip").unlink()
    assert rows(Path("out")) == local_rows(capfd)


@pytest.mark.usefixtures("here")
def test_the_rows_of_parquet_at_a_url_are_called_as_here(
    folder: Path, capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    import pyarrow as pa
    import pyarrow.parquet as pq

    bucket(monkeypatch)
    for old in (folder / "docs").rglob("*.md"):
        old.unlink()
    pq.write_table(pa.table({"text": ["# A\n\none", None, "# B\n\ntwo"]}), folder / "docs" / "t.parquet")
    column = ("--text-column", "text")
    said = chunkscope(capfd, "run", "c.yaml", "mem://docs/t.parquet", "-o", "out/", "--engine", "daft", *column)

    assert said.err == "chunkscope: mem://docs/t.parquet, row 2: text is not a text\n"
    assert rows(Path("out")) == local_rows(capfd, *column)
    assert [each["document"] for each in manifest(Path("out"))] == ["t.parquet/row-1", "t.parquet/row-3"]


@needs_daft
def test_daft_reads_urls_and_writes_a_dataset_of_lance(folder: Path) -> None:
    import lance

    place = (folder / "docs").as_uri()
    command = ("run", "c.yaml", place, f"{place}/none.md", "-o", "out/", "--engine", "daft", "--lance", "kb.lance")
    said = process(*command)
    assert process("run", "c.yaml", "docs", "-o", "local/", "--format", "parquet").code == 0

    assert said.err == f"chunkscope: {place}/none.md: there is no such file or folder\n"
    there = lance.dataset("kb.lance").to_table().to_pylist()
    assert sorted(there, key=lambda row: (row["document"], row["start"])) == rows(folder / "local")


@needs_daft
def test_daft_gives_the_records_of_a_local_run_and_loses_nothing_with_a_worker(folder: Path) -> None:
    for number in range(40):
        (folder / "docs" / f"{number:02}.md").write_text(f"# {number}\n\n" + "A sentence of a text. " * 400)
    (folder / "docs" / "bad.md").write_bytes(b"caf\xe9\n")
    command = [sys.executable, "-m", "chunking", "run", "c.yaml", "docs", "-o", "out/", "--engine", "daft"]
    with subprocess.Popen([*command, "--workers", "2"], stderr=subprocess.PIPE, text=True) as started:
        while started.poll() is None and not [*folder.glob("out/parts/*/*.parquet")]:
            with suppress(subprocess.TimeoutExpired):
                started.wait(0.05)
        for worker in _workers_of(started.pid)[:1]:
            os.kill(worker, signal.SIGKILL)
        _, said = started.communicate()

    assert started.returncode == 2
    assert said.splitlines()[-1].startswith("chunkscope: docs/bad.md: byte 3 (0xE9) is not UTF-8")
    assert process("run", "c.yaml", "docs", "-o", "local/", "--format", "parquet").code == 2
    assert rows(folder / "out") == rows(folder / "local")
    assert process("verify", "out/").code == 0


@needs_daft
def test_daft_describes_chunks_as_a_local_run_and_asks_once_for_each(folder: Path) -> None:
    def answer(asked: Request, _: int) -> Reply:
        about = sha256(json.dumps(asked.body).encode()).hexdigest()[:8]
        return Reply(body={"choices": [{"message": {"content": f"About {about}."}, "finish_reason": "stop"}]})

    (folder / "c.yaml").write_text(DESCRIBED)
    with serving(answer) as server:
        for out, engine in (("local/", "local"), ("out/", "daft")):
            cache = {"CHUNKSCOPE_CACHE": str(folder / f"cache-{engine}"), "CHUNKSCOPE_BASE_URL": server.base_url}
            run_by = ("run", "c.yaml", "docs", "-o", out, "--engine", engine, "--format", "parquet")
            assert process(*run_by, **cache).code == 0

    chunks = rows(folder / "out")
    assert chunks == rows(folder / "local")
    assert all(str(each["text"]).startswith("[Context] About ") for each in chunks)
    assert len(server.requests) == 2 * len(chunks)


def _workers_of(parent: int) -> list[int]:
    """The worker processes of daft below a process."""
    threads = Path(f"/proc/{parent}/task").glob("*/children")
    children = [int(each) for thread in threads for each in thread.read_text().split()]
    return [each for each in children if b"udf_worker" in Path(f"/proc/{each}/cmdline").read_bytes()]
