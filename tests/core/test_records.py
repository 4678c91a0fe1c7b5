"""A part as a JSON line (docs/formats/json-lines.md): its keys, one line in every reader, the
fingerprint over them."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import replace
from hashlib import sha256
from uuid import NAMESPACE_OID, uuid5

from chunking.config.config import Config
from chunking.core.chunk import Boundary, Chunk, Description, Part, Skip
from chunking.core.records import AddedKeys, WrittenChunk, fingerprint_line, hashes_of, json_line, records
from chunking.document import Span
from chunking.document.parser import parse
from chunking.runs import run
from chunking.text.hashing import uuid_of

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


def written(*parts: Part) -> list[WrittenChunk]:
    """The records of the chunks among these parts."""
    document = parts[0].document if isinstance(parts[0], Chunk) else DOCUMENT
    return [each for each in records(parts, document) if each["type"] == "chunk"]


def fingerprint_of(parts: Sequence[Part]) -> str:
    return hashes_of(parts, DOCUMENT).chunks


def test_a_chunk_has_the_keys_of_the_interface_in_their_order() -> None:
    (made,) = written(chunk("> "))
    decided = list(made)[: list(made).index("text_sha256")]

    assert {key: made[key] for key in decided} == {  # type: ignore[literal-required]
        "type": "chunk",
        "id": sha256(b"docs/guide.md\0guide.md\0A\0> Aone\n\x000").hexdigest(),
        "document": "docs/guide.md",
        "index": 0,
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
    assert list(made) == [
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
        "text_sha256",
        "uuid",
        "section_id",
        "parent_id",
        "previous_id",
        "next_id",
        "pages",
        "document_sha256",
        "front_matter",
        "returned",
    ]


def test_a_chunk_names_its_text_its_neighbours_and_the_front_matter() -> None:
    document = parse("---\ntags: [tea, pot]\ntitle: Tea\n---\n# A\n\none\n\n## B\n\ntwo\n", name="tea.md")
    first, second = written(*run(document, Config.of("every-heading", {})).chunks)

    assert first["text_sha256"] == sha256(first["text"].encode()).hexdigest()
    assert first["uuid"] == str(uuid5(NAMESPACE_OID, first["id"]))
    assert (first["previous_id"], first["next_id"]) == (None, second["id"])
    assert (second["previous_id"], second["next_id"]) == (first["id"], None)
    assert {each["document_sha256"] for each in (first, second)} == {sha256(document.text.encode()).hexdigest()}
    assert first["front_matter"] == {"tags": ["tea", "pot"], "title": "Tea"}
    assert first["pages"] is None


def test_a_uuid_is_the_fifth_version_of_its_name() -> None:
    names = [f"name {number} é" for number in range(200)]

    assert [uuid_of(name) for name in names] == [str(uuid5(NAMESPACE_OID, name)) for name in names]


def test_a_chunk_names_the_section_in_which_it_begins_and_the_one_around_it() -> None:
    document = parse("before\n\n# A\n\none\n\n## B\n\ntwo\n\n## B\n\nthree\n\n# A\n\nfour\n", name="tea.md")
    top, a, b, other_b, other_a = written(*run(document, Config.of("every-heading", {})).chunks)

    def id_of(*named: str) -> str:
        return sha256("\0".join(named).encode()).hexdigest()

    assert (top["section_id"], top["parent_id"]) == (id_of("tea.md", "tea.md", "0"), None)
    assert (a["section_id"], a["parent_id"]) == (id_of("tea.md", "tea.md", "A", "0"), top["section_id"])
    assert (b["section_id"], b["parent_id"]) == (id_of("tea.md", "tea.md", "A", "B", "0"), a["section_id"])
    assert (other_b["section_id"], other_b["parent_id"]) == (id_of("tea.md", "tea.md", "A", "B", "1"), a["section_id"])
    assert (other_a["section_id"], other_a["parent_id"]) == (id_of("tea.md", "tea.md", "A", "1"), top["section_id"])


def test_a_skip_has_its_span_and_its_reason() -> None:
    assert json_line(next(records([SKIP], DOCUMENT))) == (
        '{"type": "skip", "document": "docs/guide.md", "start": 0, "end": 5, '
        '"rule": "excluded", "detail": "said elsewhere"}'
    )


def test_chunks_are_numbered_and_skips_are_not() -> None:
    numbers = [each["index"] if each["type"] == "chunk" else None for each in records([SKIP, chunk()], DOCUMENT)]

    assert numbers == [None, 0]


def test_a_line_stays_one_line_in_every_reader_and_gives_the_text_back() -> None:
    text = "a\u2028b\u2029c\x85d\x0be\x0cf\x1cg\r\nh\ud800i 語 😀"
    line = json_line(*written(chunk(text)))

    assert line.splitlines() == [line]
    assert json.loads(line)["context"] == text
    assert "語 😀" in line
    assert json.loads(line.encode("utf-8"))["type"] == "chunk"


def test_the_fingerprint_hashes_the_lines_with_skips_and_without_details_each_ended_by_a_line_feed() -> None:
    lines = ""
    for each in records([SKIP, chunk("語 ")], DOCUMENT):
        whole = json.loads(json_line(each))
        line = {key: value for key, value in whole.items() if key not in (*AddedKeys.__annotations__, "detail")}
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
    (line,) = written(chunk())

    other = line.copy()
    other["text_sha256"], other["front_matter"] = "0", {"a": "b"}

    assert fingerprint_line(other) == fingerprint_line(line)


def test_records_that_are_made_already_have_the_same_hashes() -> None:
    blank = Skip(Span(5, 6), Boundary("blank", "white space"))
    again = replace(chunk("> "), returned=Span(0, 3))
    by_model = replace(chunk("said by a model\n\n> "), description=Description("said by a model\n\n", "m", chunk("> ")))
    parts: list[Part] = [chunk("> "), blank, again, by_model]

    assert hashes_of(parts, DOCUMENT, list(records(parts, DOCUMENT))) == hashes_of(parts, DOCUMENT)
