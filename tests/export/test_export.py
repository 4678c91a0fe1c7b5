"""Formats that give back what went in, and files that are whole or not there."""

from __future__ import annotations

import csv
import io
import json
import os
import stat
from pathlib import Path

import pytest

from chunking.config.config import Config
from chunking.core.arrow_table import COLUMNS, table
from chunking.core.records import Record, records
from chunking.document.parser import parse
from chunking.errors import OutputError
from chunking.export.formats import TEXT_FORMATS, csv_cell, whole_file, write_tables
from chunking.runs import run
from chunking.strategies import get

HOSTILE = '---\na: b\n---\n\n# =1+1 |`x`\n\n- "quoted", 語\r\n\n## B\r\n\n```\n````\n~~~\n```\n\nlone\rCR @a\n'


def _records(text: str = HOSTILE) -> list[Record]:
    document = parse(text, name="a.md")
    return list(records(run(document, Config(get("every-heading")(), "words")).parts, document))


def _written(name: str, of: list[Record]) -> str:
    return TEXT_FORMATS[name].header + "".join(TEXT_FORMATS[name].piece(each) for each in of)


def test_json_lines_give_every_record_back() -> None:
    written = _written("jsonl", _records())

    assert [json.loads(line) for line in written.split("\n")[:-1]] == _records()


def test_csv_gives_every_text_back_once_a_leading_apostrophe_is_taken_away() -> None:
    rows = list(csv.DictReader(io.StringIO(_written("csv", _records()), newline="")))

    assert tuple(rows[0]) == COLUMNS
    assert [row["text"].removeprefix("'") for row in rows] == [each.get("text", "") for each in _records()]
    assert [row["rule"] for row in rows] == ["front-matter", "heading", "end"]
    assert json.loads(rows[1]["breadcrumb"]) == ["a.md", "=1+1 |x"]


@pytest.mark.parametrize("text", ["=1", "+1", "-1", "@a", "\t=1", "\r=1", "'a"])
def test_a_cell_that_a_spreadsheet_would_run_begins_with_an_apostrophe(text: str) -> None:
    assert csv_cell(text) == "'" + text


@pytest.mark.parametrize("value", ["a=1", " =1", "", 7, -7, None])
def test_other_cells_are_as_they_are(value: object) -> None:
    assert csv_cell(value) == value


def test_markdown_holds_each_text_in_a_fence_it_cannot_leave_and_shows_titles_literally() -> None:
    written = _written("markdown", _records("# A \\<script\\> `*b*`\n\n````\nx\n````\n"))
    blocks = parse(written, name="out.md").blocks

    assert [block.kind for block in blocks] == ["heading", "heading", "paragraph", "code"]
    assert "a\\.md › A \\<script\\> \\*b\\*" in written
    assert "`````markdown\n# A \\<script\\> `*b*`\n\n````\nx\n````\n`````\n" in written


def test_parquet_gives_every_record_back_with_lists_as_lists(tmp_path: Path) -> None:
    parquet = pytest.importorskip("pyarrow.parquet")
    path = tmp_path / "chunks.parquet"
    with whole_file(path) as file:
        write_tables([table(_records())], file)
    rows = parquet.read_table(path).to_pylist()

    assert [row["type"] for row in rows] == ["skip", "chunk", "chunk"]
    assert rows[0]["text"] is None
    for row, expected in zip(rows[1:], _records()[1:], strict=True):
        as_json = {key: json.loads(row[key]) for key in ("metadata", "front_matter")}
        assert row | as_json == expected


def test_parquet_of_many_documents_has_row_groups_of_thousands_and_all_rows_in_order(tmp_path: Path) -> None:
    parquet = pytest.importorskip("pyarrow.parquet")
    rows = table(_records())
    with whole_file(tmp_path / "many.parquet") as file:
        write_tables([rows] * 2000, file)
    written = parquet.ParquetFile(tmp_path / "many.parquet")

    assert written.metadata.num_rows == 6000
    assert [written.metadata.row_group(at).num_rows for at in range(written.num_row_groups)] == [4098, 1902]
    assert written.read().to_pylist() == rows.to_pylist() * 2000


def test_parquet_of_nothing_is_a_file_with_the_columns(tmp_path: Path) -> None:
    parquet = pytest.importorskip("pyarrow.parquet")
    with whole_file(tmp_path / "none.parquet") as file:
        write_tables([], file)

    assert parquet.read_table(tmp_path / "none.parquet").column_names == list(COLUMNS)


def test_a_file_that_is_not_finished_leaves_what_was_there_and_nothing_beside_it(tmp_path: Path) -> None:
    path = tmp_path / "out.jsonl"
    path.write_text("before")
    with pytest.raises(ValueError, match="stop"):
        _stop_half_way(path)

    assert path.read_text() == "before"
    assert os.listdir(tmp_path) == ["out.jsonl"]


def test_a_file_keeps_its_permissions_and_a_link_stays_a_link(tmp_path: Path) -> None:
    target, link = tmp_path / "real.jsonl", tmp_path / "link.jsonl"
    target.write_text("before")
    target.chmod(0o640)
    link.symlink_to(target)
    with whole_file(link) as file:
        file.write(b"after")

    assert link.is_symlink()
    assert target.read_text() == "after"
    assert stat.S_IMODE(target.stat().st_mode) == 0o640


def test_a_device_is_written_to_and_not_replaced() -> None:
    with whole_file(Path(os.devnull)) as file:
        file.write(b"gone")

    assert stat.S_ISCHR(os.stat(os.devnull).st_mode)


def test_a_place_that_cannot_be_written_is_named_with_the_reason(tmp_path: Path) -> None:
    with pytest.raises(OutputError, match=r"missing/out\.csv: cannot be written \(No such file or directory\)"):
        _write_to(tmp_path / "missing" / "out.csv")
    with pytest.raises(OutputError, match="is a folder"):
        _write_to(tmp_path)


def _write_to(path: Path) -> None:
    with whole_file(path) as file:
        file.write(b"x")


def _stop_half_way(path: Path) -> None:
    with whole_file(path) as file:
        file.write(b"half")
        raise ValueError("stop")
