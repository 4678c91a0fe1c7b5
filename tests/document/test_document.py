"""Positions, lines, blocks and sections of a document."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from chunking.document import Document, Section, Span
from chunking.document.parser import parse
from chunking.text.lines import line_starts, split_lines

TWO_SECTIONS = "lead\n\n# A\n\ntext\n\n## B\n\nmore\n"


def titles(section: Section) -> list[str]:
    return [child.title for child in section.children]


def test_lines_end_at_lf_crlf_and_lone_cr_and_nowhere_else() -> None:
    text = "a\nb\r\nc\rd\u2028e\x0bf\x0cg\x85h"

    assert line_starts(text).tolist() == [0, 2, 5, 7]


@pytest.mark.parametrize("text", ["a\r\nb\r\n\r\nc", "a\nb\r\n\r\nc\n", "a\rb\r\n\nc\r", "\ufeffa\r\n\0\r\n"])
def test_lines_begin_at_their_starts_whatever_ends_them(text: str) -> None:
    lines, starts = split_lines(text)

    assert starts == [*line_starts(text).tolist(), len(text)]
    assert lines == re.sub("\r\n?", "\n", text).replace("\0", "\ufffd").removeprefix("\ufeff").splitlines()


def test_a_text_that_ends_in_a_line_ending_has_no_empty_line_after_it() -> None:
    assert line_starts("a\n").tolist() == [0]
    assert line_starts("").tolist() == [0]
    assert line_starts("\r\n\r\n").tolist() == [0, 2]


@given(st.text(alphabet="a\n\ré\u2028\U0001f600"))
def test_a_parsed_document_knows_the_lines_that_its_text_has(text: str) -> None:
    parsed = parse(text)
    bare = Document("document.md", text, parsed.blocks)

    assert [parsed.line_of(at) for at in range(len(text))] == [bare.line_of(at) for at in range(len(text))]
    assert parsed.line_ending == bare.line_ending


def test_lines_count_from_one() -> None:
    document = parse("a\r\nb\n\nc")

    assert [document.line_of(at) for at in (0, 2, 3, 5, 6)] == [1, 1, 2, 3, 4]


@pytest.mark.parametrize(
    ("text", "ending"), [("a\r\nb\n", "\r\n"), ("a\rb\n", "\r"), ("a\nb\r\n", "\n"), ("a", "\n"), ("a\r\n", "\r\n")]
)
def test_the_line_ending_is_the_first_one(text: str, ending: str) -> None:
    assert parse(text).line_ending == ending


def test_the_block_at_an_offset_is_the_one_that_holds_it_with_its_trailing_blank_lines() -> None:
    document = parse("one\n\ntwo\n")

    assert document[document.block_at(0).span] == "one\n\n"
    assert document[document.block_at(4).span] == "one\n\n"
    assert document[document.block_at(5).span] == "two\n"
    assert document[document.block_at(9).span] == "two\n"


def test_an_empty_document_has_no_block_at_all() -> None:
    with pytest.raises(IndexError):
        parse("").block_at(0)


def test_the_section_at_an_offset_is_the_innermost_one() -> None:
    document = parse(TWO_SECTIONS)

    assert document.section_at(0).heading is None
    assert document.section_at(TWO_SECTIONS.index("text")).title == "A"
    assert document.section_at(TWO_SECTIONS.index("## B")).title == "B"
    assert document.section_at(len(TWO_SECTIONS)).title == "B"


def test_a_heading_at_the_very_start_holds_offset_zero() -> None:
    assert parse("# A\n").section_at(0).title == "A"


def test_a_preamble_belongs_to_the_root() -> None:
    root = parse(TWO_SECTIONS, "docs/guide.md").outline

    assert root.title == "guide.md"
    assert [block.kind for block in root.blocks] == ["paragraph"]


def test_headings_nest_by_level_where_levels_are_skipped() -> None:
    root = parse("# A\n### X\n## Y\n# Z\n").outline

    assert titles(root) == ["A", "Z"]
    assert titles(root.children[0]) == ["X", "Y"]


def test_a_deep_heading_that_comes_first_is_no_ancestor_of_a_shallow_one() -> None:
    root = parse("### C\n\n# A\n").outline

    assert titles(root) == ["C", "A"]


def test_a_section_spans_its_descendants_and_owns_only_its_blocks() -> None:
    section = parse(TWO_SECTIONS).outline.children[0]

    assert section.span == Span(6, len(TWO_SECTIONS))
    assert [block.kind for block in section.blocks] == ["heading", "paragraph"]
    assert section.children[0].breadcrumb == ("document.md", "A", "B")


def test_ten_thousand_headings_make_ten_thousand_sections() -> None:
    document = parse("# H\n" * 10_000)

    assert len(document.sections) == 10_001
    assert document.sections[-1].anchor == "h-9999"


def test_documents_are_equal_when_name_and_text_are() -> None:
    assert parse("# A\n") == parse("# A\n")
    assert parse("# A\n") != parse("# A\n", "other.md")


def test_a_place_has_the_breadcrumb_of_its_section() -> None:
    document = parse("text\n\n# A\n\ntext\n\n### X\n\n## Y\n\ntext\n\n# B\n", "a/guide.md")

    for offset in range(len(document.text) + 1):
        assert document.breadcrumb_at(offset) == document.section_at(offset).breadcrumb
    assert document.breadcrumb_at(0) == ("guide.md",)
    assert document.breadcrumb_at(document.text.index("Y")) == ("guide.md", "A", "Y")
    assert parse("# A\n", "b.md").breadcrumb_at(0) == ("b.md", "A")
