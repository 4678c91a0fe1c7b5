"""A stretch of a document in tokens: rows that tile it, rulers, and what is said of the counts."""

from __future__ import annotations

from itertools import pairwise

import pytest

from chunking import Boundary, Chunk, Config, Run, Span, parse, run, strategies
from chunking.analysis.source_rows import LONGEST_ROW
from chunking.tokens import counter
from pages.ui.components.reading_views.token_rows import (
    CONTINUED,
    DIFFERS,
    HELD_OUT,
    NONE,
    ODD,
    SPECIAL,
    UNKNOWN,
)
from pages.ui.components.reading_views.tokens import AFTER, BEFORE, Row, stretch


def cut(text: str, strategy: str = "every-heading", counted_by: str = "cl100k_base", **settings: object) -> Run:
    return run(parse(text, "kettle.md"), Config(strategies.get(strategy)(**settings), counted_by))


def cells(row: Row, numbers: tuple[int, ...]) -> list[tuple[str, int, int, int]]:
    """Text, tokens, number and bits of each cell of a row."""
    units, at, found = row.text.encode("utf-16-le"), 0, []
    for place in range(0, len(numbers), 4):
        length, tokens, number, bits = numbers[place : place + 4]
        found.append((units[2 * at : 2 * (at + length)].decode("utf-16-le"), tokens, number, bits))
        at += length
    assert 2 * at == len(units)
    return found


@pytest.mark.parametrize("strategy", ["heading-window", "block-packing", "section-rules", "fixed", "recursive"])
@pytest.mark.parametrize(
    "text",
    ["# 🫖\n\nhot 🫠 👩‍👩‍👧\r\n\r\n" * 60, "عالم 日本語 e\u0301 \n" * 90, "x" * 9_000, "---\na: b\n---\n# x\n\n \n"],
)
def test_rows_tile_what_is_near_and_every_character_is_in_one_cell(strategy: str, text: str) -> None:
    of = cut(text, strategy)
    found = stretch(of, 0, "minilm")

    assert all(before.end == after.start for before, after in pairwise(found.rows))
    assert "".join(row.text for row in found.rows) == text[: found.rows[-1].end]
    for row in found.rows:
        assert "".join(each[0] for each in cells(row, row.first)) == row.text
        assert "".join(each[0] for each in cells(row, row.second)) == row.text


@pytest.mark.parametrize("name", ["cl100k_base", "minilm"])
def test_the_tokens_on_the_rows_of_a_chunk_are_as_many_as_are_counted(name: str) -> None:
    of = cut("# Kettle\n\nFill it 🫠 with 日本 water.\n\n# Lid\n\nClose it.\n", counted_by=name)
    found = stretch(of, 0)

    for chunk in of.chunks:
        rows = [row for row in found.rows if chunk.body.start <= row.start < chunk.body.end]
        assert sum(each[1] for row in rows for each in cells(row, row.first)) == chunk.tokens


def test_cells_say_what_they_are() -> None:
    found = stretch(cut("hot 🫠 [SEP]\n", counted_by="minilm"), 0)
    row = cells(found.rows[0], found.rows[0].first)

    assert row[0] == ("hot", 1, 0, 0)
    assert row[1] == (" ", 0, -1, NONE)
    assert row[2] == ("🫠", 1, 1, UNKNOWN | ODD)
    assert [text for text, _, _, bits in row if bits & SPECIAL] == ["[", "SEP", "]"]


def test_every_second_token_of_a_row_is_marked_whatever_is_before_it_in_its_chunk() -> None:
    line = "Boil the 🫠 water\n"
    alone, later = (stretch(cut(text), 0).rows[-1] for text in (line, f"one\n{line}"))
    shown = cells(alone, alone.first)
    tokens = [bool(bits & ODD) for _, count, _, bits in shown if count]

    assert [each[3] for each in cells(later, later.first)] == [each[3] for each in shown]
    assert cells(later, later.first)[0][2] == 2
    assert sum(each[1] for each in shown) > len(tokens), "a character of several tokens is one cell"
    assert tokens[:3] == [False, True, False]


def test_what_is_in_no_chunk_has_no_tokens() -> None:
    found = stretch(cut("---\na: b\n---\n\n# Kettle\n"), 0)

    assert cells(found.rows[1], found.rows[1].first) == [("a: b\n", 0, -1, HELD_OUT)]


def test_a_token_across_a_line_end_is_counted_where_it_begins() -> None:
    found = stretch(cut("# Kettle\n\nwater\n"), 0)
    first, blank = found.rows[:2]

    assert cells(first, first.first)[-1][:2] == ("\n", 1)
    assert cells(blank, blank.first) == [("\n", 0, cells(first, first.first)[-1][2], cells(blank, blank.first)[0][3])]
    assert cells(blank, blank.first)[0][3] & CONTINUED


def test_the_rest_of_a_token_at_the_top_of_what_is_shown_does_not_count_as_that_token() -> None:
    long = cut("internationalization " * 3_000, "fixed")

    tops = [stretch(long, around).rows[0] for around in range(30_000, 30_021)]

    cells_at_top = [cells(top, top.first)[0] for top in tops]
    rests = [tokens for _, tokens, _, bits in cells_at_top if bits & CONTINUED]
    assert rests
    assert not any(rests)


def test_borders_of_one_tokenizer_only_are_marked_in_it() -> None:
    found = stretch(cut("tokenization of kettles\n"), 0, "minilm")
    first = cells(found.rows[0], found.rows[0].first)
    second = cells(found.rows[0], found.rows[0].second)

    assert [text for text, _, _, bits in first if bits & DIFFERS] == ["ett", "les"]
    assert [text for text, _, _, bits in second if bits & DIFFERS] == ["s"]
    assert "are the same" in found.notes[-1]


def test_rulers_stand_where_embedders_stop() -> None:
    of = cut("word " * 600, counted_by="cl100k_base")
    found = stretch(of, 0)

    offsets = {ruler.words: ruler.at for ruler in found.rulers}
    assert offsets["An embedder of 256 tokens stops here"] == 255 * 5 + 4
    assert offsets["MiniLM stops reading here"] == 254 * 5
    assert "An embedder of 512 tokens stops here" in offsets
    detail = next(ruler.detail for ruler in found.rulers if "512" in ruler.words)
    assert detail == f"{of.chunks[0].tokens - 512} tokens of chunk 1 are not read"


def test_with_minilm_the_first_ruler_is_its_own_and_its_special_tokens_are_said() -> None:
    found = stretch(cut("word " * 600, counted_by="minilm"), 0)

    assert [ruler.words for ruler in found.rulers] == [
        "An embedder of 512 tokens stops here",
        "MiniLM stops reading here",
    ]
    assert found.marks == ((("[CLS]",), ("[SEP]",)),)
    assert found.notes == ("An embedder adds [CLS] and [SEP] to each chunk; counts and limits leave them out.",)


def test_a_limit_is_a_ruler_in_what_is_over_it() -> None:
    document = parse("word " * 60, "kettle.md")
    body, tokens = Span(0, len(document.text)), counter("cl100k_base")(document.text)
    sizes: dict[str, object] = {"min_tokens": 10, "min_tokens_deeper": 20, "max_tokens": 50}
    config = Config(strategies.get("heading-window")(**sizes))
    chunk = Chunk(document, body, Boundary("end", "the document ends here"), (), tokens, tokens)

    found = stretch(Run(document, config, (chunk,)), 0)

    assert [(ruler.at, ruler.words) for ruler in found.rulers] == [(249, "Maximum 50 is reached here")]


def test_an_estimating_counter_says_that_it_has_no_tokens() -> None:
    found = stretch(cut("word " * 20, counted_by="words-1.3"), 0)

    assert found.titles == ("cl100k_base",)
    assert found.notes == ("words-1.3 estimates and has no tokens: these are the tokens of cl100k_base.",)
    assert found.sums[0].words.endswith("words-1.3 estimates 26")


def test_a_chunks_sum_says_where_its_tokens_are() -> None:
    text = "# Kettle\n\nFill it.\n\n## Boil\n\n" + "Steam rises from the lid. " * 60
    of = cut(text, "block-packing", max_tokens=100)
    found = stretch(of, 0)

    for chunk, said in zip(of.chunks, found.sums, strict=False):
        assert said.words.startswith(f"{chunk.tokens} tokens")
    assert " context + " in found.sums[-1].words
    assert found.sums[-1].context.startswith("# Kettle")


def test_only_what_is_near_is_shown_of_a_long_document() -> None:
    of = cut("# Kettle\n\n" + "The kettle boils, 日本 🫠 don't.\n" * 30_000)
    found = stretch(of, 500_000)

    assert found.rows[0].start <= 500_000 <= found.rows[-1].end
    assert found.rows[-1].end - found.rows[0].start < BEFORE + AFTER + 2 * LONGEST_ROW
    assert found.sums[0].words.endswith("of which only what is near is tokenized")
    assert not found.rulers
    assert counter("cl100k_base")(of.chunks[0].text) == of.chunks[0].tokens
