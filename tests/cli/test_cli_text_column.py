"""Rows of tables by the config's `loader.textColumn`, and by --text-column in its place."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from command_line import chunkscope

pytestmark = pytest.mark.usefixtures("folder")

ROWS = 'id,body,note\n1,# One,short\n2,"# Two\n\nMore of it.",long\n'


@pytest.fixture(autouse=True)
def _rows(folder: Path) -> None:
    (folder / "rows.yaml").write_text("strategy: every-heading\ncounter: words\nloader: {textColumn: body}\n")
    (folder / "docs" / "rows.csv").write_text(ROWS, "utf-8")


def test_the_config_names_the_column_for_every_command(capfd: pytest.CaptureFixture[str]) -> None:
    ran = chunkscope(capfd, "run", "rows.yaml", "docs/rows.csv")
    compared = chunkscope(capfd, "compare", "rows.yaml", "fixed", "docs/rows.csv", "--json")
    swept = chunkscope(capfd, "sweep", "fixed", "docs/rows.csv", "--set", "chunkSize=100,200", "--text-column", "note")
    health = chunkscope(capfd, "inspect", "rows.yaml", "docs/rows.csv", "--health", "--json")

    assert [line["document"] for line in ran.lines] == ["rows.csv/row-1", "rows.csv/row-2"]
    assert [each["document"] for each in json.loads(compared.out)["documents"]] == ["rows.csv/row-1", "rows.csv/row-2"]
    assert swept.code == 0, swept.err
    assert "row-2" in health.out


def test_an_option_takes_its_place_and_stands_in_what_is_written(
    folder: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    done = chunkscope(capfd, "run", "rows.yaml", "docs/rows.csv", "--text-column", "note", "--proof", "proven.yaml")
    chunkscope(capfd, "run", "c.yaml", "docs/rows.csv", "--text-column", "note", "-o", "out/")

    assert [line["text"] for line in done.lines] == ["short", "long"]
    assert "loader:\n  textColumn: note\n" in (folder / "proven.yaml").read_text("utf-8")
    assert chunkscope(capfd, "verify", "proven.yaml", "docs/rows.csv").code == 0
    assert chunkscope(capfd, "verify", "out").code == 0


def test_tune_writes_the_column_and_evaluate_reads_it(folder: Path, capfd: pytest.CaptureFixture[str]) -> None:
    options = ("--text-column", "body", "--goal", "even-sizes", "--strategy", "fixed", "--trials", "2")
    tuned = chunkscope(capfd, "tune", "docs/rows.csv", *options, "-o", "best.yaml")
    asked = {"question": "more?", "references": [{"content": "More of it.", "start_index": 7, "end_index": 18}]}
    (folder / "asked.jsonl").write_text(json.dumps({**asked, "corpus_id": "rows.csv/row-2"}) + "\n", "utf-8")
    corpus = ("--corpora", "docs", "--questions", "asked.jsonl", "--search", "none", "--json")
    by_config = chunkscope(capfd, "evaluate", "rows.yaml", *corpus)
    by_option = chunkscope(capfd, "evaluate", "every-heading", *corpus, "--text-column", "body")

    assert tuned.code in (0, 1), tuned.err
    assert "textColumn: body" in (folder / "best.yaml").read_text("utf-8")
    assert (by_config.code, by_option.code) == (0, 0), by_config.err + by_option.err


def test_what_cannot_be_is_one_line(folder: Path, capfd: pytest.CaptureFixture[str]) -> None:
    (folder / "other.yaml").write_text("strategy: fixed\nloader: {textColumn: note}\n")
    (folder / "bad.yaml").write_text("strategy: fixed\noverrides: {'*.csv': {loader: {textColumn: note}}}\n")
    two = chunkscope(capfd, "compare", "rows.yaml", "other.yaml", "docs/rows.csv")
    override = chunkscope(capfd, "run", "bad.yaml", "docs/rows.csv")
    one = chunkscope(capfd, "inspect", "rows.yaml", "docs/rows.csv")
    written = chunkscope(capfd, "run", "rows.yaml", "docs", "-o", "docs/rows.csv")

    assert two.err == (
        "chunkscope: loader.textColumn: the configs name body and note; say which one with --text-column\n"
    )
    assert "loader.textColumn is the whole config's" in override.err
    assert "docs/rows.csv: has 2 rows in body and one is needed" in one.err
    assert "-o docs/rows.csv: is the document" in written.err
    assert [each.code for each in (two, override, one, written)] == [2] * 4
    assert (folder / "docs" / "rows.csv").read_text("utf-8") == ROWS
