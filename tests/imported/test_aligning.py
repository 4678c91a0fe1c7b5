"""Chunks of another tool are where their text is: whatever their offsets count, in whatever order
they come."""

from __future__ import annotations

import itertools
import json
import random
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from chunking import Document, Span, parse
from chunking.imported.aligning import Aligner, Claim, Placed
from chunking.retrieval.passages import load_foreign

TEA = parse("Tee für zwei 🫖.\r\nWasser kochen.\r\n\r\nTee für zwei 🫖.\r\nÜbrig bleibt nichts.\r\n", name="tea.md")
SPANS = [Span(0, 15), Span(17, 31), Span(35, 50), Span(52, 72)]


def as_lf(text: str) -> str:
    return text.replace("\r\n", "\n")


COUNTS: dict[str, Callable[[str], int]] = {
    "code points": len,
    "UTF-8 bytes": lambda text: len(text.encode()),
    "UTF-16 units": lambda text: len(text.encode("utf-16-le")) // 2,
    "code points, line ends as LF": lambda text: len(as_lf(text)),
    "UTF-8 bytes, line ends as LF": lambda text: len(as_lf(text).encode()),
    "UTF-16 units, line ends as LF": lambda text: len(as_lf(text).encode("utf-16-le")) // 2,
}


def spans(placed: list[Placed]) -> list[Span | None]:
    return [each.spans[0] if each.spans else None for each in placed]


def test_the_sample_is_what_the_tests_say() -> None:
    assert [TEA[span] for span in SPANS] == [
        "Tee für zwei 🫖.",
        "Wasser kochen.",
        "Tee für zwei 🫖.",
        "Übrig bleibt nichts.",
    ]


@pytest.mark.parametrize("unit", COUNTS)
@pytest.mark.parametrize("within", [False, True])
def test_offsets_are_read_in_the_unit_that_fits_the_texts(unit: str, within: bool) -> None:
    count = COUNTS[unit]
    ends = [count(TEA.text[: span.end]) - within for span in SPANS]
    starts = [count(TEA.text[: span.start]) for span in SPANS]
    claims = [Claim(TEA[span], ((a, b),)) for span, a, b in zip(SPANS, starts, ends, strict=True)]

    aligner = Aligner(TEA)
    placed = aligner.place(claims)

    assert spans(placed) == SPANS
    assert {each.by for each in placed} == {"offsets"}
    assert aligner.unit.name == unit + (", ends counted in" if within else "")


@pytest.mark.parametrize("unit", COUNTS)
@pytest.mark.parametrize("within", [False, True])
def test_offsets_may_be_counted_from_1(unit: str, within: bool) -> None:
    count = COUNTS[unit]
    pieces = [(count(TEA.text[: span.start]) + 1, count(TEA.text[: span.end]) + 1 - within) for span in SPANS]
    placed = Aligner(TEA).place([Claim(TEA[span], (each,)) for span, each in zip(SPANS, pieces, strict=True)])

    assert spans(placed) == SPANS
    assert {each.by for each in placed} == {"offsets"}


@pytest.mark.parametrize("unit", ["code points", "UTF-8 bytes", "UTF-16 units"])
def test_a_tool_that_left_the_byte_order_mark_in_the_text_is_understood(unit: str) -> None:
    count, marked = COUNTS[unit], f"\ufeff{TEA.text}"
    texts = [marked[:16], *(TEA[span] for span in SPANS[1:])]
    starts = [0, *(count(marked[: span.start + 1]) for span in SPANS[1:])]
    ends = [count(marked[: span.end + 1]) for span in SPANS]
    claims = [Claim(text, (each,)) for text, each in zip(texts, zip(starts, ends, strict=True), strict=True)]

    placed = Aligner(TEA).place(claims)
    assert [TEA[each.spans[0]].strip() for each in placed] == [TEA[span] for span in SPANS]
    assert {each.by for each in placed} == {"offsets"}
    assert spans(Aligner(TEA).place([Claim(text) for text in texts])) == SPANS


def test_what_offsets_count_is_not_said_where_they_fit_next_to_nothing(tmp_path: Path) -> None:
    file = tmp_path / "theirs.jsonl"
    rows = [{"text": TEA[span], "document": "tea.md", "start": 60, "end": 61} for span in SPANS[:3]]
    rows.append({"text": TEA[SPANS[3]], "document": "tea.md", "start": 59, "end": 80})  # in UTF-8 bytes
    file.write_text("\n".join(map(json.dumps, rows)))

    assert load_foreign(file, [TEA], "words").notes == ()


def test_white_space_that_parts_words_tells_two_places_apart() -> None:
    document = parse("nowhere to go\n\nnow  here to go\n", name="go.md")

    assert spans(Aligner(document).place([Claim("now here to go")])) == [Span(15, 30)]


def test_offsets_that_fit_nothing_are_not_believed_and_the_text_is_taken_from_where_it_is() -> None:
    placed = Aligner(TEA).place([Claim("Wasser kochen.", ((2, 16),)), Claim("Wasser kochen.", ((900, 914),))])

    assert [(each.spans, each.by) for each in placed] == [((SPANS[1],), "text"), ((SPANS[1],), "text")]


def test_of_a_repeated_text_the_nearest_to_its_wrong_offsets_is_taken() -> None:
    placed = Aligner(TEA).place([Claim("Tee für zwei 🫖.", ((37, 52),))])

    assert spans(placed) == [SPANS[2]]


def test_chunks_are_found_in_any_order() -> None:
    order = [3, 1, 2, 0]

    found = spans(Aligner(TEA).place([Claim(TEA[SPANS[at]]) for at in order]))

    assert {found[0], found[1]} == {SPANS[3], SPANS[1]}
    assert {found[2], found[3]} == {SPANS[0], SPANS[2]}  # the same text: which of the two is which says nothing


def test_a_repeated_text_that_is_given_once_follows_the_chunk_before_it() -> None:
    first = Aligner(TEA).place([Claim("Tee für zwei 🫖."), Claim("Wasser kochen.")])
    second = Aligner(TEA).place([Claim("Wasser kochen."), Claim("Tee für zwei 🫖.")])

    assert spans(first) == [SPANS[0], SPANS[1]]
    assert spans(second) == [SPANS[1], SPANS[2]]


def test_a_repeated_text_is_where_no_other_chunk_is() -> None:
    document = parse("tea\n\ntea and more of it\n\nthe end\n", name="n.md")

    found = spans(Aligner(document).place([Claim("the end"), Claim("tea"), Claim("tea and more of it")]))

    assert found == [Span(25, 32), Span(0, 3), Span(5, 23)]


def test_chunks_that_follow_each_other_in_a_document_that_repeats_itself_leave_no_gap() -> None:
    document = parse("水开了会响!" * 50, name="n.md")
    pieces = [Span(at, min(at + 22, 300)) for at in range(0, 300, 22)]

    assert spans(Aligner(document).place([Claim(document[each]) for each in pieces])) == pieces


def test_what_all_chunks_begin_with_may_be_longer_than_they_are() -> None:
    found = Aligner(TEA).place([Claim("search_document: Wasser"), Claim("search_document: bleibt")])
    single = Aligner(TEA).place([Claim("search_document: Wasser")])

    assert spans(found) == [Span(17, 23), Span(58, 64)]
    assert spans(single) == [None]


def test_white_space_and_case_may_differ_and_other_letters_may_not() -> None:
    placed = Aligner(TEA).place([Claim("WASSER\tkochen. TEE für zwei"), Claim("Wasser kichen.")])

    assert spans(placed) == [Span(17, 47), None]


def test_a_text_as_it_is_comes_before_one_in_another_case() -> None:
    document = parse("TEA TIME\n\nTea time\n", name="n.md")

    assert spans(Aligner(document).place([Claim("Tea time")])) == [Span(10, 18)]


def test_a_text_with_something_put_before_it_is_where_its_offsets_say_if_the_rest_is_there() -> None:
    added, lost = Claim("Küche: Wasser kochen.", ((17, 31),)), Claim("Küche und Keller: Wasser kochen.", ((17, 31),))

    assert spans(Aligner(TEA).place([added, lost])) == [SPANS[1], None]


@given(
    text=st.text(alphabet="ab \néß🫖", min_size=1, max_size=120),
    cuts=st.lists(st.integers(0, 120), max_size=12),
    seed=st.integers(0, 9),
)
def test_whatever_is_cut_from_a_text_is_found_in_it_and_says_the_same(text: str, cuts: list[int], seed: int) -> None:
    document = parse(text, name="n.md")
    edges = [0, *sorted(min(cut, len(document.text)) for cut in cuts), len(document.text)]
    said = [document.text[start:end] for start, end in itertools.pairwise(edges)]
    random.Random(seed).shuffle(said)

    for chunk, placed in zip(said, Aligner(document).place(list(map(Claim, said))), strict=True):
        assert bool(placed.spans) == bool(chunk.strip())
        assert not placed.spans or document[placed.spans[0]] == chunk


def test_thousands_of_chunks_of_a_long_text_are_found_without_reading_it_for_each() -> None:
    """Work is counted, not time: a text is compared only where a place that was looked up says
    so."""
    words = random.Random(2).choices([f"word{number}" for number in range(3_000)], k=60_000)
    document = parse(" ".join(words), name="long.md")
    said = [document.text[at : at + 200] for at in range(0, len(document.text), 200)]
    random.Random(3).shuffle(said)
    aligner = Aligner(document)

    assert sum(len(list(aligner._folded._hits(text.replace(" ", "")))) for text in said) < len(said) + 10
    assert all(placed.spans for placed in aligner.place(list(map(Claim, said))))


# ---- the file of chunks ----


def written(tmp_path: Path, *rows: dict[str, object]) -> Path:
    file = tmp_path / "theirs.jsonl"
    file.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    return file


def row(document: Document, span: Span, **more: object) -> dict[str, object]:
    return {"text": document[span], "document": document.name, **more}


def test_byte_offsets_are_said_to_be_that_and_hurt_nothing(tmp_path: Path) -> None:
    count = COUNTS["UTF-8 bytes"]
    rows = [row(TEA, s, start=count(TEA.text[: s.start]), end=count(TEA.text[: s.end])) for s in SPANS]
    file = written(tmp_path, *rows)

    found = load_foreign(file, [TEA], "words")

    assert [each.spans for each in found.passages] == [(span,) for span in SPANS]
    assert found.problems == ()
    assert found.notes == (f"{file}: in tea.md, start and end count UTF-8 bytes; read as that",)


def test_chunks_that_are_not_where_they_say_are_reported_with_the_numbers(tmp_path: Path) -> None:
    file = written(
        tmp_path,
        row(TEA, SPANS[1], start=17, end=31),
        row(TEA, SPANS[3], start=40, end=60),
        {"text": "Kaffee.", "document": "tea.md", "start": 5, "end": 12},
        {"text": "Kaffee.", "document": "tea.md"},
        row(TEA, SPANS[1], start=31, end=17),
    )

    found = load_foreign(file, [TEA], "words")

    assert [each.spans for each in found.passages] == [(SPANS[1],), (SPANS[3],), (), (), (SPANS[1],)]
    assert found.problems == (
        f"{file}, line 2: its text is not at 40 to 60 of tea.md, but at 52 to 72; taken from there",
        f"{file}, line 3: its text is not at 5 to 12 of tea.md, nor anywhere else in it; it answers nothing",
        f"{file}, line 4: its text is not found in tea.md; it answers nothing",
        f"{file}, line 5: its text is not at 31 to 17 of tea.md, but at 17 to 31; taken from there",
    )
    assert found.notes == ()


def test_published_a_chunk_is_where_its_text_is_first_found_whatever_its_offsets(tmp_path: Path) -> None:
    file = written(tmp_path, row(TEA, SPANS[2], start=35, end=50), row(TEA, SPANS[2], start=1, end=3))

    found = load_foreign(file, [TEA], "words", "published")

    assert [each.spans for each in found.passages] == [(Span(0, 14),), (Span(0, 14),)]
    assert found.problems == ()
