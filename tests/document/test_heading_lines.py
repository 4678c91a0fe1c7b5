"""Headings that Markdown does not mark, found by the kinds and templates of a config."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from chunking.document.conversion import Conversion
from chunking.document.heading_kinds import HEADING_KINDS
from chunking.document.loader_settings import LONGEST, MOST, NO_LOADER, LoaderSettings
from chunking.document.model import Document
from chunking.document.parser import parse
from chunking.errors import SettingError

ALL = LoaderSettings(tuple(HEADING_KINDS), ("* * *",))


def read(text: str, *patterns: str, delimiters: tuple[str, ...] = ()) -> Document:
    return parse(text, name="a.txt").read_by(LoaderSettings(patterns, delimiters))


def headings(text: str, *patterns: str, delimiters: tuple[str, ...] = ()) -> list[tuple[int, str]]:
    return [(each.level, each.title) for each in read(text, *patterns, delimiters=delimiters).headings]


@pytest.mark.parametrize(
    ("line", "kind", "level"),
    [
        ("1 Introduction", "numbered", 1),
        ("1.0 Introduction", "numbered", 1),
        ("1.2 Title", "numbered", 2),
        ("1.2.3) Title", "numbered", 3),
        ("1.2 概要", "numbered", 2),
        ("1. Introduction", "numbered", 1),
        ("Article 1", "article", 1),
        ("ARTICLE IV - Duties", "article", 1),
        ("Section 3.1 Scope", "article", 2),
        ("§ 12a Scope", "article", 1),
        ("Art. 5: the scope", "article", 1),
        ("第十二条 总则", "article", 1),
        ("Chapter I", "chapter", 1),
        ("CHAPTER ONE", "chapter", 1),
        ("Appendix B: Tables", "chapter", 1),
        ("第3章", "chapter", 1),
        ("GENERAL TERMS", "capitals", 1),
    ],
)
def test_a_line_of_its_kind_is_a_heading_with_the_level_of_its_number(line: str, kind: str, level: int) -> None:
    assert headings(f"Words.\n\n{line}\n\nMore words.\n", kind) == [(level, line)]


@pytest.mark.parametrize(
    "line",
    [
        "1.2 million people live there",
        "1.2 The supplier delivers.",
        "1.2 Scope .......... 14",
        "1.2 Scope        14",
        "12.05.2024 Meeting",
        "Article 1 of the treaty says so",
        "Chapter 3 describes the results",
        "Part of the reason",
        "EUR 1,000,000.00",
        "| A | B |",
        "A sentence that ends here.",
        "1.2 " + "Word " * 40,
    ],
)
def test_a_line_that_only_looks_like_a_heading_stays_text(line: str) -> None:
    assert headings(f"Words.\n\n{line}\n\nMore words.\n", *HEADING_KINDS) == []


def test_a_list_stays_a_list() -> None:
    assert headings("1. Fill the kettle\n2. Boil it\n", "numbered") == []
    assert headings("1. Fill the kettle\n\n2. Boil it\n\nDone.\n", "numbered") == []
    assert headings("1. Fill\n\n   the kettle\n\nDone.\n", "numbered") == []
    assert headings("- one\n\n  1.2 Two\n\n", "numbered") == []


def test_code_stays_code_and_what_markdown_marks_stays_as_it_is() -> None:
    text = "# 1.1 One\n\n```\n1.2 Two\n```\n\n1.3 Three\n---------\n\n<pre>\n1.4 Four\n</pre>\n"

    assert headings(text, "numbered") == [(1, "1.1 One"), (2, "1.3 Three")]


def test_a_heading_within_lines_of_text_begins_a_section_after_a_full_stop_only() -> None:
    text = "It ends here.\n1.2 Title\nand a line about\n1.3 Million people\n"

    assert headings(text, "numbered") == [(2, "1.2 Title")]


def test_capitals_over_two_lines_are_one_heading_and_a_paragraph_of_them_is_none() -> None:
    two = "THE HISTORY\nOF TEA\n\nWords.\n"
    warranty = "THE SOFTWARE IS PROVIDED AS IS\nWITHOUT WARRANTY OF ANY KIND\nEXPRESS OR IMPLIED.\n"

    assert headings(two, "capitals") == [(1, "THE HISTORY OF TEA")]
    assert headings(warranty, "capitals") == []


def test_the_first_kind_that_finds_something_is_the_outermost() -> None:
    text = "Chapter I\n\nArticle 1\n\n1.1 Scope\n\nWords.\n"

    assert [level for level, _ in headings(text, "chapter", "article", "numbered")] == [1, 2, 4]
    assert [level for level, _ in headings("1.1 Scope\n\nWords.\n", "chapter", "article", "numbered")] == [2]


def test_marks_in_front_of_a_template_say_its_level() -> None:
    text = "Rule 7 On cats\n\nWords.\n\nReferences\n\nA book.\n"

    assert headings(text, "### rule {number} {title}", "# References") == [(3, "Rule 7 On cats"), (1, "References")]


def test_titles_of_pages_follow_a_form_feed_and_a_repeated_one_is_said_once() -> None:
    text = "Tea\n\nOne.\n\fTea\n\nTwo goes on\n\f\nCoffee\n\nThree.\n\fand so on\n\nFour.\n"

    assert headings(text, "page-title") == [(1, "Tea"), (1, "Coffee")]
    assert headings("Tea\n\nOne.\n", "page-title") == []


def test_pages_are_those_of_the_converter_where_it_says_them() -> None:
    text = "Tea\n\nOne.\n\nCoffee\n\nTwo.\n\nMilk\n\nThree.\n"
    conversion = Conversion("test 1", page_starts=(0, text.index("Coffee")))
    document = parse(text, "a.pdf", conversion).read_by(LoaderSettings(("page-title",)))

    assert [each.title for each in document.headings] == ["Tea", "Coffee"]
    assert document.conversion == conversion


def test_a_delimiter_opens_a_section_of_the_outermost_level_and_stays_with_what_follows() -> None:
    document = read("One.\n-----\nTwo.\n\n1.1 Three\n\n----- 4\n", "numbered", delimiters=("-----",))

    assert [document[each.span] for each in document.sections[1:]] == [
        "-----\nTwo.\n\n1.1 Three\n\n",
        "1.1 Three\n\n",
        "----- 4\n",
    ]
    assert [each.breadcrumb[1:] for each in document.sections[1:]] == [
        ("-----",),
        ("-----", "1.1 Three"),
        ("----- 4",),
    ]


@pytest.mark.parametrize("line_end", ["\n", "\r\n", "\r"])
def test_offsets_are_exact_for_any_line_end(line_end: str) -> None:
    text = line_end.join(["---", "title: x", "---", "", "1.1 One", "", "Words.", "1.2 Two", "More."])
    document = read(text, "numbered")

    assert [text[each.span.start :][:7] for each in document.headings] == ["1.1 One", "1.2 Two"]
    assert [each.anchor for each in document.headings] == ["11-one", "12-two"]


def test_documents_that_were_read_otherwise_are_not_equal_and_are_read_back() -> None:
    plain = parse("1.1 One\n\nWords.\n", name="a.txt")
    found = plain.read_by(LoaderSettings(("numbered",)))

    assert found != plain
    assert plain.read_by(LoaderSettings(("numbered",))) is found
    assert found.read_by(LoaderSettings(("numbered",))) is found
    assert not found.read_by(NO_LOADER).headings


@pytest.mark.parametrize(
    ("patterns", "problem"),
    [
        (
            ("articel",),
            "[0]: 'articel' is not a kind of heading and has no placeholder such as {number}; put # before a",
        ),
        (("(a+)+$",), "[0]: '(a+)+$' is not a kind of heading"),
        (("{title}",), "[0]: '{title}' fits every line; write what its headings begin with"),
        (("{title} {number}",), "[0]: '{title} {number}' has {title} before its end"),
        (("{number}{letter}",), "[0]: '{number}{letter}' has two placeholders side by side"),
        (("{digits}",), "[0]: '{digits}' has the placeholder {digits}; there are {number}, {roman}, {letter}, {title}"),
        (("numbered", "numbered"), "[1]: 'numbered' is given twice; delete one"),
        (("A {number}" + "x" * LONGEST,), f"[0]: has {LONGEST + 10} characters; at most {LONGEST} are taken"),
        (tuple(f"# {each}" for each in range(MOST + 1)), f": has {MOST + 1} entries; at most {MOST} are taken"),
        (("A\n{number}",), "[0]: 'A[U+000A]{number}' holds a character that no line has"),
    ],
)
def test_a_pattern_that_is_none_is_one_line_that_says_the_way_out(patterns: tuple[str, ...], problem: str) -> None:
    with pytest.raises(SettingError) as refused:
        LoaderSettings(patterns)

    assert str(refused.value).startswith(f"loader.headingPatterns{problem}")


def test_a_delimiter_that_nobody_can_see_is_refused() -> None:
    with pytest.raises(SettingError, match=r"loader.delimiters\[0\]: .* take headingPatterns: \[page-title\]"):
        LoaderSettings((), ("\f",))


LINES = st.lists(
    st.one_of(
        st.sampled_from(
            [
                "",
                "1.2 Title",
                "1. One",
                "2. Two",
                "Article 1",
                "GENERAL",
                "* * *",
                "---",
                "===",
                "```",
                "\f",
                "    1.1 A",
            ]
        ),
        st.text(alphabet="AaÄß 1.#>|-*`\t\f\x00\u2028", max_size=12),
    ),
    max_size=14,
)


@settings(max_examples=50, deadline=None)
@given(LINES, st.sampled_from(["\n", "\r\n", "\r"]))
def test_whatever_is_found_blocks_and_sections_tile_the_text(lines: list[str], line_end: str) -> None:
    text = line_end.join(lines)
    document = parse(text, name="a.txt").read_by(ALL)

    assert "".join(document[block.span] for block in document.blocks) == text
    assert document.outline.span == document.span
    assert all(1 <= each.level <= 6 and text[each.span.start : each.content_end].strip() for each in document.headings)


@pytest.mark.parametrize(
    "line",
    ["1" * 160, "1.1" * 50, "A" * 160, ". " * 80, "Article " + "I" * 150, " " * 100_000 + "x", "1.1 " + "\f" * 150],
)
def test_no_line_takes_for_ever(line: str) -> None:
    """A pattern that goes back over the line again and again would not end within the time that a
    test has."""
    templates = ("{number}.{number}.{number} {title}", "# {roman} {number} a a a {letter}")
    text = f"{line}\n\n" * (200 if len(line) < 1000 else 3)

    assert len(read(text, *HEADING_KINDS, *templates).text) == len(text)
