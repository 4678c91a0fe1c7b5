"""`chunkscope inspect` and `chunkscope explain`."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from command_line import EXAMPLE, CommandResult, chunkscope

from chunking.cli.inspect import histogram
from chunking.config.config import Config
from chunking.document.loading import load
from chunking.runs import run

pytestmark = pytest.mark.usefixtures("folder")
"""Every test stands in the folder that conftest.py makes; those that change it ask for its path."""


def test_inspect_shows_each_chunk_on_a_line_with_its_reason(capfd: pytest.CaptureFixture[str]) -> None:
    said = chunkscope(capfd, "inspect", "c.yaml", "docs/guide.md")

    assert [line.split()[:4] for line in said.out.splitlines()[1:4]] == [
        ["#1", "1-3", "4", "heading"],
        ["#2", "5-7", "4", "heading"],
        ["#3", "9-11", "5", "end"],
    ]
    assert "guide.md: 3 chunks by every-heading, about 13 tokens (words), median 4" in said.out


def test_inspect_speaks_json_with_the_fingerprint_and_the_records(capfd: pytest.CaptureFixture[str]) -> None:
    said = json.loads(chunkscope(capfd, "inspect", "c.yaml", "docs/guide.md", "--json").out)

    assert said["fingerprint"] == run(load("docs/guide.md"), Config.from_yaml(EXAMPLE)).fingerprint
    assert [each["index"] for each in said["records"]] == [0, 1, 2]
    assert said["metrics"]["chunk_count"] == 3


def test_a_document_cannot_send_commands_to_the_terminal(folder: Path, capfd: pytest.CaptureFixture[str]) -> None:
    (folder / "evil.md").write_text("# A \x1b]0;owned\x07 [red]B[/red]\n\nx\n\n## C\n\ny\n")
    shown = chunkscope(capfd, "inspect", "c.yaml", "evil.md").out
    explained = chunkscope(capfd, "explain", "c.yaml", "evil.md", "--line", "5").out

    assert "[U+001B]]0;owned[U+0007] [red]B[/red]" in shown
    assert not any(character < " " and character != "\n" for character in shown + explained)


def test_inspect_takes_one_document(capfd: pytest.CaptureFixture[str]) -> None:
    said = chunkscope(capfd, "inspect", "c.yaml", "docs")

    assert said == CommandResult(
        2, "", "chunkscope: docs: contains 2 documents and one is needed; give the path of a file in it\n"
    )


def test_explain_names_the_boundary_nearest_the_line(capfd: pytest.CaptureFixture[str]) -> None:
    said = chunkscope(capfd, "explain", "c.yaml", "docs/guide.md", "--line", "6")

    assert said.out == "guide.md, before line 5\n  the next heading begins on line 5 (heading)\n"
    as_json = json.loads(chunkscope(capfd, "explain", "c.yaml", "docs/guide.md", "--line", "6", "--json").out)
    assert (as_json["offset"], as_json["line"], as_json["ranges"]) == (23, 5, [])


def test_explain_refuses_a_line_that_is_not_there(capfd: pytest.CaptureFixture[str]) -> None:
    said = chunkscope(capfd, "explain", "c.yaml", "docs/guide.md", "--line", "99")

    assert said == CommandResult(2, "", "chunkscope: guide.md: has no line 99; its lines are 1 to 11\n")


def test_the_histogram_has_equal_classes_from_0_to_the_largest_size() -> None:
    assert histogram([5, 5, 95]) == [
        "0 to 9    ████████████████████████████████████████ 2",
        *(f"{at} to {at + 9}   0" for at in range(10, 90, 10)),
        "90 to 99  ████████████████████ 1",
    ]
    assert histogram([]) == []


TABLE = "# Prices\n\n| tea | price |\n|---|---|\n" + "".join(f"| kind {n} | {n} |\n" for n in range(60))


def test_the_health_of_a_folder_is_told_by_document_the_worst_first_and_the_code_is_1(
    folder: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    (folder / "docs" / "table.md").write_text(TABLE)
    said = chunkscope(capfd, "inspect", "fixed", "docs", "--health", "--exclude", "table.md")
    (folder / "small.yaml").write_text("strategy: fixed\nsettings: {chunkSize: 300, chunkOverlap: 0}\n")
    cut = chunkscope(capfd, "inspect", "small.yaml", "docs", "--health")

    assert said.code == 0
    assert cut.code == 1
    first, *_ = cut.out.splitlines()[1:]
    assert first.startswith("table.md")
    assert "Tables kept whole: cut" in first
    assert cut.out.splitlines()[-1].startswith("3 documents, ")
    assert "1 failed" in cut.out.splitlines()[-1]


def test_the_health_of_several_documents_is_json_or_markdown_too(
    folder: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    (folder / "docs" / "ta|ble.md").write_text(TABLE)
    (folder / "small.yaml").write_text("strategy: fixed\nsettings: {chunkSize: 300, chunkOverlap: 0}\n")

    found = json.loads(chunkscope(capfd, "inspect", "small.yaml", "docs", "--health", "--json").out)
    markdown = chunkscope(capfd, "inspect", "small.yaml", "docs", "--health", "--markdown").out

    assert found["documents"][0]["document"] == "ta|ble.md"
    assert "tables" in {check["name"] for check in found["documents"][0]["health"]}
    assert found["total"]["documents"] == 3
    assert markdown.startswith(
        "| document | chunks | failed | warnings | what |\n|---|---:|---:|---:|---|\n| ta\\|ble.md |"
    )


def test_a_document_that_cannot_be_read_is_said_beside_the_health_of_the_others(
    folder: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    (folder / "docs" / "bad.md").write_bytes(b"caf\xe9\n")

    said = chunkscope(capfd, "inspect", "c.yaml", "docs", "--health")

    assert said.code == 2
    assert said.err.startswith("chunkscope: docs/bad.md: byte 3 (0xE9) is not UTF-8")
    assert said.out.splitlines()[-1].startswith("2 documents, ")


def test_several_documents_are_shown_with_health_only(capfd: pytest.CaptureFixture[str]) -> None:
    said = chunkscope(capfd, "inspect", "c.yaml", "docs/guide.md", "docs/more/short.md")

    assert said == CommandResult(
        2, "", "chunkscope: inspect: shows one document; with --health, several, and --markdown\n"
    )
