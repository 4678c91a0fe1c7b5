"""What the boundary view sends to the browser."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from pathlib import Path

import numpy as np
import pytest

from chunking import Boundary, Chunk, Config, Document, Run, Skip, Span, parse, run, strategies
from pages.ui.components.source_view.extras import copied_with, drawn_marks, headings, join, tables
from pages.ui.components.source_view.marks import Mark
from pages.ui.components.source_view.payload import (
    MAGIC,
    chunk_at,
    join_strings,
    moved_payload,
    pack,
    payload,
    source_text,
)
from pages.ui.components.source_view.placing import placing

ROOT = Path(__file__).parents[3]
SCHEMA = json.loads((ROOT / "pages/ui/components/source_view/payload_schema.json").read_text(encoding="utf-8"))
"""What payload.js is held to by tsc, and here payload.py."""
TYPES = {"string": str, "number": int, "boolean": bool, "strings": list}


class Received:
    """The payload, read the way payload.js reads it."""

    def __init__(self, received: bytes) -> None:
        assert received[:4] == MAGIC
        size = int.from_bytes(received[4:8], "little")
        self.header = json.loads(received[8 : 8 + size])
        base = 8 + size + (-(8 + size) % 4)
        columns: Mapping[str, list[int]] = self.header["columns"]
        strings: Mapping[str, list[int]] = self.header["strings"]
        self.columns = {
            name: np.frombuffer(received, "<i4", length // 4, base + place).tolist()
            for name, (place, length) in columns.items()
        }
        self.strings = {
            name: received[base + place : base + place + length].decode() for name, (place, length) in strings.items()
        }


def every_heading(text: str, name: str = "kettle.md") -> Run:
    return run(parse(text, name), Config(strategies.get("every-heading")()))


def chunk(document: Document, start: int, end: int, overlap: Span | None = None) -> Chunk:
    return Chunk(document, Span(start, end), Boundary("size", "full"), (document.base_name,), 3, 2, overlap=overlap)


def made(document: Document, *parts: Chunk | Skip) -> Run:
    return Run(document, Config(strategies.get("every-heading")()), parts)


def test_bodies_arrive_as_offsets() -> None:
    received = Received(payload(every_heading("# Fill\nwater\n# Boil\nsteam\n"), with_text=True))

    assert received.columns["start"] == [0, 13]
    assert received.columns["end"] == [13, 26]
    assert received.strings["text"] == "# Fill\nwater\n# Boil\nsteam\n"


def test_without_text_neither_text_nor_outline_is_sent() -> None:
    received = Received(payload(every_heading("# Fill\nwater\n"), with_text=False))

    assert sorted(received.strings) == ["details", "flagDetails", "otherCrumbs", "reasons"]


def test_a_character_beyond_the_basic_plane_moves_later_offsets_by_one() -> None:
    received = Received(payload(every_heading("# 🫖\nwater\n# Boil\nsteam\n"), with_text=False))

    assert received.columns["start"] == [0, 11]
    assert received.columns["point"] == [0, 10]
    assert received.header["units"] == 24


def test_a_text_within_the_basic_plane_needs_no_second_column() -> None:
    received = Received(payload(every_heading("# Tee für zwei\nmit Öl\n"), with_text=False))

    assert "point" not in received.columns


def test_an_overlap_arrives_as_the_stretch_it_repeats() -> None:
    document = parse("one two three\n", "n.md")
    shown = made(document, chunk(document, 0, 8), chunk(document, 8, 14, Span(4, 8)))

    received = Received(payload(shown, with_text=False))

    assert received.columns["overlapStart"] == [-1, 4]
    assert received.columns["overlapEnd"] == [-1, 8]


def test_skips_and_holes_arrive_with_their_owner_and_reason() -> None:
    document = parse("one two three\n", "n.md")
    hole = Skip(Span(7, 8), Boundary("blank", "white space only"))
    held = Chunk(document, Span(4, 14), Boundary("end", "the end"), ("n.md",), 2, 2, (hole,))
    shown = made(document, Skip(Span(0, 4), Boundary("excluded", "left out")), held)

    received = Received(payload(shown, with_text=False))

    assert received.columns["gapStart"] == [0, 7]
    assert received.columns["gapEnd"] == [4, 8]
    assert received.columns["gapOwner"] == [-1, 0]
    assert received.strings["reasons"].split("\0") == ["left out", "white space only"]
    assert received.columns["gapReason"] == [0, 1]


def test_flags_arrive_only_for_the_chunks_that_have_them() -> None:
    document = parse("one two three\n", "n.md")
    over = Chunk(
        *(document, Span(4, 14), Boundary("end", "the end"), ("n.md",), 9, 9),
        flags=(Boundary("unsplittable", "9 tokens are over 5"),),
    )

    received = Received(payload(made(document, chunk(document, 0, 4), over), with_text=False))

    assert received.columns["flagged"] == [1]
    assert received.columns["flag"] == [1]
    assert received.header["flags"] == ["unsplittable"]
    assert received.strings["flagDetails"] == "unsplittable: 9 tokens are over 5"


def test_torn_boundaries_arrive_with_what_they_cut_also_in_a_move() -> None:
    text = "# A\n\n| a | b |\n|---|---|\n" + "| one | two |\n" * 20
    torn = run(parse(text, "a.md"), Config.of("fixed", {"chunkSize": 150, "chunkOverlap": 0}))

    for received in (Received(payload(torn, with_text=False)), Received(moved_payload(torn))):
        assert received.columns["torn"] == [0, 1]
        assert received.columns["tornKind"] == [0, 0]
        assert received.columns["tornFirst"] == [3, 3]
        assert received.columns["tornLast"] == [24, 24]


def test_what_a_hit_gives_back_arrives_in_the_browsers_units_also_in_a_move() -> None:
    small = {"strategy": "fixed", "settings": {"chunkSize": 8, "chunkOverlap": 0}}
    big = {"strategy": "every-heading", "settings": {}}
    text = "# 🫖\n\nOne two three.\n\n# B\n\nFour.\n"
    cut = run(parse(text, "a.md"), Config.of("small-to-big", {"small": small, "big": big}))  # type: ignore[dict-item]

    for received in (Received(payload(cut, with_text=False)), Received(moved_payload(cut))):
        stretches = {*zip(received.columns["returnedStart"], received.columns["returnedEnd"], strict=True)}
        assert stretches == {(0, 20), (0, 32), (22, 33)}
    assert Received(payload(every_heading(text), with_text=False)).columns["returnedStart"] == []


def test_a_place_to_show_arrives_in_the_browsers_units() -> None:
    cut = every_heading("# 🫖\n\nwater\n")

    assert Received(payload(cut, with_text=False, show=5)).header["show"] == 6
    assert Received(payload(cut, with_text=False)).header["show"] == -1


def test_breadcrumbs_are_numbered_by_the_outline_and_others_are_sent_along() -> None:
    document = parse("# Fill\nwater\n# Boil\nsteam\n", "k.md")
    known = Chunk(document, Span(0, 13), Boundary("size", ""), ("k.md", "Fill"), 1, 1)
    unknown = Chunk(document, Span(13, 26), Boundary("end", ""), ("k.md", "elsewhere"), 1, 1)

    received = Received(payload(made(document, known, unknown), with_text=True))

    assert received.strings["crumbs"].split("\0") == ["k.md", "k.md › Fill", "k.md › Boil"]
    assert received.columns["crumb"] == [1, -1]
    assert received.strings["otherCrumbs"] == "k.md › elsewhere"


def test_the_baseline_arrives_as_where_its_chunks_start() -> None:
    document = parse("# 🫖\n# Boil\n", "k.md")
    shown = made(document, chunk(document, 0, 11))
    baseline = made(document, chunk(document, 0, 4), chunk(document, 4, 11))

    assert Received(payload(shown, baseline=baseline, with_text=False)).columns["baseline"] == [0, 5]
    assert "baseline" not in Received(payload(shown, with_text=False)).columns


@pytest.mark.parametrize(("offset", "expected"), [(None, -1), (0, 0), (12, 0), (13, 1), (99, -1)])
def test_the_selected_offset_arrives_as_the_chunk_that_holds_it(offset: int | None, expected: int) -> None:
    shown = every_heading("# Fill\nwater\n# Boil\nsteam\n")

    assert Received(payload(shown, selected=offset, with_text=False)).header["selected"] == expected


def test_no_chunk_holds_an_offset_in_a_skip() -> None:
    document = parse("one two\n", "n.md")
    shown = made(document, Skip(Span(0, 4), Boundary("excluded", "")), chunk(document, 4, 8))

    assert [chunk_at(shown.chunks, offset) for offset in (0, 3, 4, 7)] == [-1, -1, 0, 0]


def test_a_lone_surrogate_is_shown_as_one_unit_so_that_offsets_hold() -> None:
    source = source_text(Document("s.md", "a\ud800b", ()))

    assert source.utf8.decode() == "a\ufffdb"
    assert source.units == 3


def test_the_same_text_has_the_same_hash_and_another_name_has_another() -> None:
    assert source_text(parse("water", "a.md")).hash == source_text(parse("water", "a.md")).hash
    assert source_text(parse("water", "a.md")).hash != source_text(parse("water", "b.md")).hash


def test_a_nul_inside_a_string_does_not_split_it() -> None:
    assert join_strings(["a\0b", "c"]).decode() == "a␀b\0c"


def test_an_empty_document_has_no_chunks_and_no_text() -> None:
    received = Received(payload(every_heading(""), with_text=True))

    assert received.header["chunks"] == 0
    assert received.strings["text"] == ""


def test_left_out_stretches_are_named_in_code_points_where_the_text_has_astral_characters() -> None:
    received = Received(payload(every_heading("---\nt: 🫖🫖\n---\n\n# A\n\nx\n\n🫖\n\n# B\n\ny\n"), with_text=False))

    gaps = zip(received.columns["gapStart"], received.columns["gapPoint"], strict=True)
    assert all(units - points in (0, 2, 3) for units, points in gaps)
    assert received.columns["gapPoint"] != received.columns["gapStart"]
    assert "gapPoint" not in Received(payload(every_heading("# A\n\nx\n"), with_text=False)).columns


def full_payload() -> Received:
    """One payload with all that there can be: characters of two units, marks, a baseline, text
    around a chunk's own."""
    document = parse("# 🫖 Tee\n\n```py\nsteam = 1\n```\n", "kettle.md")
    body = Span(0, len(document.text))
    ended = Boundary("end", "end")
    cut = made(document, Chunk(document, body, ended, ("Tee",), 9, 8, context="Tee\n", closing="```"))
    marks = drawn_marks([Mark(Span(0, 5), "answer", "about", False)], source_text(document), able=True)
    able = placing(None, source_text(document), able=True)
    extras = join(marks, copied_with(cut, 0), headings(document), tables(document), able)
    return Received(payload(cut, baseline=cut, selected=0, with_text=True, further=extras))


def test_a_payload_with_everything_has_what_the_schema_declares_and_nothing_else() -> None:
    received = full_payload()

    assert set(received.columns) == {*SCHEMA["columns"]["always"], *SCHEMA["columns"]["sometimes"]}
    assert set(received.strings) == {*SCHEMA["strings"]["always"], *SCHEMA["strings"]["sometimes"]}
    declared = {name: TYPES[kind] for kind, names in SCHEMA["header"].items() for name in names}
    sent = {name: type(value) for name, value in received.header.items() if name not in ("columns", "strings")}
    assert sent == declared


@pytest.mark.parametrize("write", [lambda cut: payload(cut, with_text=False), moved_payload], ids=["least", "move"])
def test_what_the_schema_says_is_always_sent_is_always_sent(write: Callable[[Run], bytes]) -> None:
    received = Received(write(every_heading("# Fill\nwater\n")))

    assert set(received.columns) == set(SCHEMA["columns"]["always"])
    assert set(received.strings) == set(SCHEMA["strings"]["always"])


def test_the_bytes_that_payload_js_is_tested_with_are_those_that_are_written() -> None:
    written = pack(
        {"name": "kettle \u2615.md"},
        {"start": np.array([0, 13, 70_000], np.int64), "flagged": np.array([], np.int64)},
        {"details": join_strings(["full", "", "a\u2014b"]), "text": "\ufeff# 🫖\n".encode()},
    )

    assert written == (ROOT / "tests/js/payload.bin").read_bytes()
