"""`chunkscope verify FOLDER`: the parts that a run wrote are what its manifest says."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest
from command_line import CommandResult, chunkscope

pytestmark = pytest.mark.usefixtures("folder")

PASSED = CommandResult(0, "2 documents verified: every part is what the config makes of it\n", "")


def part_of(name: str, out: Path = Path("out")) -> Path:
    """The part of a document."""
    for line in (out / "manifest.jsonl").read_text().splitlines()[1:]:
        if (entry := json.loads(line))["document"] == name:
            return next((out / "parts").glob(f"*/{entry['key']}.*"))
    raise LookupError(name)


def entry_changed(**values: object) -> Callable[[], object]:
    """The manifest says something else of guide.md."""

    def change() -> None:
        manifest = Path("out/manifest.jsonl")
        head, first, *rest = manifest.read_text().splitlines()
        manifest.write_text("\n".join([head, json.dumps({**json.loads(first), **values}), *rest, ""]))

    return change


@pytest.mark.parametrize("options", [[], ["--skips"], ["--format", "csv"], ["--format", "parquet"]])
def test_a_folder_is_verified_where_its_run_read_the_documents(
    options: list[str], folder: Path, capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    if "parquet" in options:
        pytest.importorskip("pyarrow")
    chunkscope(capfd, "run", "c.yaml", "docs", "-o", "out/", *options)

    assert chunkscope(capfd, "verify", "out/") == PASSED
    assert chunkscope(capfd, "verify", "out/manifest.jsonl") == PASSED
    assert json.loads(chunkscope(capfd, "verify", "out", "--json").out) == {
        "documents": 2,
        "proof": True,
        "failures": [],
    }
    (folder / "elsewhere").mkdir()
    monkeypatch.chdir(folder / "elsewhere")
    assert chunkscope(capfd, "verify", "../out") == PASSED


def test_documents_that_were_moved_are_given_and_found_by_their_bytes(
    folder: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    chunkscope(capfd, "run", "c.yaml", "docs", "-o", "out/")
    (folder / "docs").rename(folder / "moved")
    (folder / "moved" / "guide.md").rename(folder / "moved" / "manual.md")

    gone = chunkscope(capfd, "verify", "out")
    assert (gone.code, gone.err.count("\n")) == (2, 2)
    assert "docs/guide.md: there is no such file; give the folder of the documents too" in gone.err
    assert chunkscope(capfd, "verify", "out", "moved") == PASSED


def test_documents_of_an_archive_are_read_in_it(folder: Path, capfd: pytest.CaptureFixture[str]) -> None:
    shutil.make_archive("packed", "zip", folder, "docs")
    chunkscope(capfd, "run", "c.yaml", "packed.zip", "-o", "out/")
    assert chunkscope(capfd, "verify", "out") == PASSED

    shutil.make_archive("packed", "zip", folder / "docs", "more")
    said = chunkscope(capfd, "verify", "out")
    assert said.code == 1
    assert "packed.zip/docs/guide.md: is in the manifest and not among the documents" in said.out


@pytest.mark.parametrize(
    ("damage", "said"),
    [
        (lambda: part_of("guide.md").unlink(), "guide.md: its part out/parts/"),
        (lambda: part_of("guide.md").unlink(), "cannot be read (No such file or directory); run again"),
        (lambda: part_of("guide.md").write_text("{}\n"), "differs in line 1 from what the config makes of it"),
        (
            lambda: part_of("guide.md").write_bytes(part_of("guide.md").read_bytes().replace(b"Hello", b"Jello")),
            "differs in line 1 from what the config makes of it; delete it and run again",
        ),
        (lambda: Path("docs/guide.md").write_text("# Other\n"), "guide.md: the file changed since the run; run again"),
        (lambda: Path("out/parts/ab.jsonl").write_text(""), "out/parts/ab.jsonl: is of no document in the manifest"),
        (lambda: Path("out/journal.jsonl").write_text(""), "out/journal.jsonl: is of no document in the manifest"),
        (entry_changed(chunks="sha256:0"), "guide.md: the chunks differ from the manifest's"),
        (entry_changed(ids=[]), "guide.md: the ids of its chunks differ from the manifest's"),
        (entry_changed(key="../../c"), "guide.md: its key in the manifest is ../../c, not "),
        (entry_changed(document="more/short.md"), "more/short.md: is in the manifest twice"),
    ],
)
def test_whatever_differs_is_a_line_that_names_it_and_the_code_is_1(
    damage: Callable[[], object], said: str, capfd: pytest.CaptureFixture[str]
) -> None:
    chunkscope(capfd, "run", "c.yaml", "docs", "-o", "out/")
    damage()
    verified = chunkscope(capfd, "verify", "out")

    assert (verified.code, verified.err) == (1, "")
    assert said in verified.out


def test_an_override_and_a_part_of_the_documents_are_verified(folder: Path, capfd: pytest.CaptureFixture[str]) -> None:
    (folder / "o.yaml").write_text("strategy: hierarchical\noverrides: {more/**: {target: 100}}\n")
    chunkscope(capfd, "run", "o.yaml", "docs", "-o", "out/")

    assert chunkscope(capfd, "verify", "out") == PASSED
    one = chunkscope(capfd, "verify", "out", "--include", "more/**")
    assert one == CommandResult(0, "1 document verified: every part is what the config makes of it\n", "")


@pytest.mark.parametrize(
    ("document", "said"),
    [("../c.yaml", "c.yaml: there is no such file"), ("/etc/hostname", "/etc/hostname: there is no such file")],
)
def test_a_manifest_cannot_lead_out_of_the_root(document: str, said: str, capfd: pytest.CaptureFixture[str]) -> None:
    chunkscope(capfd, "run", "c.yaml", "docs", "-o", "out/")
    entry_changed(document=document)()
    verified = chunkscope(capfd, "verify", "out")

    assert (verified.code, verified.err.count("\n")) == (2, 1)
    assert said in verified.err


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["docs"], "docs is not a config, and there is no chunkscope.yaml"),
        (["docs"], "before it, or a folder that run -o wrote"),
        (["out", "--checklist"], "--checklist and --expect: are for a config and documents"),
        (["c.yaml"], "verify: which documents? Give files and folders behind the config"),
    ],
)
def test_what_cannot_be_verified_is_one_line(
    arguments: list[str], said: str, capfd: pytest.CaptureFixture[str]
) -> None:
    chunkscope(capfd, "run", "c.yaml", "docs", "-o", "out/")
    verified = chunkscope(capfd, "verify", *arguments)

    assert (verified.code, verified.out, verified.err.count("\n")) == (2, "", 1)
    assert said in verified.err


def test_files_without_a_root_in_common_have_to_be_given(capfd: pytest.CaptureFixture[str]) -> None:
    paths = ["docs/guide.md", "docs/more/short.md"]
    chunkscope(capfd, "run", "c.yaml", *paths, "-o", "out/")

    alone = chunkscope(capfd, "verify", "out")
    assert alone.code == 2
    assert "out: its documents have no root in common; give their paths too: chunkscope verify out PATH..." in alone.err
    assert chunkscope(capfd, "verify", "out", *paths) == PASSED
