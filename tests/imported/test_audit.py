"""An audit says which chunks are the source's text, what was altered or lost, and what is wrong
with offsets, by name."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from itertools import pairwise

import pytest

from chunking import Document, Span, parse
from chunking.imported.aligning import Claim
from chunking.imported.audit import Audit, audit
from chunking.imported.placement import place_rows
from chunking.imported.rows import Row

PARAGRAPHS = [
    "# Tee für zwei 🫖\n",
    "Wasser kochen, die Kanne wärmen und den Tee hineingeben.\n",
    "Drei Minuten ziehen lassen; grüner Tee braucht nur zwei.\n",
    "## Übrig bleibt nichts 🍵\n",
    "Wer mehr möchte, beginnt von vorn mit frischem Wasser.\n",
]
TEA = parse("\n".join(PARAGRAPHS), name="tea.md")
TEXTS = [paragraph.strip() for paragraph in PARAGRAPHS]
SPANS = [Span(at, at + len(text)) for text in TEXTS for at in [TEA.text.index(text)]]


def utf8(text: str) -> int:
    return len(text.encode())


def utf16(text: str) -> int:
    return len(text.encode("utf-16-le")) // 2


def audited(texts: Sequence[str], offsets: Sequence[tuple[int, int | None]] = (), of: Document = TEA) -> Audit:
    claims = [Claim(text, (each,)) for text, each in zip(texts, offsets, strict=True)] if offsets else map(Claim, texts)
    rows = [Row(f"line {number}", "", claim.text, claim) for number, claim in enumerate(claims, start=1)]
    return audit(place_rows(rows, of))


def counted_by(count: Callable[[str], int], shift: int = 0) -> list[tuple[int, int | None]]:
    return [(count(TEA.text[: span.start]) + shift, count(TEA.text[: span.end]) + shift) for span in SPANS]


def test_chunks_that_quote_all_of_the_source_have_no_fault() -> None:
    found = audited(TEXTS, counted_by(len))

    assert found.faultless
    assert [row.spans for row in found.rows] == [(span,) for span in SPANS]
    assert list(found.lines()) == ["5 chunks: 5 verbatim", "offsets: all 5 are right"]


@pytest.mark.parametrize(
    ("offsets", "kind", "said"),
    [
        (counted_by(utf8), "other unit", "they count UTF-8 bytes; read as that, all are right"),
        (counted_by(utf16), "other unit", "they count UTF-16 units; read as that, all are right"),
        (counted_by(len, 5), "shifted", "5 of 5 are shifted: 5 too high, counted in code points"),
        (counted_by(utf8, 9), "shifted", "5 of 5 are shifted: 9 too high, counted in UTF-8 bytes"),
        ([(start, None) for start, _ in counted_by(len, 4)], "shifted", "5 of 5 are shifted: 4 too high"),
        (
            [counted_by(len)[at] for at in (3, 1, 4, 2, 0)],
            "shuffled",
            "4 of 5 are those of other chunks: the offsets are shuffled",
        ),
        (
            [counted_by(utf8)[at] for at in (4, 3, 1, 0, 2)],
            "shuffled",
            "5 of 5 are those of other chunks: the offsets are shuffled",
        ),
        (
            [(start, (end or 0) + 30 * (number % 2)) for number, (start, end) in enumerate(counted_by(len))],
            "ends",
            "2 of 5 chunks are not where they say: their ends are up to 30 off, counted in code points",
        ),
        (
            [(start + 7 * number, (end or 0) + 7 * number) for number, (start, end) in enumerate(counted_by(len))],
            "wrong",
            "4 of 5 chunks are not where they say: their starts are up to 28 off, counted in code points",
        ),
        ((), "none", "the chunks have none"),
    ],
)
def test_what_is_wrong_with_offsets_is_said_by_name(
    offsets: list[tuple[int, int | None]], kind: str, said: str
) -> None:
    found = audited(TEXTS, offsets)

    assert [row.spans for row in found.rows] == [(span,) for span in SPANS]
    assert (found.offsets.kind, found.offsets.said.startswith(said)) == (kind, True), found.offsets.said
    assert found.faultless == (kind == "none")


@pytest.mark.parametrize(
    ("text", "verdict", "said", "source"),
    [
        (f"Tea for two. {TEXTS[1]}", "text added", "13 characters before it", TEXTS[1]),
        (f"{TEXTS[1]} (1/5)", "text added", "6 characters after it", TEXTS[1]),
        (TEXTS[1].replace(" ", "  "), "white space", "white space, 64 characters for the source's 56", TEXTS[1]),
        (TEXTS[1].upper(), "white space", "letters in another case, 56 characters for the source's 56", TEXTS[1]),
        (
            TEXTS[2].replace("ziehen", "stehen"),
            "altered",
            "1 of 11 words and signs are not in the source there",
            TEXTS[2],
        ),
        (
            TEXTS[4].replace("frischem", "sehr viel frischem"),
            "altered",
            "2 of 13 words and signs are not in the source there",
            TEXTS[4],
        ),
        ("Coffee is another matter, and not the one of this page.", "not found", "its text is not in tea.md", ""),
        (" \n", "blank", "its text is empty or white space", ""),
    ],
)
def test_an_altered_chunk_is_placed_where_most_of_it_is_and_what_differs_is_said(
    text: str, verdict: str, said: str, source: str
) -> None:
    (row,) = audited([text]).rows

    assert (row.verdict, said in row.said) == (verdict, True), row.said
    assert "".join(TEA[span] for span in row.spans) == source


def test_what_no_chunk_has_and_what_several_have_is_said_by_lines() -> None:
    found = audited([TEXTS[0], TEXTS[1], TEXTS[1][:20], TEXTS[4]])

    assert found.lost == (Span(SPANS[2].start, SPANS[3].end),)
    assert found.repeated == (Span(SPANS[1].start, SPANS[1].start + 20),)
    assert list(found.lines())[1:3] == [
        "82 characters (38.1%) in no chunk: lines 5 to 7",
        "20 characters (9.3%) in more than one chunk: line 3",
    ]


def test_of_no_chunks_only_their_number_is_said() -> None:
    found = audited([], of=parse(" \n"))

    assert (found.summary, next(found.lines())) == ("0 chunks", "0 chunks")


def test_front_matter_is_not_lost() -> None:
    document = parse("---\ntitle: Tea\n---\n\nBoil water.\n", name="n.md")

    assert audited(["Boil water."], of=document).faultless


@pytest.mark.parametrize("seed", range(5))
def test_a_text_with_words_changed_in_it_is_still_found_in_a_long_document(seed: int) -> None:
    chance = random.Random(seed)
    words = ["".join(chance.choices("abcdefghij", k=chance.randint(2, 9))) for _ in range(3_000)]
    document = parse(" ".join(words), name="long.md")
    cuts = [*range(0, len(words), 60)]
    texts, true = [], []
    for start, end in pairwise(cuts):
        said = words[start:end]
        said[chance.randrange(10, 50)] = "XYZ"
        said.insert(chance.randrange(10, 50), "more of it")
        texts.append(" ".join(said))
        true.append(" ".join(words[start:end]))

    found = audited(texts, of=document)

    assert {row.verdict for row in found.rows} == {"altered"}
    assert [document[row.spans[0]] for row in found.rows] == true
