"""A hard limit is hard: what each splitter cuts, what it repeats, and what it may not cut."""

from __future__ import annotations

from functools import partial
from pathlib import Path

import pytest
from effort import calls
from hypothesis import given
from hypothesis import strategies as st
from sample_counters import Characters, Words

from chunking import Span, Tools, counter, parse
from chunking.core.chunk import Boundary, Skip, kept_spans
from chunking.document import Document
from chunking.splitting.blank_edges import blank_edges
from chunking.splitting.break_points import break_points_of
from chunking.splitting.oversize import OversizePiece, Splitter, pieces_within, split_oversize

WORDS = Tools(Words())


def cut(text: str, limit: int, before: str = "") -> tuple[Document, list[OversizePiece]]:
    document = parse(text)
    block = document.blocks[0]
    return document, split_oversize(document, block, block.kind, limit, WORDS, before=before)


def whole(document: Document, piece: OversizePiece) -> str:
    return piece.context + document[piece.span].rstrip() + piece.closing


def prose(document: Document, limit: int, tools: Tools = WORDS) -> list[str]:
    return [document[piece.span] for piece in split_oversize(document, document.span, "paragraph", limit, tools)]


def test_prose_is_cut_at_sentences() -> None:
    document = parse("One two. Three four. Five six.\n")

    assert prose(document, 4) == [
        "One two. Three four. ",
        "Five six.\n",
    ]


def test_a_sentence_over_the_limit_is_cut_at_words_and_its_rest_is_packed_on() -> None:
    document = parse("One two three four five. Six seven.\n")

    assert prose(document, 3) == [
        "One two three ",
        "four five. ",
        "Six seven.\n",
    ]


def test_a_word_over_the_limit_is_cut_between_clusters() -> None:
    document = parse("abe\u0301\u0301cd")
    pieces = split_oversize(document, document.span, "paragraph", 2, Tools(Characters()))

    assert [document[piece.span] for piece in pieces] == ["ab", "e\u0301\u0301", "cd"]
    assert [[flag.rule for flag in piece.flags] for piece in pieces] == [[], ["unsplittable"], []]
    assert pieces[1].flags[0].held == 3


def test_code_is_cut_at_lines_and_fenced_again_with_its_own_fence_and_info_string() -> None:
    document, pieces = cut("~~~~py title=x\na = 1\nb = 2\nc = 3\n~~~~\n", 10)

    assert [whole(document, piece) for piece in pieces] == [
        "~~~~py title=x\na = 1\nb = 2\n~~~~",
        "~~~~py title=x\nc = 3\n~~~~",
    ]


def test_indented_code_has_no_fence_to_repeat() -> None:
    document, pieces = cut("    a b\n    c d\n", 2)

    assert [(piece.context, document[piece.span], piece.closing) for piece in pieces] == [
        ("", "    a b\n", ""),
        ("", "    c d\n", ""),
    ]


def test_a_table_is_cut_at_rows_with_its_header_repeated() -> None:
    document, pieces = cut("|a|\n|-|\n|1|\n|2|\n|3|\n", 4)

    assert [whole(document, piece) for piece in pieces] == ["|a|\n|-|\n|1|\n|2|", "|a|\n|-|\n|3|"]


def test_a_header_that_takes_more_than_half_the_limit_is_dropped() -> None:
    document, pieces = cut("| a b c d |\n|---|\n| 1 |\n| 2 |\n| 3 |\n", 9)

    assert [whole(document, piece) for piece in pieces] == ["| a b c d |\n|---|", "| 1 |\n| 2 |\n| 3 |"]
    assert [flag.rule for flag in pieces[1].flags] == ["header-dropped"]


def test_what_the_caller_puts_before_counts_against_the_half() -> None:
    _, pieces = cut("|a|\n|-|\n|1|\n|2|\n|3|\n", 4, before="crumb ")

    assert {piece.context for piece in pieces} == {""}


def test_a_list_is_cut_at_its_items() -> None:
    document, pieces = cut("- a b\n  - c d\n- e f\n", 6)

    assert [document[piece.span] for piece in pieces] == ["- a b\n  - c d\n", "- e f\n"]


def test_a_fence_in_a_list_is_reopened_with_the_lists_indentation() -> None:
    document, pieces = cut("1. x\n\n   ```\n   a\n   b\n   c\n   ```\n", 4)

    assert [whole(document, piece) for piece in pieces] == [
        "1. x",
        "   ```\n   a\n   b\n   ```",
        "   ```\n   c\n   ```",
    ]


def test_a_fence_in_a_quote_is_reopened_with_the_quotes_marks() -> None:
    document, pieces = cut("> ```\r\n> a\r\n> b\r\n> c\r\n> ```\r\n", 8)

    assert [whole(document, piece) for piece in pieces] == [
        "> ```\r\n> a\r\n> b\r\n> ```",
        "> ```\r\n> c\r\n> ```",
    ]


def test_white_space_beside_a_hole_at_an_edge_is_a_hole_as_well() -> None:
    document = parse(" \n# A\n\ntext and more\n", name="a.md")
    said = Skip(Span(2, 6), Boundary("in-context", ""))
    inside = Skip(Span(11, 15), Boundary("excluded", ""))
    holes = blank_edges(document, document.span, [said, inside])

    assert [hole.body for hole in holes] == [Span(0, 2), Span(2, 6), Span(6, 7), Span(11, 15), Span(20, 21)]
    assert [document[span] for span in kept_spans(document.span, holes)] == ["text", " more"]


def test_blank_edges_can_keep_the_indentation_of_code() -> None:
    document = parse("\n   a\n")

    assert [hole.body for hole in blank_edges(document, document.span)] == [Span(0, 4), Span(5, 6)]
    assert [hole.body for hole in blank_edges(document, document.span, keep_indent=True)] == [Span(0, 1), Span(5, 6)]


MARKDOWN = st.lists(
    st.sampled_from(
        [
            "word ",
            "Dr. ",
            "End. ",
            "\n",
            "\n\n",
            "```py\n",
            "```\n",
            "> ",
            "- ",
            "  ",
            "|a|b|\n",
            "|-|-|\n",
            "é世",
            "\U0001f469\u200d\U0001f467",
        ]
    ),
    max_size=40,
).map("".join)


@given(MARKDOWN, st.integers(1, 12))
def test_pieces_tile_their_block_and_hold_the_limit(text: str, limit: int) -> None:
    tools = Tools(counter("cl100k_base"))
    document = parse(text)
    for block in document.blocks:
        pieces = split_oversize(document, block, block.kind, limit, tools)
        assert "".join(document[piece.span] for piece in pieces) == document[block.span]
        for piece in pieces:
            flagged = any(flag.rule == "unsplittable" for flag in piece.flags)
            assert document[piece.span].strip() or len(pieces) == 1, "white space alone is no piece"
            if document[piece.span].strip():
                kept = "".join(document[span] for span in kept_spans(piece.span, piece.holes(document)))
                assert tools.count(piece.context + kept + piece.closing) <= limit or flagged


def test_a_piece_is_the_same_where_another_thread_has_taken_those_before_it() -> None:
    document = parse(f"A{' word' * 19}. Eight nine ten.")

    def splitter() -> Splitter:
        stops = break_points_of(document).within(document.span, "paragraph")
        return Splitter(document, stops, 3, WORDS)

    one_by_one = pieces_within(document, document.span, splitter().next_piece)
    for at, wanted in enumerate(one_by_one):
        skips = splitter()
        skips.next_piece(0)
        assert skips.next_piece(wanted.span.start) == wanted, at


@pytest.mark.parametrize(
    ("name", "kind"), [("table_5k_columns", "table"), ("word_over_limit", "paragraph"), ("flags", "paragraph")]
)
def test_hostile_blocks_are_cut_to_the_limit(shared: Path, name: str, kind: str) -> None:
    document = parse((shared / "adversarial" / "texts" / f"{name}.md").read_text("utf-8"))
    tools = Tools(counter("cl100k_base"))

    pieces = split_oversize(document, document.span, kind, 256, tools)  # type: ignore[arg-type]

    assert all(tools.count_span(document, piece.span) <= 256 for piece in pieces)


def test_twice_a_huge_word_is_about_twice_the_work() -> None:
    def pieces(times: int) -> int:
        return len(prose(parse("ab1" * times), 500, Tools(counter("cl100k_base"))))

    once, twice = (calls(partial(pieces, times)) for times in (50_000, 100_000))

    assert pieces(100_000) > 100
    assert twice < 3 * once
