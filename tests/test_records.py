"""A part as a JSON line: INTERFACE.md's keys, one line in every reader, and the fingerprint over them."""

from __future__ import annotations

import json
from hashlib import sha256

from chunking.chunk import Boundary, Chunk, Skip
from chunking.document import Span
from chunking.markdown import parse
from chunking.records import fingerprint_of, json_line, record, records

TEXT = "# A\n\none\n\n## B\n\ntwo\n"
DOCUMENT = parse(TEXT, name="docs/guide.md")
SKIP = Skip(Span(0, 5), Boundary("excluded", "said elsewhere"))


def chunk(context: str = "") -> Chunk:
    blank = Skip(Span(8, 10), Boundary("blank", "white space only"))
    return Chunk(
        document=DOCUMENT,
        body=Span(5, 10),
        ended_by=Boundary("heading", "the next heading begins on line 5"),
        breadcrumb=("guide.md", "A"),
        tokens=7,
        body_tokens=3,
        holes=(blank,),
        overlap=Span(2, 3),
        context=context,
        closing="\n",
        flags=(Boundary("undersized", "3 of 100"),),
        metadata={"chunk_index": 0, "anchor": None},
    )


def test_a_chunk_has_the_keys_of_the_interface_in_their_order() -> None:
    assert record(chunk("> "), 4, DOCUMENT) == {
        "type": "chunk",
        "id": sha256(b"docs/guide.md\0guide.md\0A\0> Aone\n\x000").hexdigest(),
        "document": "docs/guide.md",
        "index": 4,
        "text": "> Aone\n",
        "tokens": 7,
        "body_tokens": 3,
        "start": 5,
        "end": 10,
        "start_line": 3,
        "end_line": 3,
        "holes": [[8, 10]],
        "hole_rules": ["blank"],
        "overlap": [2, 3],
        "context": "> ",
        "closing": "\n",
        "breadcrumb": ["guide.md", "A"],
        "rule": "heading",
        "detail": "the next heading begins on line 5",
        "flags": [{"rule": "undersized", "detail": "3 of 100"}],
        "metadata": {"chunk_index": 0, "anchor": None},
    }
    assert list(record(chunk(), 0, DOCUMENT)) == [
        "type",
        "id",
        "document",
        "index",
        "text",
        "tokens",
        "body_tokens",
        "start",
        "end",
        "start_line",
        "end_line",
        "holes",
        "hole_rules",
        "overlap",
        "context",
        "closing",
        "breadcrumb",
        "rule",
        "detail",
        "flags",
        "metadata",
    ]


def test_a_skip_has_its_span_and_its_reason() -> None:
    assert json_line(record(SKIP, 0, DOCUMENT)) == (
        '{"type": "skip", "document": "docs/guide.md", "start": 0, "end": 5, '
        '"rule": "excluded", "detail": "said elsewhere"}'
    )


def test_chunks_are_numbered_and_skips_are_not() -> None:
    numbers = [each["index"] if each["type"] == "chunk" else None for each in records([SKIP, chunk()], DOCUMENT)]

    assert numbers == [None, 0]


def test_a_line_stays_one_line_in_every_reader_and_gives_the_text_back() -> None:
    text = "a\u2028b\u2029c\x85d\x0be\x0cf\x1cg\r\nh\ud800i 語 😀"
    line = json_line(record(chunk(text), 0, DOCUMENT))

    assert line.splitlines() == [line]
    assert json.loads(line)["context"] == text
    assert "語 😀" in line
    assert json.loads(line.encode("utf-8"))["type"] == "chunk"


def test_the_fingerprint_hashes_the_lines_with_skips_each_ended_by_a_line_feed() -> None:
    lines = [json_line(each) + "\n" for each in records([SKIP, chunk()], DOCUMENT)]

    assert fingerprint_of([SKIP, chunk()], DOCUMENT) == sha256("".join(lines).encode()).hexdigest()
    assert fingerprint_of([SKIP, chunk()], DOCUMENT) != fingerprint_of([chunk()], DOCUMENT)
