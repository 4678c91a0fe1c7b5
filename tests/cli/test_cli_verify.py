"""`chunkscope run --proof` and `chunkscope verify`."""

from __future__ import annotations

import json
import re
import shutil
from pathlib import Path

import pytest
from command_line import EXAMPLE, CommandResult, chunkscope

from chunking.config.config import Config, read_yaml
from chunking.document import loaders
from chunking.document.loading import load
from chunking.runs import run
from chunking.runtime.extras import missing
from chunking.runtime.version import engine_version

FILES = Path(__file__).parents[1] / "document" / "files"
converts = pytest.mark.skipif(bool(missing("documents")), reason=missing("documents"))
pytestmark = pytest.mark.usefixtures("folder")
"""Every test stands in the folder that conftest.py makes; those that change it ask for its path."""


def test_a_proof_is_verified_and_a_changed_document_breaks_it(folder: Path, capfd: pytest.CaptureFixture[str]) -> None:
    assert chunkscope(capfd, "run", "c.yaml", "docs", "--proof", "proven.yaml").code == 0
    config, proof = read_yaml((folder / "proven.yaml").read_text())
    assert config == Config.from_yaml(EXAMPLE)
    assert proof is not None
    assert list(proof.documents) == ["guide.md", "more/short.md"]
    assert chunkscope(capfd, "verify", "proven.yaml", "docs") == CommandResult(
        0, "2 documents verified: all checks and the fingerprint match\n", ""
    )

    (folder / "docs" / "guide.md").write_text("# Guide\n")
    said = chunkscope(capfd, "verify", "proven.yaml", "docs")
    assert said.code == 1
    assert said.out.startswith("guide.md: the file changed (")


def test_the_proof_is_the_runs_fingerprint_with_or_without_skips_and_workers(
    folder: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    fingerprint = run(load(folder / "docs" / "guide.md"), Config.from_yaml(EXAMPLE)).fingerprint
    for more in ([], ["--skips"], ["--workers", "2"]):
        assert chunkscope(capfd, "run", "c.yaml", "docs", "--proof", "p.yaml", "-o", "o.jsonl", *more).code == 0
        _, proof = read_yaml((folder / "p.yaml").read_text())
        assert proof is not None
        assert proof.documents["guide.md"].chunks == f"sha256:{fingerprint}"


def test_a_proof_of_a_folder_holds_for_a_zip_of_it_by_its_bytes_and_with_more_workers(
    folder: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    shutil.make_archive("packed", "zip", folder, "docs")
    chunkscope(capfd, "run", "c.yaml", "docs", "--proof", "proven.yaml")
    of_zip = chunkscope(capfd, "run", "c.yaml", "packed.zip", "--workers", "2", "--proof", "zip.yaml")
    _, proof = read_yaml((folder / "zip.yaml").read_text())

    assert (of_zip.code, of_zip.err) == (0, "")
    assert proof is not None
    assert list(proof.documents) == ["packed.zip/docs/guide.md", "packed.zip/docs/more/short.md"]
    for each in ("proven.yaml", "zip.yaml"):
        said = chunkscope(capfd, "verify", each, "packed.zip")
        assert said == CommandResult(0, "2 documents verified: all checks and the fingerprint match\n", "")


def test_an_archive_is_an_input_that_no_output_replaces(folder: Path, capfd: pytest.CaptureFixture[str]) -> None:
    shutil.make_archive("packed", "zip", folder, "docs")
    said = chunkscope(capfd, "run", "c.yaml", "packed.zip", "-o", "packed.zip")

    assert (said.code, said.err) == (
        2,
        "chunkscope: -o packed.zip: is the document packed.zip, which is read; write to another file\n",
    )


def test_a_proof_never_takes_the_place_of_the_records(folder: Path, capfd: pytest.CaptureFixture[str]) -> None:
    said = chunkscope(capfd, "run", "fixed", "docs", "-o", "out.yaml", "--proof", "./out.yaml")

    assert (said.code, said.err) == (2, "chunkscope: --proof out.yaml: is the file of -o too; give them two names\n")
    assert not (folder / "out.yaml").exists()


def test_verify_finds_a_renamed_document_by_its_bytes_and_checks_it_under_the_proofs_name(
    folder: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    chunkscope(capfd, "run", "c.yaml", "docs", "--proof", "proven.yaml")
    (folder / "docs" / "guide.md").rename(folder / "docs" / "manual.md")
    (folder / "docs" / "more" / "short.md").rename(folder / "elsewhere.txt")

    said = chunkscope(capfd, "verify", "proven.yaml", "elsewhere.txt", "docs")

    assert said == CommandResult(0, "2 documents verified: all checks and the fingerprint match\n", "")


def test_verify_says_what_is_in_the_proof_alone_and_what_is_not_in_it(
    folder: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    chunkscope(capfd, "run", "c.yaml", "docs", "--proof", "proven.yaml")
    (folder / "docs" / "new.md").write_text("# New\n")
    more = chunkscope(capfd, "verify", "proven.yaml", "docs")
    fewer = chunkscope(capfd, "verify", "proven.yaml", "docs/guide.md")

    assert (more.code, fewer.code) == (1, 1)
    assert more.out.startswith("new.md: is not in the proof")
    assert fewer.out.startswith("more/short.md: is in the proof and not among the documents")


def test_verify_says_that_another_file_has_taken_a_proven_name(folder: Path, capfd: pytest.CaptureFixture[str]) -> None:
    chunkscope(capfd, "run", "c.yaml", "docs", "--proof", "proven.yaml")
    (folder / "docs" / "guide.md").rename(folder / "docs" / "old.md")
    (folder / "docs" / "guide.md").write_text("# Another\n")

    said = chunkscope(capfd, "verify", "proven.yaml", "docs")

    assert said.code == 1
    assert said.out.splitlines() == [
        "docs/guide.md: is not in the proof, so nothing is known of its chunks; prove it with `run --proof`"
    ]


def test_a_proof_written_before_the_wording_was_left_out_is_said_to_be_one(
    folder: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    chunkscope(capfd, "run", "c.yaml", "docs", "--proof", "proven.yaml")
    text = (folder / "proven.yaml").read_text()
    old = re.sub(r"chunks: sha256:\w{64}", f"chunks: sha256:{'0' * 64}", text.replace("  format: 2\n", ""))
    (folder / "proven.yaml").write_text(old)

    said = chunkscope(capfd, "verify", "proven.yaml", "docs")

    assert (said.code, said.out.count("\n")) == (1, 1)
    assert said.out.startswith("the proof is of an earlier format")
    assert "2 of 2 documents; write it anew with `run --proof`" in said.out

    (folder / "proven.yaml").write_text(text.replace("format: 2", "format: 3"))
    later = chunkscope(capfd, "verify", "proven.yaml", "docs")
    assert later.err.count("\n") == 1
    assert "proof.format: 3 is a later format than 2" in later.err


def test_an_unreadable_document_outweighs_a_failed_check(folder: Path, capfd: pytest.CaptureFixture[str]) -> None:
    chunkscope(capfd, "run", "c.yaml", "docs", "--proof", "proven.yaml")
    (folder / "docs" / "guide.md").write_bytes(b"\xff\xfe\xfd")

    assert chunkscope(capfd, "verify", "proven.yaml", "docs").code == 2


@converts
def test_verify_tells_another_converter_from_other_cuts(folder: Path, capfd: pytest.CaptureFixture[str]) -> None:
    shutil.copy(FILES / "by-hand.ipynb", folder / "a.ipynb")
    chunkscope(capfd, "run", "c.yaml", "a.ipynb", "--proof", "proven.yaml", "-o", "out.jsonl")
    proven = (folder / "proven.yaml").read_text("utf-8")
    of = f"chunkscope's reader of notebooks {engine_version()}"
    assert of in proven

    assert "the fingerprint match" in chunkscope(capfd, "verify", "proven.yaml", "a.ipynb").out
    (folder / "proven.yaml").write_text(proven.replace(of, "another 2.0"), "utf-8")
    same = chunkscope(capfd, "verify", "proven.yaml", "a.ipynb")
    text = proven.partition("text: sha256:")[2][:64]
    (folder / "proven.yaml").write_text(proven.replace(of, "another 2.0").replace(text, "0" * 64), "utf-8")
    other = chunkscope(capfd, "verify", "proven.yaml", "a.ipynb")

    assert same.code == 0
    assert same.out.startswith(f"a.ipynb: converted by {of}, in the proof by another 2.0: the same text\n1 document")
    assert other.code == 1
    assert f"by another 2.0 there, by {of} here" in other.out


@converts
def test_a_run_to_a_folder_cuts_again_what_another_version_converted(
    folder: Path, capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    shutil.copy(FILES / "by-hand.html", folder / "a.html")

    def written() -> int:
        assert chunkscope(capfd, "run", "c.yaml", "a.html", "-o", "out/", "--proof", "proven.yaml").code == 0
        (part,) = (folder / "out" / "parts").rglob("*.jsonl")
        return part.stat().st_mtime_ns

    first, second = written(), written()
    monkeypatch.setattr(loaders, "named_with_versions", lambda *_: "html-to-markdown 99")

    assert first == second < written()
    assert "text: sha256:" in (folder / "proven.yaml").read_text("utf-8")


def test_verify_speaks_json(capfd: pytest.CaptureFixture[str]) -> None:
    said = chunkscope(capfd, "verify", "c.yaml", "docs", "--json")

    assert json.loads(said.out) == {"documents": 2, "proof": False, "failures": []}


def test_verify_reports_the_checklist_and_the_chunks_of_each_module(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "book" / "module-1").mkdir(parents=True)
    (tmp_path / "book" / "module-1" / "a.md").write_text("# A\n\n" + "word " * 150 + "\n", encoding="utf-8")
    (tmp_path / "c.yaml").write_text("strategy: section-rules\n", encoding="utf-8")
    arguments = ["verify", str(tmp_path / "c.yaml"), str(tmp_path / "book"), "--checklist"]

    passed = chunkscope(capfd, *arguments, "--expect", "module-1=1-2")
    failed = chunkscope(capfd, *arguments, "--expect", "module-1=2-3")

    assert passed.code == 0
    assert "  pass  all chunks have 100 to 1000 tokens of content\n" in passed.out
    assert "  warn  chunks have 300 to 600 tokens, the target: chunk #1\n" in passed.out
    assert "module module-1: 1 chunk in 1 chapter, expected 1 to 2\n" in passed.out
    assert failed.code == 1
