"""A heading path as text, and how it is shortened from the left."""

from __future__ import annotations

from chunking import parse
from chunking.splitting.breadcrumbs import arrow, clip, heading_lines, shorten


def words(text: str) -> int:
    return len(text.split())


def test_heading_lines_repeat_titles_as_written_without_ids() -> None:
    document = parse("# The *Kettle* {#kettle}\n\nFill\n----\n")

    assert heading_lines(document.headings, "\r\n") == ("# The *Kettle*\r\n## Fill\r\n", False)


def test_an_arrow_is_one_line() -> None:
    assert arrow(["guide.md", "Install", "On\nLinux"]) == "guide.md > Install > On Linux"


def test_a_breadcrumb_that_fits_is_left_alone() -> None:
    assert shorten(["guide.md", "A"], arrow, 3, words) == ("guide.md > A", False)


def test_a_breadcrumb_loses_its_first_parts() -> None:
    assert shorten(["guide.md", "A", "B", "C"], arrow, 5, words) == ("... > B > C", True)


def test_the_last_part_loses_its_first_words() -> None:
    assert shorten(["guide.md", "one two three four"], arrow, 2, words) == ("...three four", True)


def test_a_breadcrumb_without_any_room_is_empty() -> None:
    assert shorten(["guide.md", "A"], arrow, 0, words) == ("", True)


def test_a_long_word_is_shortened_by_characters() -> None:
    assert shorten(["abcdefghij"], arrow, 7, len) == ("...ghij", True)


def test_shortened_heading_lines_keep_their_marks() -> None:
    document = parse("# A\n## one two three\n")

    assert heading_lines(document.headings, "\n", 4, words) == ("...\n## ...two three\n"[4:], True)
    assert heading_lines(document.headings, "\n", 5, words) == ("...\n## one two three\n", True)


def test_a_clipped_title_counts_its_ellipsis_and_keeps_clusters_whole() -> None:
    assert clip("abcdef", 6) == "abcdef"
    assert clip("abcdefg", 6) == "abcde…"
    assert clip("abcde\u0301fgh", 6) == "abcd…"
