"""A file of another tool's chunks stands wherever a config does."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import pytest

from chunking import cli

TEA = "# Tea\n\nBoil water. Warm the pot.\n\n## Steep\n\nThree minutes for black tea, two for a green one.\n"
ROWS = [
    {"page_content": "# Tea\n\nBoil water.", "metadata": {"source": "tea.md", "start_index": 0}},
    {"page_content": "Warm the pot.", "metadata": {"source": "tea.md", "start_index": 22}},
    {
        "page_content": "Three minutes for other tea, two for a green one.",
        "metadata": {"source": "tea.md", "start_index": 44},
    },
]


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    Path("docs").mkdir()
    Path("docs/tea.md").write_text(TEA, encoding="utf-8")
    Path("theirs.jsonl").write_text("\n".join(map(json.dumps, ROWS)), encoding="utf-8")
    return tmp_path


def test_inspect_shows_boundaries_and_the_audit(capfd: pytest.CaptureFixture[str]) -> None:
    code = cli.main(["inspect", "theirs.jsonl", "docs/tea.md"])

    said = capfd.readouterr().out
    assert code == 0
    assert "3 chunks: 2 verbatim, 1 altered" in said
    assert "line 3: 1 of 12 words and signs are not in the source there" in said
    assert ") in no chunk: line 5" in said
    assert "offsets: 1 of 2 chunks is not where they say: their starts are up to 3 off, counted in code points" in said
    assert "a sentence begins here; why it was cut here is not known" in said


def test_inspect_json_has_the_audit(capfd: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["inspect", "theirs.jsonl", "docs/tea.md", "--json"]) == 0

    audit = json.loads(capfd.readouterr().out)["audit"]
    assert audit["verdicts"]["verbatim"] == 2
    assert audit["lost"] == [[34, 42]]
    assert [row["where"] for row in audit["rows"]] == ["line 3"]


@pytest.mark.parametrize(
    ("arguments", "code"),
    [
        (["compare", "hierarchical", "theirs.jsonl", "docs"], 0),
        (["compare", "theirs.jsonl", "theirs.jsonl", "docs", "--max-changed", "0%"], 0),
        (["explain", "theirs.jsonl", "docs/tea.md", "--line", "5"], 0),
        (["verify", "theirs.jsonl", "docs"], 1),
        (["inspect", "theirs.jsonl", "docs", "--health"], 0),
        (["run", "theirs.jsonl", "docs", "--format", "html"], 0),
        (["run", "theirs.jsonl", "docs", "--workers", "1"], 0),
    ],
)
def test_every_command_takes_it_in_the_place_of_a_config(
    arguments: list[str], code: int, capfd: pytest.CaptureFixture[str]
) -> None:
    assert cli.main(arguments) == code

    said = capfd.readouterr()
    assert said.out
    assert "Traceback" not in said.err


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (["sweep", "theirs.jsonl", "docs", "--set", "a=1:2:1"], "theirs.jsonl: chunks made elsewhere have no settings"),
        (["run", "theirs.jsonl", "docs", "-o", "out/"], "chunks made elsewhere have no YAML"),
        (["run", "theirs.jsonl", "docs", "-o", "out.csv", "--proof", "p.yaml"], "chunks made elsewhere have no YAML"),
        (["inspect", "nowhere.json", "docs/tea.md"], "nowhere.json: cannot be read (No such file or directory)"),
        (["inspect", "bad.csv", "docs/tea.md"], "bad.csv: is not a chunk file"),
    ],
)
def test_what_needs_a_yaml_refuses_it_in_one_line_and_writes_nothing(
    arguments: list[str], says: str, folder: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    (folder / "bad.csv").write_text("a,b\n1,2\n")
    before = sorted(folder.rglob("*"))

    assert cli.main(arguments) == 2

    said = capfd.readouterr()
    assert said.err.startswith(f"chunkscope: {says}")
    assert said.err.count("\n") == 1
    assert sorted(folder.rglob("*")) == before


def test_a_json_with_a_strategy_is_a_config(folder: Path, capfd: pytest.CaptureFixture[str]) -> None:
    (folder / "c.json").write_text('{"strategy": "fixed"}')

    assert cli.main(["inspect", "c.json", "docs/tea.md"]) == 0
    assert "by fixed" in capfd.readouterr().out


def test_a_chunker_stands_where_a_config_does(folder: Path, capfd: pytest.CaptureFixture[str]) -> None:
    (folder / "prog.py").write_text("import sys, json\nprint(json.dumps({'text': sys.stdin.read()}))")
    (folder / "splits_for_a_cli_test.py").write_text("def split(text):\n    return text.split('\\n\\n')\n")

    chunkers = ["--chunker", "splits_for_a_cli_test:split", "--chunker-command=" + f"{sys.executable} prog.py"]
    assert cli.main(["compare", *chunkers, "docs", "--json"]) == 0

    assert json.loads(capfd.readouterr().out)["total"]["chunks"] == {"before": 4, "after": 1}


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (["inspect", "docs/tea.md", "--chunker"], "--chunker: its value is missing"),
        (["inspect", "--chunker", "nowhere_at_all:split", "docs/tea.md"], "--chunker nowhere_at_all:split: "),
        (
            ["run", "--chunker-command", "no-such-program-at-all", "docs"],
            "docs/tea.md: --chunker-command no-such-program",
        ),
    ],
)
def test_a_chunker_that_is_none_is_one_line(arguments: list[str], says: str, capfd: pytest.CaptureFixture[str]) -> None:
    assert cli.main(arguments) == 2

    assert capfd.readouterr().err.startswith(f"chunkscope: {says}")
