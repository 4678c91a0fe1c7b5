"""Tables whose rows are documents: each text as it is, and a row without one is a line."""

from __future__ import annotations

import io
import json
from pathlib import Path

import pytest

from chunking.document import loading
from chunking.document.folders import Selection
from chunking.document.loading import load_each
from chunking.errors import DocumentError
from chunking.text.decoding import TO_UTF_8

CSV = b'id,body\r\n1,"# Tea\r\n\r\nGreen, or ""black""."\r\n2,Milk\r\n3,\r\n'
NOT_UTF_8 = "is not UTF-8 (invalid continuation byte); save the file as UTF-8" + TO_UTF_8
LINES = b'{"id": 1, "body": "# Tea"}\n\n{"id": 2}\n[1]\n{"body": 7}\nno json\n{"body": "{\\"a\\": 1}"}\n'


def read(path: Path, column: str = "body") -> list[tuple[str, str] | str]:
    """Name and text of each document of a path, or why it is none, without the path."""
    selection = Selection(text_column=column)
    return [
        str(each).removeprefix(str(path)) if isinstance(each, DocumentError) else (each.name, each.text)
        for each in load_each([path], selection=selection)
    ]


def test_each_row_of_a_csv_is_a_document_named_by_its_number(tmp_path: Path) -> None:
    (tmp_path / "a.csv").write_bytes(CSV)

    assert read(tmp_path / "a.csv") == [
        ("a.csv/row-1", '# Tea\r\n\r\nGreen, or "black".'),
        ("a.csv/row-2", "Milk"),
        ("a.csv/row-3", ""),
    ]


@pytest.mark.parametrize(("name", "between"), [("a.csv", ";"), ("a.csv", "\t"), ("a.tsv", "\t")])
def test_a_csv_may_have_other_delimiters(tmp_path: Path, name: str, between: str) -> None:
    (tmp_path / name).write_text(f"id{between}body\n1{between}Tea, green\n", "utf-8")

    assert read(tmp_path / name) == [(f"{name}/row-1", "Tea, green")]


def test_rows_of_json_lines_without_a_text_are_lines_and_the_others_go_on(tmp_path: Path) -> None:
    (tmp_path / "a.jsonl").write_bytes(LINES)

    assert read(tmp_path / "a.jsonl") == [
        ("a.jsonl/row-1", "# Tea"),
        ", row 2: body is not a text",
        ", row 3: is not a JSON object",
        ", row 4: body is not a text; it is 7",
        ", row 5: is not JSON",
        ("a.jsonl/row-6", '{"a": 1}'),
    ]


def test_after_twenty_bad_rows_the_rest_is_counted(tmp_path: Path) -> None:
    (tmp_path / "a.jsonl").write_text("{}\n" * 23)

    assert read(tmp_path / "a.jsonl")[19:] == [", row 20: body is not a text", ": 3 more rows without a text"]


def test_parquet_is_read_by_its_bytes(tmp_path: Path) -> None:
    pa, pq = pytest.importorskip("pyarrow"), pytest.importorskip("pyarrow.parquet")
    whole = io.BytesIO()
    pq.write_table(pa.table({"id": [1, 2], "body": ["# Tea", None]}), whole)
    (tmp_path / "a.parquet").write_bytes(whole.getvalue())
    (tmp_path / "b.parquet").write_bytes(whole.getvalue()[:100])

    assert read(tmp_path / "a.parquet") == [("a.parquet/row-1", "# Tea"), ", row 2: body is not a text"]
    assert str(read(tmp_path / "b.parquet")[0]).startswith(": is not whole Parquet")


@pytest.mark.parametrize(
    ("name", "raw", "said"),
    [
        ("a.csv", CSV, ": has no column text; there are: id, body"),
        ("a.csv", b"", ": has no column text; there are: "),
        ("a.csv", b'text\n"open', ": is not valid CSV (unexpected end of data)"),
        (
            "a.csv",
            b"text\n\xff",
            ": byte 5 (0xFF) is not UTF-8 (invalid start byte); save the file as UTF-8" + TO_UTF_8,
        ),
        ("a.jsonl", b"[" * 100_000, ", row 1: is not JSON"),
        ("a.jsonl", b'{"text": "\\ud800"}\n', f"/row-1: byte 0 (0xED) {NOT_UTF_8}"),
    ],
)
def test_what_is_wrong_is_one_line(tmp_path: Path, name: str, raw: bytes, said: str) -> None:
    (tmp_path / name).write_bytes(raw)

    assert read(tmp_path / name, "text") == [said]


def test_a_long_text_is_no_problem_and_all_together_have_a_limit(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "a.jsonl").write_text(json.dumps({"body": "x" * 300_000}) + "\n" + '{"body": "y"}\n')
    (tmp_path / "b.csv").write_text("body\n" + "x" * 300_000 + "\n")
    monkeypatch.setattr(loading, "MAX_UNPACKED", 300_000)

    assert [len(each[1]) if isinstance(each, tuple) else each for each in read(tmp_path / "a.jsonl")] == [
        300_000,
        ": its texts are more than 300000 bytes; split the file",
    ]
    assert [len(each[1]) for each in read(tmp_path / "b.csv")] == [300_000]


def test_without_a_column_tables_of_a_folder_are_passed_over(tmp_path: Path) -> None:
    (tmp_path / "a.md").write_text("tea")
    (tmp_path / "b.csv").write_bytes(CSV)

    assert [each[0] for each in read(tmp_path, "")] == ["a.md"]
    assert [each[0] for each in read(tmp_path)] == ["a.md", "b.csv/row-1", "b.csv/row-2", "b.csv/row-3"]
