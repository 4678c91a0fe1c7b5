"""What a heading is called: the short way for titles without marks gives what the long one
does."""

from __future__ import annotations

from unittest.mock import patch

import pytest
from hypothesis import given
from hypothesis import strategies as st

from chunking.document.headings import unmarked_title
from chunking.document.parser import parse


@pytest.mark.parametrize(
    "line", ["# Getting started", "  ### Step 2  ", "#\tTab before", "## a", "# C# in 2.0 (a {b} c)?", "# > x"]
)
def test_a_title_without_marks_is_the_text(line: str) -> None:
    assert unmarked_title(line) == line.strip(" \t#")


@pytest.mark.parametrize(
    "line", ["# A *b*", "# two  blanks", "# Closed #", "# naïve", "# id {#a}", "# a\tb", "#", "# _", "# a\x1fb"]
)
def test_any_other_title_is_read_the_long_way(line: str) -> None:
    assert unmarked_title(line) == ""


@given(title=st.text(alphabet="aB9 ~!\"#$%&'()*+,-./:;<=>?@[]\\^_`{|}\t\x0c", max_size=8))
def test_both_ways_give_the_same_title_and_anchor(title: str) -> None:
    (short,) = parse(f"# {title}\n").blocks
    with patch("chunking.document.blocks.unmarked_title", return_value=""):
        (long,) = parse(f"# {title}\n").blocks

    assert short == long


def test_anchors_of_both_ways_are_told_apart() -> None:
    document = parse("# Set up\n\n# Set *up*\n\n# Set up\n")

    assert [heading.anchor for heading in document.headings] == ["set-up", "set-up-1", "set-up-2"]
