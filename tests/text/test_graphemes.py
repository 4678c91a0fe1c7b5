"""Cuts never fall inside what a reader sees as one character, and finding them stays linear."""

from __future__ import annotations

import pytest
import regex
from hypothesis import given
from hypothesis import strategies as st

from chunking.text.graphemes import (
    at_clusters,
    grapheme_ceiling,
    grapheme_floor,
    grapheme_stops,
)
from chunking.text.whitespace import first_visible, last_visible

FAMILY = "\U0001f469\u200d\U0001f469\u200d\U0001f467"
FLAG = "\U0001f1e9\U0001f1ea"
PARTS = st.sampled_from(
    [
        *("a", "é", "e\u0301", FAMILY, FLAG, "\U0001f1e9", "\r\n", "\r", "\n", "가", "각", "\u1100\u1161"),
        *(" ", "0", "#", "\u0301", "\u200d", "\u0600", "\u0e33", "\u0915\u094d", "\u00a9"),
    ]
)


def test_a_family_a_flag_and_a_line_ending_are_one_stop_each() -> None:
    assert grapheme_stops(f"a{FAMILY}{FLAG}\r\n", 0, 10) == [1, 6, 8, 10]


def test_stops_are_offsets_of_the_text_not_of_the_stretch() -> None:
    assert grapheme_stops("abcdef", 2, 5) == [3, 4, 5]


def test_the_floor_and_ceiling_of_an_offset_in_a_cluster_are_its_edges() -> None:
    text = f"ab{FAMILY}cd"

    assert grapheme_floor(text, 4, 0) == 2
    assert grapheme_ceiling(text, 4, 0) == 7
    assert grapheme_floor(text, 8, 0) == grapheme_ceiling(text, 8, 0) == 8
    assert grapheme_ceiling(text, 99, 0) == len(text)


@given(st.lists(PARTS, max_size=12).map("".join), st.integers(0, 30))
def test_stops_floor_and_ceiling_agree_with_the_rules_of_unicode(text: str, offset: int) -> None:
    stops = [match.end() for match in regex.finditer(r"\X", text)]
    offset = min(offset, len(text))

    assert grapheme_stops(text, 0, len(text)) == stops
    assert grapheme_floor(text, offset, 0) == max([0, *(stop for stop in stops if stop <= offset)])
    assert grapheme_ceiling(text, offset, 0) == min([stop for stop in [0, *stops] if stop >= offset])


@pytest.mark.parametrize("part", [FLAG, FAMILY, "e\u0301", "世", "\r\n", "\u0301"])
def test_half_a_megabyte_of_one_cluster_is_gone_through_once(part: str) -> None:
    text = part * (500_000 // len(part))

    assert grapheme_stops(text, 0, len(text))[-1] == len(text)


def test_a_joiner_belongs_to_the_space_before_it() -> None:
    text = "ab \u200ccd "

    assert list(at_clusters(text, [2, 3, 4, 5], 0)) == [2, 4, 5]
    assert first_visible(text, 2, len(text)) == 2
    assert last_visible(text, 0, len(text)) == 6
    assert last_visible("a\u0600 ", 0, 3) == 3
