"""What a heading is called: the short way for titles of words alone gives what the long one
does."""

from __future__ import annotations

import pytest

from chunking.document.headings import words_title
from chunking.document.parser import parse


@pytest.mark.parametrize("line", ["# Getting started", "  ### Step 2  ", "#\tTab before", "## a"])
def test_words_alone_are_the_title(line: str) -> None:
    assert words_title(line) == line.strip(" \t#")


@pytest.mark.parametrize(
    "line", ["# A *b*", "# two  blanks", "# Closed #", "# naïve", "# id {#a}", "# a\tb", "#", "# _"]
)
def test_any_other_title_is_read_the_long_way(line: str) -> None:
    assert words_title(line) == ""


def test_anchors_of_both_ways_are_told_apart() -> None:
    document = parse("# Set up\n\n# Set *up*\n\n# Set up\n")

    assert [heading.anchor for heading in document.headings] == ["set-up", "set-up-1", "set-up-2"]
