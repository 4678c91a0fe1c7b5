"""A document that takes more than it may is stopped with one line, and the others are written."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from command_line import EXAMPLE, chunkscope

LARGE = "# A heading\n\nSome text below it.\n\n" * 40_000
"""Takes over a second to parse and cut on any machine."""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "a.md").write_text(LARGE, encoding="utf-8")
    (tmp_path / "b.md").write_text("# Small\n\ntext\n", encoding="utf-8")
    (tmp_path / "c.yaml").write_text(EXAMPLE, encoding="utf-8")
    return tmp_path


@pytest.mark.parametrize("workers", ["1", "2"])
def test_a_document_past_its_time_is_one_line_and_the_others_are_written(
    folder: Path, capfd: pytest.CaptureFixture[str], workers: str
) -> None:
    done = chunkscope(capfd, "run", f"{folder}/c.yaml", str(folder), "--max-seconds", "0.3", "--workers", workers)

    assert done.code == 2
    assert {line["document"] for line in done.lines} == {"b.md"}
    stopped = (
        f"{folder}/a.md: stopped after 0.3 s of work (--max-seconds 0.3); split the document, or give it more time"
    )
    assert f"chunkscope: {stopped}" in done.err.splitlines()


def test_a_document_past_its_memory_is_one_line(folder: Path, capfd: pytest.CaptureFixture[str]) -> None:
    done = chunkscope(capfd, "run", f"{folder}/c.yaml", str(folder), "--max-memory", "20", "--workers", "2")

    assert done.code == 2
    assert f"{folder}/a.md: stopped at 20 MB of memory (--max-memory 20); split" in done.err


@pytest.mark.parametrize("workers", ["1", "2"])
def test_a_report_leaves_a_document_past_its_time_out_and_has_the_others(
    folder: Path, capfd: pytest.CaptureFixture[str], workers: str
) -> None:
    (folder / "a.md").write_text(LARGE * 4, encoding="utf-8")  # the templates take a moment for any document
    options = ("--max-seconds", "2", "--workers", workers, "-o", f"{folder}/report.html")
    done = chunkscope(capfd, "run", f"{folder}/c.yaml", str(folder), *options)

    assert done.code == 2
    assert f"chunkscope: {folder}/a.md: stopped after 2 s of work (--max-seconds 2)" in done.err
    report = (folder / "report.html").read_text(encoding="utf-8")
    assert "b.md" in report
    assert "a.md" not in report


@pytest.mark.parametrize("format", ["markdown", "csv", "parquet"])
def test_every_format_leaves_a_document_past_its_time_out(
    folder: Path, capfd: pytest.CaptureFixture[str], format: str
) -> None:
    options = ("--max-seconds", "0.3", "--format", format, "-o", f"{folder}/chunks")
    done = chunkscope(capfd, "run", f"{folder}/c.yaml", str(folder), *options)

    assert done.code == 2
    assert f"chunkscope: {folder}/a.md: stopped after 0.3 s of work (--max-seconds 0.3)" in done.err
    assert b"Small" in (folder / "chunks").read_bytes()
    assert b"A heading" not in (folder / "chunks").read_bytes()


def test_stats_say_how_many_bytes_are_remembered_against_the_limit(
    folder: Path, capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("CHUNKSCOPE_MEMORY_MB", "64")
    (folder / "a.md").unlink()
    done = chunkscope(capfd, "run", f"{folder}/c.yaml", str(folder), "--stats")

    assert done.code == 0
    said = [line for line in done.err.splitlines() if "remembered" in line]
    assert len(said) == 1
    assert re.fullmatch(r"chunkscope: remembered of documents: [\d.]+ of 64 MB \(CHUNKSCOPE_MEMORY_MB\)", said[0])


def test_a_memory_limit_that_is_no_number_is_one_line(
    folder: Path, capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("CHUNKSCOPE_MEMORY_MB", "much")
    done = chunkscope(capfd, "run", f"{folder}/c.yaml", f"{folder}/b.md", "--stats")

    assert done.code == 2
    assert "CHUNKSCOPE_MEMORY_MB: 'much' is not a whole number; set it to one, such as 1000" in done.err
