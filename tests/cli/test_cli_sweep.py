"""`chunkscope sweep` as a script sees it: rows in order, illegal cells among them, one-line
errors."""

from __future__ import annotations

import csv
import json
import subprocess
import sys
from pathlib import Path

import pytest

from chunking import cli

pytestmark = pytest.mark.usefixtures("_folder")


@pytest.fixture
def _folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "docs").mkdir()
    (tmp_path / "docs" / "a.md").write_text("# A\n\none two three\n\n## B\n\nfour\n", encoding="utf-8")
    (tmp_path / "docs" / "b.md").write_text("# C\n\nfive\n", encoding="utf-8")
    (tmp_path / "c.yaml").write_text(
        "strategy: heading-window\nsettings: {shortTail: keep, minTokens: 0, minTokensDeeper: 0}\ncounter: words\n",
        encoding="utf-8",
    )
    monkeypatch.chdir(tmp_path)


def test_rows_are_in_the_axes_order_and_an_illegal_cell_is_a_row(capfd: pytest.CaptureFixture[str]) -> None:
    code = cli.main(["sweep", "c.yaml", "docs", "--set", "minTokens=0:20:20", "--set", "maxTokens=10,30"])
    said = capfd.readouterr()
    rows = list(csv.DictReader(said.out.splitlines()))

    assert code == 0
    assert said.err == ""
    assert [(row["minTokens"], row["maxTokens"]) for row in rows] == [
        ("0", "10"),
        ("0", "30"),
        ("20", "10"),
        ("20", "30"),
    ]
    assert [row["documents"] for row in rows] == ["2", "2", "", "2"]
    assert [row["chunks"] for row in rows] == ["3", "3", "", "3"]
    assert rows[2]["error"] == "minTokens: 20 is more than maxTokens (10); lower minTokens or raise maxTokens"
    assert rows[0]["error"] == ""


def test_a_switch_is_written_as_set_takes_it(capfd: pytest.CaptureFixture[str]) -> None:
    cli.main(["sweep", "c.yaml", "docs", "--set", "h1Rule=true,false"])

    assert [line.split(",")[0] for line in capfd.readouterr().out.splitlines()] == ["h1Rule", "true", "false"]


def test_json_has_the_same_cells(capfd: pytest.CaptureFixture[str]) -> None:
    code = cli.main(["sweep", "c.yaml", "docs/a.md", "--set", "minTokens=0", "--json"])
    (cell,) = json.loads(capfd.readouterr().out)

    assert code == 0
    assert cell["settings"] == {"minTokens": 0}
    assert cell["counter"] == "words"
    assert cell["chunks"] == 2
    assert cell["error"] == ""
    assert cell["under_share"] == 0.0


def test_questions_add_what_becomes_of_their_answers(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    row = {"question": "?", "references": ["two three"], "corpus_id": "a"}
    (tmp_path / "q.jsonl").write_text(json.dumps(row), encoding="utf-8")

    code = cli.main(
        ["sweep", "c.yaml", "docs", "--set", "maxTokens=4,30", "--set", "minTokens=0", "--questions", "q.jsonl"]
    )
    rows = list(csv.DictReader(capfd.readouterr().out.splitlines()))

    assert code == 0
    assert rows[1]["answers_cut"] == "0"
    assert float(rows[1]["precision_omega"]) == round(9 / len("# A\n\none two three\n\n"), 4)


def test_an_unknown_setting_is_one_line_and_exit_2(capfd: pytest.CaptureFixture[str]) -> None:
    code = cli.main(["sweep", "c.yaml", "docs", "--set", "minToken=1,2"])
    said = capfd.readouterr()

    assert code == 2
    assert said.out == ""
    assert said.err == "chunkscope: minToken: heading-window has no such setting; did you mean minTokens?\n"


def test_a_document_that_cannot_be_read_is_reported_and_the_others_are_swept(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "docs" / "bad.md").write_bytes(b"\xff\xff")

    code = cli.main(["sweep", "c.yaml", "docs", "--set", "minTokens=0"])
    said = capfd.readouterr()

    assert code == 2
    assert "bad.md" in said.err
    assert said.out.splitlines()[1].startswith("0,2,3,")


def test_ctrl_c_leaves_the_cells_that_are_measured(tmp_path: Path) -> None:
    (tmp_path / "large.md").write_text("# A\n\none two three\n\n## B\n\nfour\n\n" * 3_000, encoding="utf-8")
    program = (
        "import signal, sys, threading\n"
        "from chunking import cli\n"
        "from chunking.tuning import sweeps\n"
        "run, cells = sweeps.measure_all, []\n"
        "def interrupted(*args, **kwargs):\n"
        "    for number, each in enumerate(run(*args, **kwargs)):\n"
        "        if number == 3: signal.raise_signal(signal.SIGINT)\n"
        "        yield each\n"
        "sweeps.measure_all = interrupted\n"
        "sys.exit(cli.main(['sweep', 'c.yaml', 'large.md', '--set', 'maxTokens=10:500:10', '--workers', '2']))\n"
    )
    done = subprocess.run([sys.executable, "-c", program], cwd=tmp_path, capture_output=True, text=True, timeout=60)

    assert done.returncode == 130
    assert len(done.stdout.splitlines()) == 1 + 3
    assert done.stderr == "chunkscope: interrupted: 3 of 50 cells were measured\n"


def test_what_does_not_hold_is_named(capfd: pytest.CaptureFixture[str]) -> None:
    cli.main(["sweep", "c.yaml", "docs/a.md", "--set", "maxTokens=4,30"])
    rows = list(csv.DictReader(capfd.readouterr().out.splitlines()))

    assert [row["broken"] for row in rows] == ["text-under-headings", ""]


def test_a_person_who_watches_is_told_what_counted_the_tokens(
    capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("sys.stderr.isatty", lambda: True)

    assert cli.main(["sweep", "c.yaml", "docs", "--set", "minTokens=0"]) == 0
    said = capfd.readouterr()
    assert said.err.rpartition("\x1b[2K")[2] == "chunkscope: tokenizer words, an estimate\n"
    assert "counted" not in said.out
