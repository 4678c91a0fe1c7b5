"""A part as a JSON line (docs/formats/json-lines.md): its keys, one line in every reader, the
fingerprint over them."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import replace
from hashlib import sha256
from typing import cast

from chunking.core.chunk import Boundary, Chunk, Part, Skip
from chunking.core.records import ChunkRecord, fingerprint_line, hashes_of, json_line, record, records
from chunking.document import Span
from chunking.document.parser import parse

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


def fingerprint_of(parts: Sequence[Part]) -> str:
    return hashes_of(parts, DOCUMENT).chunks


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


def test_the_fingerprint_hashes_the_lines_with_skips_and_without_details_each_ended_by_a_line_feed() -> None:
    lines = ""
    for each in records([SKIP, chunk("語 ")], DOCUMENT):
        line = json.loads(json_line(each))
        del line["detail"]
        if "flags" in line:
            line["flags"] = [{"rule": flag["rule"]} for flag in line["flags"]]
        lines += json.dumps(line, ensure_ascii=False) + "\n"

    assert fingerprint_of([SKIP, chunk("語 ")]) == sha256(lines.encode()).hexdigest()
    assert fingerprint_of([SKIP, chunk()]) != fingerprint_of([chunk()])


def test_other_words_for_the_same_reason_keep_the_fingerprint_and_another_rule_or_number_does_not() -> None:
    before = chunk()
    reworded = replace(
        before,
        ended_by=Boundary("heading", "line 5 begins a heading"),
        flags=(Boundary("undersized", "it has 3 of 100"),),
        holes=(Skip(Span(8, 10), Boundary("blank", "nothing but white space")),),
    )
    skip = Skip(SKIP.body, Boundary("excluded", "told elsewhere"))

    assert fingerprint_of([skip, reworded]) == fingerprint_of([SKIP, before])
    for other in (
        replace(before, ended_by=Boundary("end", before.ended_by.detail)),
        replace(before, flags=(Boundary("unsplittable", "3 of 100"),)),
        replace(before, tokens=8),
        replace(before, metadata={"chunk_index": 1, "anchor": None}),
    ):
        assert fingerprint_of([SKIP, other]) != fingerprint_of([SKIP, before])


def test_a_key_that_is_added_to_a_record_is_no_part_of_the_fingerprint() -> None:
    line = record(chunk(), 0, DOCUMENT)
    added = cast(ChunkRecord, {**line, "text_sha256": "0", "front_matter": {}})

    assert fingerprint_line(added) == fingerprint_line(line)
    assert "text_sha256" in json_line(added)
