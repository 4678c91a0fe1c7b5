"""The outline's lines say what the headings say, where they are, and nothing that could be taken
for an order."""

from __future__ import annotations

from chunking import parse
from pages.ui.components.outline_list import Heading, headings

TEXT = "# Kettle\n\nintro\n\n## Fill\n\nwater\n\n##\n\nsteam\n"


def test_headings_come_in_source_order_with_their_level_line_and_place() -> None:
    assert headings(parse(TEXT, name="a.md")) == (
        Heading("Kettle", 1, 1, 0),
        Heading("Fill", 2, 5, 17),
        Heading("(no title)", 2, 9, 33),
    )


def test_what_would_turn_a_line_around_is_shown_as_its_code_point() -> None:
    (heading,) = headings(parse("# a\u202eb :red[x]\n", name="a.md"))

    assert heading.title == "a[U+202E]b :red[x]"


def test_a_text_without_headings_has_no_outline() -> None:
    assert headings(parse("just text\n", name="a.md")) == ()
