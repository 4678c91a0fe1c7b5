"""No command writes over what it reads: another spelling, a link or a folder around it changes
nothing."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from sample_tokenizers import trained
from usual_and_long import usual

from chunking import cli

CONFIG = "chunkscope: 1\nstrategy: every-heading\ncounter: words\n"
GUIDE = "# Guide\n\nSteep the tea for four minutes.\n"
QUESTIONS = '{"question": "How long?", "references": ["four minutes"], "corpus_id": "guide.md"}\n'


@pytest.fixture(name="folder")
def _folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Documents with other names for one of them, a config, questions and chunks of another
    tool."""
    (tmp_path / "docs" / "deep").mkdir(parents=True)
    (tmp_path / "docs" / "guide.md").write_text(GUIDE, encoding="utf-8")
    (tmp_path / "docs" / "deep" / "more.md").write_text("# More\n\ntext\n", encoding="utf-8")
    (tmp_path / "c.yaml").write_text(CONFIG, encoding="utf-8")
    (tmp_path / "b.yaml").write_text(CONFIG, encoding="utf-8")
    (tmp_path / "q.jsonl").write_text(QUESTIONS, encoding="utf-8")
    (tmp_path / "soft.jsonl").symlink_to("docs/guide.md")
    os.link(tmp_path / "docs" / "guide.md", tmp_path / "hard.jsonl")
    (tmp_path / "linked").symlink_to("docs", target_is_directory=True)
    (tmp_path / "config-link.yaml").symlink_to("c.yaml")
    monkeypatch.chdir(tmp_path)
    return tmp_path


def contents(folder: Path) -> dict[str, bytes]:
    return {str(path.relative_to(folder)): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


SAME_FILE: dict[str, Callable[[], list[str]]] = {
    "as it was given": lambda: ["run", "c.yaml", "docs/guide.md", "-o", "docs/guide.md"],
    "another spelling": lambda: ["run", "c.yaml", "docs/guide.md", "-o", "docs/../docs/./guide.md"],
    "the whole path": lambda: ["run", "c.yaml", "docs/guide.md", "-o", str(Path("docs/guide.md").resolve())],
    "a symbolic link": lambda: ["run", "c.yaml", "docs/guide.md", "-o", "soft.jsonl"],
    "a hard link": lambda: ["run", "c.yaml", "docs/guide.md", "-o", "hard.jsonl"],
    "through a linked folder": lambda: ["run", "c.yaml", "docs/guide.md", "-o", "linked/guide.md"],
    "given by its link": lambda: ["run", "c.yaml", "soft.jsonl", "-o", "docs/guide.md"],
    "a document of the folder": lambda: ["run", "c.yaml", "docs", "-o", "docs/deep/more.md"],
    "a document of the folder, linked": lambda: ["run", "c.yaml", "docs", "-o", "hard.jsonl"],
    "a document of the linked folder": lambda: ["run", "c.yaml", "linked", "-o", "docs/guide.md"],
    "a document that another hides": lambda: ["run", "c.yaml", "docs/guide.md", "b.yaml", "-o", "b.yaml"],
    "a document as parquet": lambda: ["run", "c.yaml", "docs", "--format", "parquet", "-o", "docs/guide.md"],
    "a document as a store": lambda: ["run", "c.yaml", "docs", "--format", "sqlite", "-o", "docs/guide.md"],
    "a document as a report": lambda: ["run", "c.yaml", "docs", "--format", "html", "-o", "docs/guide.md"],
    "the config": lambda: ["run", "c.yaml", "docs", "-o", "./c.yaml"],
    "the config by its link": lambda: ["run", "c.yaml", "docs", "-o", "config-link.yaml"],
    "the proof over the config": lambda: ["run", "c.yaml", "docs", "--proof", "c.yaml"],
    "the proof over a document": lambda: ["run", "c.yaml", "docs", "--proof", "docs/guide.md"],
    "the baseline": lambda: ["run", "c.yaml", "docs", "--format", "html", "--baseline", "b.yaml", "-o", "b.yaml"],
    "the questions": lambda: ["tune", "docs", "--questions", "q.jsonl", "-o", "q.jsonl"],
    "a document of tune": lambda: ["tune", "docs", "--goal", "even-sizes", "-o", "docs/guide.md"],
    "the winner over a config": lambda: [
        *["evaluate", "c.yaml", "b.yaml", "--corpora", "docs", "--questions", "q.jsonl"],
        *["--search", "none", "--winner", "config-link.yaml"],
    ],
    "the winner over the questions": lambda: [
        *["evaluate", "c.yaml", "--corpora", "docs", "--questions", "q.jsonl", "--search", "none"],
        *["--winner", "q.jsonl"],
    ],
    "the winner over a document": lambda: [
        *["evaluate", "c.yaml", "--corpora", "docs", "--questions", "q.jsonl", "--search", "none"],
        *["--winner", "docs/guide.md"],
    ],
    "a document that is missing": lambda: ["run", "c.yaml", "gone.md", "-o", "gone.md"],
}


@pytest.mark.parametrize("how", SAME_FILE)
def test_an_output_that_is_an_input_is_refused_before_anything_is_written(
    folder: Path, how: str, capfd: pytest.CaptureFixture[str]
) -> None:
    before = contents(folder)

    code = cli.main(SAME_FILE[how]())
    said = capfd.readouterr()

    assert (code, said.out) == (2, "")
    assert said.err.count("\n") == 1
    assert "which is read; write to another file" in said.err
    assert contents(folder) == before


def test_two_outputs_that_are_one_file_are_refused_also_by_a_hard_link(
    folder: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    (folder / "old.jsonl").write_text("old")
    os.link(folder / "old.jsonl", folder / "old.yaml")

    code = cli.main(["run", "c.yaml", "docs", "-o", "old.jsonl", "--proof", "old.yaml"])

    assert code == 2
    assert "--proof old.yaml: is the file of -o too; give them two names" in capfd.readouterr().err
    assert (folder / "old.jsonl").read_text() == "old"


def test_a_new_file_beside_the_documents_and_one_named_as_a_strategy_are_written(folder: Path) -> None:
    assert cli.main(["run", "c.yaml", "docs", "-o", "docs/chunks.jsonl"]) == 0
    assert cli.main(["run", "fixed", "docs", "-o", "fixed"]) == 0
    assert cli.main(["run", "c.yaml", "docs", "-o", "/dev/null"]) == 0

    assert (folder / "docs" / "chunks.jsonl").read_text().count("\n") == 2
    assert (folder / "fixed").is_file()


def test_a_config_on_standard_input_is_an_input_too(folder: Path) -> None:
    command = [sys.executable, "-m", "chunking", "run", "-", "docs", "-o", "c.yaml"]
    with (folder / "c.yaml").open("rb") as config:
        done = subprocess.run(command, stdin=config, capture_output=True, text=True, check=False)

    assert done.returncode == 2
    assert "-o c.yaml: is the config, which is read" in done.stderr
    assert (folder / "c.yaml").read_text() == CONFIG


def test_records_are_not_added_to_the_document_they_are_made_of(folder: Path) -> None:
    command = [sys.executable, "-m", "chunking", "run", "c.yaml", "docs"]
    with (folder / "docs" / "guide.md").open("ab") as document:
        done = subprocess.run(command, stdout=document, stderr=subprocess.PIPE, text=True, check=False)

    assert done.returncode == 2
    assert "standard output: is the document docs/guide.md, which is read" in done.stderr
    assert (folder / "docs" / "guide.md").read_text() == GUIDE


READING = {
    "inspect": ["inspect", "c.yaml", "docs/guide.md"],
    "explain": ["explain", "c.yaml", "docs/guide.md", "--line", "3"],
    "verify": ["verify", "c.yaml", "docs"],
    "compare": ["compare", "c.yaml", "b.yaml", "docs"],
    "sweep": ["sweep", "fixed", "docs", "--set", "chunkSize=10,20"],
}


@pytest.mark.parametrize("how", usual(READING, "run"))
def test_what_a_command_says_is_not_added_to_a_document_it_reads(folder: Path, how: str) -> None:
    with (folder / "docs" / "guide.md").open("ab") as document:
        done = subprocess.run(
            [sys.executable, "-m", "chunking", *READING[how]],
            stdout=document,
            stderr=subprocess.PIPE,
            text=True,
            check=False,
        )

    assert (done.returncode, done.stderr.count("\n")) == (2, 1)
    assert "standard output: is the document docs/guide.md, which is read" in done.stderr
    assert (folder / "docs" / "guide.md").read_text() == GUIDE


COUNTED_BY_A_FILE = {
    "run": ["run", "t.yaml", "docs", "-o", "tok.json"],
    "the proof": ["run", "t.yaml", "docs", "--proof", "docs/../tok.json"],
    "the baseline's": ["run", "c.yaml", "docs", "--format", "html", "--baseline", "t.yaml", "-o", "tok.json"],
    "tune": ["tune", "docs", "--goal", "even-sizes", "--counter", "tokenizer.json:tok.json", "-o", "tok.json"],
    "evaluate": [
        *["evaluate", "t.yaml", "--corpora", "docs", "--questions", "q.jsonl", "--search", "none"],
        *["--winner", "tok.json"],
    ],
}


@pytest.mark.parametrize("how", COUNTED_BY_A_FILE)
def test_the_tokenizer_that_a_config_counts_with_is_an_input_too(
    folder: Path, how: str, capfd: pytest.CaptureFixture[str]
) -> None:
    (folder / "tok.json").write_bytes(trained("wordpiece"))
    (folder / "t.yaml").write_text("strategy: every-heading\ncounter: tokenizer.json:tok.json\n")
    before = contents(folder)

    code = cli.main(COUNTED_BY_A_FILE[how])
    said = capfd.readouterr()

    assert (code, said.out, said.err.count("\n")) == (2, "", 1)
    assert "is the tokenizer" in said.err
    assert contents(folder) == before
