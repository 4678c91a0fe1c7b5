"""`chunkscope run -o FOLDER/` and `plan`: nothing is cut twice, and a killed run goes on."""

from __future__ import annotations

import errno
import json
import os
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from command_line import CommandResult, chunkscope, process

from chunking.cli import pipeline, run_folder
from chunking.document.folders import FoundFile
from chunking.export.run_folder import Entry, RunFolder

pytestmark = pytest.mark.usefixtures("folder")


def contents(folder: Path) -> dict[str, bytes]:
    """Every file of a folder, by its path in it."""
    return {str(file.relative_to(folder)): file.read_bytes() for file in folder.rglob("*") if file.is_file()}


def entries(folder: Path) -> list[dict[str, object]]:
    return [json.loads(line) for line in (folder / "manifest.jsonl").read_text().splitlines()[1:]]


@pytest.fixture(name="cut")
def _cut(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The names of the documents that are cut from now on."""
    names: list[str] = []
    really = pipeline.cut_document

    def noting(found: FoundFile, *given: object, **more: object) -> object:
        names.append(found.name)
        return really(found, *given, **more)  # type: ignore[arg-type]

    monkeypatch.setattr(run_folder, "cut_document", noting)
    return names


def test_the_parts_together_are_what_a_run_to_one_file_writes(folder: Path, capfd: pytest.CaptureFixture[str]) -> None:
    whole = chunkscope(capfd, "run", "c.yaml", "docs", "--skips").out
    said = chunkscope(capfd, "run", "c.yaml", "docs", "--skips", "-o", "out/")

    assert said == CommandResult(0, "", "")
    about = json.loads((folder / "out" / "manifest.jsonl").read_text().splitlines()[0])
    assert (about["format"], about["parts"], about["skips"]) == ("chunkscope run 1", "jsonl", True)
    parts = [
        folder / "out" / "parts" / str(each["key"])[:2] / f"{each['key']}.jsonl" for each in entries(folder / "out")
    ]
    assert "".join(part.read_text() for part in parts) == whole
    assert [each["document"] for each in entries(folder / "out")] == ["guide.md", "more/short.md"]
    ids = [json.loads(line)["id"] for line in whole.splitlines() if json.loads(line)["type"] == "chunk"]
    assert [one[0] for each in entries(folder / "out") for one in each["ids"]] == ids  # type: ignore[attr-defined]
    assert len(contents(folder / "out")) == 3


def test_what_did_not_change_is_not_cut_again(folder: Path, cut: list[str], capfd: pytest.CaptureFixture[str]) -> None:
    chunkscope(capfd, "run", "c.yaml", "docs", "-o", "out/")
    first = contents(folder / "out")
    chunkscope(capfd, "run", "c.yaml", "docs", "-o", "out/")
    assert cut == ["guide.md", "more/short.md"]
    assert contents(folder / "out") == first

    (folder / "docs" / "more" / "short.md").write_text("Another.\n")
    (folder / "docs" / "new.md").write_text("New.\n")
    chunkscope(capfd, "run", "c.yaml", "docs", "-o", "out")
    assert cut[2:] == ["more/short.md", "new.md"]
    again = chunkscope(capfd, "run", "c.yaml", "docs", "-o", "fresh/")
    assert again.code == 0
    assert contents(folder / "out") == contents(folder / "fresh")


def test_another_override_cuts_only_the_documents_that_it_is_for(
    folder: Path, cut: list[str], capfd: pytest.CaptureFixture[str]
) -> None:
    for tokens in (100, 200):
        (folder / "o.yaml").write_text(f"strategy: hierarchical\noverrides: {{more/**: {{target: {tokens}}}}}\n")
        assert chunkscope(capfd, "run", "o.yaml", "docs", "-o", "out/").code == 0

    assert cut == ["guide.md", "more/short.md", "more/short.md"]


def test_a_run_that_was_interrupted_goes_on_and_leaves_what_an_undisturbed_one_does(
    folder: Path, cut: list[str], capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    for number in range(6):
        (folder / "docs" / f"{number}.md").write_text(f"# {number}\n\ntext\n")
    chunkscope(capfd, "run", "c.yaml", "docs", "-o", "undisturbed/")
    cut.clear()
    add = RunFolder.add

    def adds_three(self: RunFolder, entry: Entry) -> None:
        if len(cut) == 4:
            raise KeyboardInterrupt
        add(self, entry)

    with monkeypatch.context() as patch:
        patch.setattr(RunFolder, "add", adds_three)
        assert chunkscope(capfd, "run", "c.yaml", "docs", "-o", "out/").code == 130
    with (folder / "out" / "journal.jsonl").open("ab") as journal:
        journal.write(b'{"document": "torn')
    assert chunkscope(capfd, "run", "c.yaml", "docs", "-o", "out/").code == 0

    assert len(cut) == 4 + 5
    assert contents(folder / "out") == contents(folder / "undisturbed")


@pytest.mark.skipif(sys.platform == "win32", reason="files have no locks there")
def test_a_folder_that_another_run_writes_to_is_refused_until_that_lets_go(
    folder: Path, capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("chunking.export.run_folder._PATIENCE", 0.1)
    other = RunFolder(folder / "out", "jsonl")

    said = chunkscope(capfd, "run", "c.yaml", "docs", "-o", "out/")
    assert said == CommandResult(2, "", "chunkscope: out: another run writes to it; wait until that has ended\n")

    other.close()
    assert chunkscope(capfd, "run", "c.yaml", "docs", "-o", "out/").code == 0
    assert not (folder / "out" / "journal.jsonl").exists()


def test_parts_that_do_not_reach_the_disk_are_one_line_and_no_manifest_names_them(
    folder: Path, capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def fails(_: Path) -> None:
        raise OSError(errno.EIO, "Input/output error")

    with monkeypatch.context() as patch:
        patch.setattr("chunking.export.run_folder.on_disk", fails)
        said = chunkscope(capfd, "run", "c.yaml", "docs", "-o", "out/")

    assert said == CommandResult(
        2, "", "chunkscope: out: cannot be written (Input/output error); choose another with -o\n"
    )
    assert not (folder / "out" / "manifest.jsonl").exists()
    assert chunkscope(capfd, "run", "c.yaml", "docs", "-o", "out/").code == 0


def test_a_part_that_is_gone_or_was_cut_short_is_made_again(folder: Path, capfd: pytest.CaptureFixture[str]) -> None:
    chunkscope(capfd, "run", "c.yaml", "docs", "-o", "out/")
    before = contents(folder / "out")
    first, second = sorted((folder / "out" / "parts").glob("*/*"))
    first.unlink()
    second.write_bytes(second.read_bytes()[:-5])

    chunkscope(capfd, "run", "c.yaml", "docs", "-o", "out/")
    assert contents(folder / "out") == before


def test_workers_write_the_same_folder_and_a_bad_document_is_in_none(folder: Path) -> None:
    (folder / "docs" / "bad.md").write_bytes(b"caf\xe9\n")

    one, two = (process("run", "c.yaml", "docs", "-o", f"{workers}/", "--workers", workers) for workers in ("1", "2"))
    assert (one.code, one.err) == (two.code, two.err)
    assert one.code == 2
    assert "docs/bad.md: byte 3" in one.err
    assert contents(folder / "1") == contents(folder / "2")


@pytest.mark.parametrize("format", ["csv", "markdown", "parquet"])
def test_parts_have_the_format_that_was_asked_for(format: str, capfd: pytest.CaptureFixture[str]) -> None:
    if format == "parquet":
        pytest.importorskip("pyarrow")
    chunkscope(capfd, "run", "c.yaml", "docs/more", "-o", "out/", "--format", format)
    chunkscope(capfd, "run", "c.yaml", "docs/more", "-o", f"one.{format}", "--format", format)

    (part,) = Path("out/parts").glob("*/*")
    assert part.read_bytes() == Path(f"one.{format}").read_bytes()


@pytest.mark.parametrize("workers", ["1", "2"])
def test_a_folder_is_not_emptied_where_no_document_could_be_read(
    folder: Path, workers: str, capfd: pytest.CaptureFixture[str]
) -> None:
    chunkscope(capfd, "run", "c.yaml", "docs", "-o", "out/")
    before = contents(folder / "out")
    (folder / "docs").rename(folder / "elsewhere")

    said = chunkscope(capfd, "run", "c.yaml", "docs", "-o", "new/", "--workers", workers)
    assert said == CommandResult(2, "", "chunkscope: docs: there is no such file or folder\n")
    assert not (folder / "new").exists()
    said = chunkscope(capfd, "run", "c.yaml", "docs", "-o", "out/", "--workers", workers)
    assert said.err.endswith("chunkscope: out: left as it was, for not one document could be cut\n")
    assert (said.code, contents(folder / "out")) == (2, before)

    (folder / "docs").mkdir()
    (folder / "docs" / "guide.md").write_bytes(b"\xff\xfe\xff")
    said = chunkscope(capfd, "run", "c.yaml", "docs", "-o", "out/", "--workers", workers)
    assert said.code == 2
    assert "chunkscope: out: left as it was, for not one document could be cut\n" in said.err
    assert contents(folder / "out") == before


def test_a_folder_in_what_is_read_is_not_read(folder: Path, capfd: pytest.CaptureFixture[str]) -> None:
    for _ in range(2):
        assert chunkscope(capfd, "run", "c.yaml", ".", "-o", "docs/out/", "--format", "markdown").code == 0

    assert [each["document"] for each in entries(folder / "docs" / "out")] == ["docs/guide.md", "docs/more/short.md"]


@pytest.mark.parametrize(
    ("arguments", "problem"),
    [
        (["-o", "docs"], "docs: holds other files; give -o a new or empty folder"),
        (["-o", "c.yaml/"], "c.yaml: is a file; give -o another folder"),
        (["-o", "docs", "--format", "html"], "docs: holds other files; give -o a new or empty folder"),
        (["-o", "c.yaml/", "--format", "html"], "c.yaml: is a file; give -o another folder"),
        (
            ["-o", "out/", "--format", "sqlite"],
            "--format sqlite: is one file; give -o a file name, or a folder --format jsonl",
        ),
    ],
)
def test_what_cannot_be_a_folder_is_one_line(
    arguments: list[str], problem: str, capfd: pytest.CaptureFixture[str]
) -> None:
    said = chunkscope(capfd, "run", "fixed", "docs", *arguments)

    assert said.code == 2
    assert problem in said.err
    assert said.err.count("\n") == 1


def test_the_proof_of_a_run_to_a_folder_holds_also_where_nothing_was_cut(capfd: pytest.CaptureFixture[str]) -> None:
    for _ in range(2):
        chunkscope(capfd, "run", "c.yaml", "docs", "-o", "out/", "--proof", "p.yaml")
        assert chunkscope(capfd, "verify", "p.yaml", "docs").code == 0


def test_a_plan_says_what_to_keep_move_add_and_delete(folder: Path, capfd: pytest.CaptureFixture[str]) -> None:
    (folder / "e.yaml").write_text("strategy: every-heading\n")
    docs = folder / "docs"
    (docs / "a.md").write_text("# A\n\none\n\n## B\n\ntwo\n")
    (docs / "b.md").write_text("# C\n\nthree\n")
    chunkscope(capfd, "run", "e.yaml", "docs", "-o", "old/")
    (docs / "a.md").write_text("# A\n\none\n\n## B\n\ntwo and more\n")
    (docs / "b.md").rename(docs / "c.md")
    (docs / "more" / "short.md").unlink()
    chunkscope(capfd, "run", "e.yaml", "docs", "-o", "new/")

    plan = json.loads(chunkscope(capfd, "plan", "old", "new/manifest.jsonl", "--json").out)
    assert [each["document"] for each in plan["add"]] == ["a.md"]
    assert plan["tokens_to_embed"] == plan["add"][0]["tokens"] > 0
    assert [each["document"] for each in plan["move"]] == ["c.md"]
    assert plan["move"][0]["from"] in plan["delete"]
    assert len(plan["delete"]) == 3
    assert plan["renamed"] == [{"from": "b.md", "to": "c.md"}]
    shown = chunkscope(capfd, "plan", "old", "new").out
    assert "renamed: b.md is c.md" in shown
    assert chunkscope(capfd, "plan", "new", "new").out.splitlines()[2].split()[:3] == ["move", "0", "0"]


def test_a_copy_is_not_renamed_and_of_two_with_the_same_bytes_the_one_that_is_gone_is(
    folder: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    docs = folder / "docs"
    for name in ("a.md", "b.md"):
        (docs / name).write_text("# A\n\none\n")
    (docs / "c.md").write_text("# C\n\nthree\n")
    chunkscope(capfd, "run", "fixed", "docs", "-o", "old/")
    (docs / "b.md").rename(docs / "d.md")
    (docs / "copy.md").write_text("# C\n\nthree\n")
    chunkscope(capfd, "run", "fixed", "docs", "-o", "new/")

    plan = json.loads(chunkscope(capfd, "plan", "old", "new", "--json").out)
    assert plan["renamed"] == [{"from": "b.md", "to": "d.md"}]
    assert [each["document"] for each in plan["move"]] == ["copy.md", "d.md"]


def test_chunks_of_a_renamed_document_that_name_it_are_counted(folder: Path, capfd: pytest.CaptureFixture[str]) -> None:
    (folder / "h.yaml").write_text("strategy: section-rules\n")
    chunkscope(capfd, "run", "h.yaml", "docs", "-o", "old/")
    (folder / "docs" / "guide.md").rename(folder / "docs" / "manual.md")
    chunkscope(capfd, "run", "h.yaml", "docs", "-o", "new/")

    plan = json.loads(chunkscope(capfd, "plan", "old", "new", "--json").out)
    assert plan["renamed_to_embed"] == sum(each["document"] == "manual.md" for each in plan["add"])


@pytest.mark.parametrize(
    ("content", "problem"),
    [
        (b"", "is not a manifest of `chunkscope run -o FOLDER`"),
        (b"[]\n", "is not a manifest"),
        (b'{"format": "chunkscope run 1"}\n{"document": 3}\n', "line 2 is not about a document"),
        (b'{"format": "chunkscope run 1"}\n' + b"[" * 5000, "line 2 is not about a document"),
    ],
)
def test_a_manifest_that_is_none_is_one_line(
    content: bytes, problem: str, folder: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    (folder / "m.jsonl").write_bytes(content)

    for given in (["m.jsonl", "m.jsonl"], ["nowhere", "m.jsonl"]):
        said = chunkscope(capfd, "plan", *given)
        assert (said.code, said.out, said.err.count("\n")) == (2, "", 1)
        assert (problem if given[0] == "m.jsonl" else "nowhere: cannot be read (No such file") in said.err


def in_the_place_of(name: str, make: Callable[[Path], object]) -> Callable[[Path], object]:
    """Something else under the name of a file of the run, or of a part where it is left out."""

    def put(out: Path) -> None:
        place = out / name if name else next((out / "parts").rglob("*.jsonl"))
        place.unlink(missing_ok=True)
        make(place)

    return put


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="there are no pipes with a name")
@pytest.mark.parametrize(
    ("alter", "said"),
    [
        (in_the_place_of("manifest.jsonl", os.mkfifo), "out: cannot be written (it is not a file); choose another"),
        (in_the_place_of("journal.jsonl", os.mkfifo), "out: cannot be written (it is not a file); choose another"),
        (in_the_place_of("manifest.jsonl", Path.mkdir), "out: cannot be written (it is not a file); choose another"),
        (in_the_place_of("", Path.mkdir), ".jsonl: cannot be written (Is a directory); choose another place"),
    ],
)
def test_what_lies_in_the_place_of_a_file_of_the_run_is_one_line_and_not_waited_for(
    alter: Callable[[Path], object], said: str, folder: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    assert chunkscope(capfd, "run", "c.yaml", "docs", "-o", "out/").code == 0
    alter(folder / "out")

    again = chunkscope(capfd, "run", "c.yaml", "docs", "-o", "out/")

    assert (again.code, said in again.err) == (2, True)
    assert "internal error" not in again.err


def test_a_manifest_in_utf_16_is_none_and_everything_is_cut_again(
    folder: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    chunkscope(capfd, "run", "c.yaml", "docs", "-o", "out/")
    manifest = folder / "out" / "manifest.jsonl"
    written = manifest.read_bytes()
    manifest.write_bytes(written.decode().encode("utf-16"))

    assert "is not a manifest" in chunkscope(capfd, "plan", "out", "out").err
    assert chunkscope(capfd, "run", "c.yaml", "docs", "-o", "out/").code == 0
    assert manifest.read_bytes() == written
