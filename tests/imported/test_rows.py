"""Chunks are read from the rows that other tools write, in four kinds of file, with their offsets
and the document that they name."""

from __future__ import annotations

import csv
import io
import json
import re
from collections.abc import Mapping

import pytest

from chunking.errors import GoldError
from chunking.imported.aligning import Claim
from chunking.imported.read_apart import strangers_rows
from chunking.imported.rows import Row, read_rows, rows_for

TEXT = "Boil water."
NATIVE: dict[str, tuple[dict[str, object], tuple[tuple[int, int | None], ...]]] = {
    "LangChain": (
        {
            "id": None,
            "metadata": {"source": "docs/tea.md", "start_index": 7},
            "page_content": TEXT,
            "type": "Document",
        },
        ((7, None),),
    ),
    "LangChain, dumped": (
        {
            "lc": 1,
            "type": "constructor",
            "id": ["langchain_core", "documents", "base", "Document"],
            "kwargs": {"page_content": TEXT, "metadata": {"source": "docs/tea.md", "start_index": 7}},
        },
        ((7, None),),
    ),
    "LlamaIndex": (
        {
            "id_": "8f4c",
            "embedding": None,
            "metadata": {"file_path": "docs/tea.md"},
            "relationships": {"1": {"node_id": "d1", "node_type": "4"}},
            "text": TEXT,
            "mimetype": "text/plain",
            "start_char_idx": 7,
            "end_char_idx": 18,
            "class_name": "TextNode",
        },
        ((7, 18),),
    ),
    "LlamaIndex, an answer": (
        {"node": {"text": TEXT, "metadata": {"file_name": "tea.md"}, "start_char_idx": 7, "end_char_idx": 18}},
        ((7, 18),),
    ),
    "Haystack": (
        {"id": "5b", "content": TEXT, "file_path": "docs/tea.md", "split_id": 1, "split_idx_start": 7, "score": None},
        ((7, None),),
    ),
    "Haystack, nested": (
        {"content": TEXT, "meta": {"file_path": "docs/tea.md", "split_idx_start": 7}},
        ((7, None),),
    ),
    "chonkie": (
        {"id": "chnk_1", "text": TEXT, "start_index": 7, "end_index": 18, "token_count": 3, "context": None},
        ((7, 18),),
    ),
    "Unstructured": (
        {
            "type": "CompositeElement",
            "element_id": "ab12",
            "text": TEXT,
            "metadata": {"filename": "tea.md", "file_directory": "docs", "languages": ["eng"]},
        },
        (),
    ),
    "docling": (
        {
            "text": TEXT,
            "meta": {
                "schema_name": "docling_core.transforms.chunker.DocMeta",
                "doc_items": [{"self_ref": "#/texts/1"}],
                "headings": ["Tea"],
                "origin": {"mimetype": "text/markdown", "binary_hash": 1, "filename": "tea.md"},
            },
        },
        (),
    ),
}


def read(row: Mapping[str, object]) -> Row:
    (found,) = read_rows(json.dumps(row).encode(), "theirs.jsonl")
    return found


@pytest.mark.parametrize("tool", NATIVE)
def test_native_rows_are_read_with_text_offsets_and_document(tool: str) -> None:
    row, pieces = NATIVE[tool]

    found = read(row)

    assert (found.text, found.claim) == (TEXT, Claim(TEXT, pieces))
    assert found.document in ("docs/tea.md", "tea.md", "" if tool == "chonkie" else "tea.md")
    assert rows_for([found], "docs/tea.md") == (found,)


@pytest.mark.parametrize("start", [-1, None, "x", True, 1.5, float("nan"), [], "-3", "1e400"])
def test_what_is_no_offset_is_none(start: object) -> None:
    assert read({"text": TEXT, "start_index": start}).claim == Claim(TEXT)


@pytest.mark.parametrize(
    ("start", "said"),
    [
        (10**23, "start_index is 100000000000000000000000, and"),
        (1e23, "start_index is 1e+23, and"),
        (float("inf"), "start_index is inf, and"),
        ("9" * 400, "start_index is inf, and"),
        (2**53, "start_index is 9007199254740992, and no text has an offset over 9,007,199,254,740,991;"),
        (10**200, "start_index is a number of more than 60 digits, and"),
    ],
)
def test_an_offset_that_no_text_reaches_is_refused_by_its_row(start: object, said: str) -> None:
    with pytest.raises(GoldError, match=re.escape(f"theirs.jsonl, row 1: {said}")):
        read({"text": TEXT, "start_index": start})


def test_so_are_such_ends_overlaps_and_holes() -> None:
    for key, value in (("end", 1e309), ("overlap", [0, 10**30]), ("holes", [[1, 10**30]])):
        with pytest.raises(GoldError, match=f"row 1: {key} is "):
            read({"text": TEXT, "start": 0, "end": 12, key: value})


def test_an_offset_that_is_only_wrong_is_a_claim() -> None:
    assert read({"text": TEXT, "start_index": 1_700_000_000_000}).claim == Claim(TEXT, ((1_700_000_000_000, None),))


def as_csv(rows: list[dict[str, object]]) -> bytes:
    file = io.StringIO()
    writer = csv.DictWriter(file, list(rows[0]))
    writer.writeheader()
    writer.writerows(rows)
    return file.getvalue().encode()


def as_parquet(rows: list[dict[str, object]]) -> bytes:
    pa, pq = pytest.importorskip("pyarrow"), pytest.importorskip("pyarrow.parquet")
    file = io.BytesIO()
    pq.write_table(pa.Table.from_pylist(rows), file)
    return file.getvalue()


@pytest.mark.parametrize("form", ["lines", "lines with CR LF", "array", "wrapped", "UTF-16", "csv", "parquet"])
def test_the_content_says_which_kind_of_file_it_is(form: str) -> None:
    rows: list[dict[str, object]] = [
        {"page_content": TEXT, "metadata": {"source": "tea.md", "start_index": 7}},
        {"page_content": 'Say "no",\nthen go. 🫖', "metadata": {"source": "tea.md", "start_index": 20}},
    ]
    lines = "\n".join(map(json.dumps, rows))
    raw = {
        "lines": lambda: b"\xef\xbb\xbf" + lines.encode() + b"\n\n",
        "lines with CR LF": lambda: lines.replace("\n", "\r\n").encode(),
        "array": lambda: json.dumps(rows, indent=2).encode(),
        "wrapped": lambda: json.dumps({"version": 1, "chunks": rows}).encode(),
        "UTF-16": lambda: lines.encode("utf-16"),
        "csv": lambda: as_csv(rows),
        "parquet": lambda: as_parquet(rows),
    }[form]()

    found = read_rows(raw, "theirs")

    assert [(row.text, row.document, row.claim.pieces) for row in found] == [
        (TEXT, "tea.md", ((7, None),)),
        ('Say "no",\nthen go. 🫖', "tea.md", ((20, None),)),
    ]


@pytest.mark.parametrize(
    ("raw", "says"),
    [
        (b"", "theirs: has no chunks; each needs a text"),
        (b"[]", "theirs: has no chunks"),
        (b'{"type": "skip", "start": 0, "end": 3}', "theirs: has no chunks"),
        (b"just some words\n", "theirs: is not a chunk file; it is not valid JSON, and as CSV it has no column text"),
        (b'{"text": "a"}\n{"text"', "theirs, line 2: is not a chunk; each is a JSON object with a text"),
        (b'[{"text": "a"}, 7]', "theirs, row 2: is not a chunk"),
        (b'{"texts": "a"}', "theirs, row 1: is not a chunk; its text is missing, under one of: text, page_content"),
        (b"[" * 100_000, "theirs: is neither JSON nor lines of JSON"),
        (b'text\n"a', "theirs: is not valid CSV"),
        (b"\x89PNG\r\n\x1a\n" + bytes(50), "theirs: "),
    ],
)
def test_what_is_no_file_of_chunks_is_one_line_that_says_why(raw: bytes, says: str) -> None:
    with pytest.raises(GoldError) as caught:
        read_rows(raw, "theirs")

    assert str(caught.value).startswith(says)
    assert "\n" not in str(caught.value)


def test_parquet_that_was_cut_off_is_one_line() -> None:
    raw = as_parquet([{"text": TEXT}])

    with pytest.raises(GoldError, match=r"theirs: is not whole Parquet \([^\n]+\); write it again"):
        read_rows(raw[:-20], "theirs")


def test_the_closest_of_the_names_is_the_documents() -> None:
    said = ["docs/a/tea.md", "a/tea.md", "tea.md", "tea.html", "C:\\kb\\docs\\a\\tea.md", "b/tea.md"]
    rows = [Row(f"line {number}", name, "x", Claim("x")) for number, name in enumerate(said)]

    assert [row.document for row in rows_for(rows, "docs/a/tea.md")] == ["docs/a/tea.md"]
    assert [row.document for row in rows_for(rows[1:], "docs/a/tea.md")] == ["a/tea.md", "tea.md", said[4]]
    assert [row.document for row in rows_for([rows[3]], "docs/a/tea.md")] == ["tea.html"]
    assert rows_for(rows, "coffee.md") == ()


def test_our_own_lines_bring_overlap_holes_and_context() -> None:
    row = {"text": "T\n\nab cd", "context": "T\n\n", "start": 5, "end": 12, "holes": [[7, 9]], "overlap": [2, 4]}

    assert read(row).claim == Claim("ab cd", ((2, 4), (5, 7), (9, 12)))


def test_a_strangers_large_file_is_read_apart_with_the_same_rows_and_the_same_words() -> None:
    rows = [native for native, _ in NATIVE.values()]
    large = json.dumps([*rows, {"text": TEXT, "more": ["\ud83d\ude00"] * 100_000}]).encode()
    wrong = json.dumps([{"text": TEXT}, {"more": [[]] * 200_000}]).encode()

    assert strangers_rows(large, "a.json") == read_rows(large, "a.json")
    for raw in (wrong, b" " * 600_000, b"{" * 600_000):
        with pytest.raises(GoldError) as here:
            read_rows(raw, "a.json")
        with pytest.raises(GoldError, match=r"^a\.json") as apart:
            strangers_rows(raw, "a.json")
        assert str(apart.value) == str(here.value)


@pytest.mark.parametrize(
    ("rows", "said"),
    [
        (b'{"text":"a"}\n' * 100_001, "a.json: has 100,001 chunks; the app takes 100,000 of one file, so split it"),
        (
            json.dumps({"text": "a" * 2_000_001}).encode(),
            "a.json: row 1: has over 2,000,000 characters; the app takes none so long",
        ),
    ],
)
def test_a_strangers_file_whose_rows_would_keep_others_waiting_is_one_line(rows: bytes, said: str) -> None:
    with pytest.raises(GoldError) as refused:
        strangers_rows(rows, "a.json")

    assert str(refused.value) == said
