"""Every count of an index equals the counter's count of the text itself: on hostile strings and on
real documents."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from unittest.mock import patch

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from shared_material import shared_dir

from chunking.document import Span
from chunking.document.parser import parse
from chunking.tokens import bpe_index, counter, token_index
from chunking.tokens.bpe_index import EncodingIndex
from chunking.tokens.counters import EncodingCounter
from chunking.tokens.index import TokenIndex

ENCODINGS = ("cl100k_base", "o200k_base")
SUMMED = (*ENCODINGS, "words", "words-1.3", "chars-4")

PIECES = (
    *"abzAZ019 \n\r\t'/.,-_|#`(*",
    *("  ", "\r\n", "\n\n", "\n  ", "  \n", "'s", "'LL", "don't", "Word", "http://", "....", "----", "123456"),
    *("é", "ß", "中", "、", "😀", "\u0301", "\u200d", "\x85", "\u2028", "\xa0", "\u3000", "ſ", "ǅ", "ʰ", "ª", "²", "٣"),
    *("\x0b", "\x1c", "\x00", "\ud800", "\udc00", "\U00011de0", "\U0003ffff", "<|endoftext|>"),
)
"""Letters of every case, marks, numbers, blanks of every kind, what patterns treat specially, and
halves of pairs."""

few_pieces = st.lists(st.sampled_from(PIECES), min_size=2, max_size=4).flatmap(
    lambda few: st.lists(st.sampled_from([*few, "\n"]), max_size=16)
)
hostile = st.one_of(few_pieces, st.lists(st.sampled_from(PIECES), max_size=24)).map("".join)
"""Strings of many kinds of piece, and strings of few kinds, in which each pair comes up."""
by_counter = pytest.mark.parametrize("name", SUMMED)


def joined(text: str, parts: Sequence[str | Span]) -> str:
    return "".join(part if isinstance(part, str) else text[part.start : part.end] for part in parts)


def reach_by_definition(
    count: Callable[[str], int], text: str, start: int, stops: Sequence[int], limit: int, first: int
) -> int:
    at = first
    while at < len(stops) and count(text[start : stops[at]]) <= limit:
        at += 1
    return at - 1


@pytest.mark.parametrize("name", ENCODINGS)
def test_a_span_that_reaches_past_the_end_is_counted_as_the_slice_that_it_is(name: str) -> None:
    text, count = "One line.\n\nAnd one more, of 12 words", counter(name)
    index = token_index(text, count)

    for start in range(len(text) + 2):
        assert index.count(start, len(text) + 7) == count(text[start:])
        assert index.exceeds(start, len(text) + 7, 3) == (count(text[start:]) > 3)


@pytest.mark.parametrize("tokens", [65_534, 65_536, 140_000])
def test_a_text_of_any_number_of_tokens_is_counted(tokens: int) -> None:
    text = "a\n" * (tokens // 2)
    index = token_index(text, counter("cl100k_base"))

    assert index.count(0, len(text)) == tokens
    assert index.count(len(text) - 4, len(text)) == 4
    assert index.last_within(2, np.arange(4, len(text) + 1, 2), tokens - 4) == tokens // 2 - 3


@by_counter
@given(text=hostile)
def test_a_count_is_the_counters_count_of_the_slice_whatever_its_ends(name: str, text: str) -> None:
    count, index = counter(name), token_index(text, counter(name))

    for start in range(len(text) + 1):
        for end in range(start, len(text) + 1):
            assert index.count(start, end) == count(text[start:end]), (start, end)


@by_counter
@given(text=hostile, limit=st.integers(0, 4))
def test_a_span_exceeds_a_limit_where_its_count_does(name: str, text: str, limit: int) -> None:
    count, index = counter(name), token_index(text, counter(name))

    for start in range(len(text) + 1):
        for end in range(start, len(text) + 1):
            assert index.exceeds(start, end, limit) == (count(text[start:end]) > limit), (start, end)


@by_counter
@given(text=hostile, parts=st.data())
def test_a_count_of_parts_is_the_count_of_their_join(name: str, text: str, parts: st.DataObject) -> None:
    position = st.integers(0, len(text))
    span = st.tuples(position, position).map(lambda ends: Span(min(ends), max(ends)))
    short = st.lists(st.sampled_from(PIECES), max_size=4).map("".join)
    drawn = parts.draw(st.lists(st.one_of(short, span), max_size=6))

    before, spans = parts.draw(short), [part for part in drawn if isinstance(part, Span)][:1]
    index = token_index(text, counter(name))

    assert index.count_parts(drawn) == counter(name)(joined(text, drawn))
    for part in spans:
        behind = counter(name)(before + joined(text, [part]))
        assert index.count_after(before, part.start, part.end) == behind
        if before and part.start < part.end and index.adds_up(before, part.start):
            assert behind == counter(name)(before) + counter(name)(joined(text, [part]))
    tokens = counter(name)(before)
    assert index.count_behind(before, tokens, drawn) == counter(name)(before + joined(text, drawn))


@by_counter
@given(text=hostile.filter(bool), limit=st.integers(0, 12), drawn=st.data())
def test_reach_stops_before_the_first_stop_over_the_limit(
    name: str, text: str, limit: int, drawn: st.DataObject
) -> None:
    stops = sorted(drawn.draw(st.sets(st.integers(1, len(text)), min_size=1)))
    start = drawn.draw(st.integers(0, stops[-1] - 1))
    first = next(at for at, stop in enumerate(stops) if stop > start)
    array = np.array(stops, dtype=np.int64)
    index = token_index(text, counter(name))
    expected = reach_by_definition(counter(name), text, start, stops, limit, first)

    assert index.last_within(start, stops, limit, first) == expected
    assert index.last_within(start, array, limit, first) == expected
    assert index.last_within(start, array, limit, first) == expected, "when the array comes again"


@by_counter
@given(text=hostile.filter(bool), limit=st.integers(0, 12), drawn=st.data())
def test_nothing_up_to_the_last_offset_over_the_limit_is_within_it(
    name: str, text: str, limit: int, drawn: st.DataObject
) -> None:
    low, end = sorted(drawn.draw(st.tuples(st.integers(0, len(text)), st.integers(0, len(text)))))

    over = token_index(text, counter(name)).last_over(low, end, limit)

    assert over < 0 or low <= over < end
    assert all(counter(name)(text[start:end]) > limit for start in range(low, over + 1))


@by_counter
@given(text=hostile.filter(bool), drawn=st.data())
def test_spans_that_are_counted_together_have_each_its_own_count(name: str, text: str, drawn: st.DataObject) -> None:
    offsets = st.integers(0, len(text))
    spans = drawn.draw(st.lists(st.tuples(offsets, offsets).map(sorted), min_size=1, max_size=40))
    starts, ends = np.array(spans, np.int64).T
    index = token_index(text, counter(name))

    assert index.counts(starts, ends).tolist() == [index.count(start, end) for start, end in spans]


@pytest.mark.parametrize("name", ENCODINGS)
@pytest.mark.parametrize("together", [4, 1 << 17])
@given(text=hostile.filter(bool), drawn=st.data())
def test_the_tokens_before_and_behind_a_stop_are_within_its_bounds(
    name: str, together: int, text: str, drawn: st.DataObject
) -> None:
    stops = sorted(drawn.draw(st.sets(st.integers(1, len(text)), min_size=1, max_size=8)))
    start = drawn.draw(st.integers(0, len(text)))
    index = token_index(text, counter(name))

    with patch.object(bpe_index, "_SLICE", together):
        bounds = index.bounds_at(np.array(stops, np.int64))

    assert bounds is not None
    bound, good = index.bound_from(start)
    for stop, least, most in zip(stops, *(each.tolist() for each in bounds), strict=True):
        if least - bound > 4 * (good - start):
            assert all(index.count(start, end) >= least - bound for end in range(stop, len(text) + 1))
        assert all(index.count(start, end) <= most - bound for end in range(good, stop + 1))
    assert bounds[0].tolist() == sorted(bounds[0])


@by_counter
@given(text=hostile.filter(bool), limit=st.integers(0, 12), drawn=st.data())
def test_halving_ends_where_it_does_with_every_middle_counted(
    name: str, text: str, limit: int, drawn: st.DataObject
) -> None:
    start, end = sorted(drawn.draw(st.tuples(st.integers(0, len(text)), st.integers(0, len(text)))))
    index = token_index(text, counter(name))

    to_end, to_start = (start, start, end, limit), (end, end, start, limit)
    assert index.halve_to_end(*to_end) == TokenIndex.halve_to_end(index, *to_end)
    assert index.halve_to_start(*to_start) == TokenIndex.halve_to_start(index, *to_start)


@by_counter
@given(text=hostile.filter(bool))
def test_sums_give_the_counts_between_their_stops_and_bound_those_to_others(name: str, text: str) -> None:
    count, index = counter(name), token_index(text, counter(name))
    every = np.arange(len(text) + 1)
    stops = np.array([stop for stop in every.tolist() if index.sums_at(np.array([stop])) is not None], np.int64)
    sums, most = index.sums_at(stops), index.sums_at_most(every)
    if sums is None or most is None:
        return  # by this counter none are known
    for start, before in zip(stops.tolist(), sums.tolist(), strict=True):
        found = sums[stops >= start] - before
        assert found.tolist() == [count(text[start:stop]) for stop in stops.tolist() if stop >= start]
        assert all(count(text[start:end]) <= most[end] - before for end in range(start, len(text) + 1))


@by_counter
@given(text=hostile.filter(bool))
def test_sums_around_give_the_counts_between_visible_edges(name: str, text: str) -> None:
    count, index = counter(name), token_index(text, counter(name))
    visible = np.array([at for at, character in enumerate(text) if not character.isspace()], np.int64)
    sums = index.sums_around(visible, visible + 1)
    if sums is None:
        return  # by this counter none are known
    before, up_to, sure = sums
    for row in np.flatnonzero(sure).tolist():
        start, ends = int(visible[row]), (visible[row:] + 1).tolist()
        assert (up_to[row:] - before[row]).tolist() == [count(text[start:end]) for end in ends]


@by_counter
def test_counts_and_reach_are_exact_on_the_corpus(name: str) -> None:
    count, chance = counter(name), random.Random(name)
    files = sorted(shared_dir().joinpath("corpus").rglob("*.md"))
    for file in chance.sample(files, 25):
        text = file.read_bytes().decode("utf-8", "replace")[:60_000]
        index = token_index(text, count)
        stops = np.array(sorted({end for at, c in enumerate(text) if c == "\n" for end in (at, at + 1) if end}))
        for _ in range(25):
            start, end = sorted(chance.randrange(len(text) + 1) for _ in range(2))
            assert index.count(start, end) == count(text[start:end]), (file.name, start, end)
        for _ in range(3 if len(stops) else 0):
            start = chance.randrange(int(stops[-1]))
            first = int(np.searchsorted(stops, start, side="right"))
            limit = chance.choice([1, 20, 300])
            expected = reach_by_definition(count, text, start, stops.tolist(), limit, first)
            assert index.last_within(start, stops, limit, first) == expected, (file.name, start, limit)


LINES = (
    *("# One", "Two", "===", "---", "- three", "  four", "1. five", "> six", "```", "~~~", "    seven", "| a | b |"),
    *("|---|---|", "[x]: y", "[^1]: z", "![i](j)", "<div>", "</div>", "<!-- c", "-->", "$$", "", "", "", "title: t"),
    *("\ufeff# bom", "+++", "...", "\xa0", "* [ ] do", "\ttab", "a|b", "-|-", "<b>"),
)
markdown = st.lists(st.sampled_from(LINES), max_size=9).map("\n".join)


@given(text=markdown, ends=st.sampled_from(["", "\n", "\n\n"]))
def test_block_ratio_counts_every_run_of_blocks_as_the_parser_would(text: str, ends: str) -> None:
    count, text = counter("block-ratio"), text + ends
    index = token_index(text, count)
    blocks = parse(text).blocks

    for at, first in enumerate(blocks):
        for last in blocks[at:]:
            for end in range(max(last.content_end, first.span.start), last.span.end + 1):
                assert index.count(first.span.start, end) == count(text[first.span.start : end]), (first, last, end)


def test_a_rule_at_the_start_of_a_slice_may_open_front_matter_there() -> None:
    text = "one\n\n---\ntwo: 2\n\n---\n\nthree"
    rule = text.index("---")

    # As part of the text a rule, a paragraph and a rule: 1 + 2 + 1. By itself the slice is front
    # matter, 14 / 4.
    assert token_index(text, counter("block-ratio")).count(0, rule + 15) == 1 + 1 + 2 + 1
    assert token_index(text, counter("block-ratio")).count(rule, rule + 15) == counter("block-ratio")(text[rule:][:15])
    assert counter("block-ratio")(text[rule:][:15]) == 4


@given(text=markdown, drawn=st.data())
def test_block_ratio_counts_any_slice_and_any_parts_by_the_definition(text: str, drawn: st.DataObject) -> None:
    count, index = counter("block-ratio"), token_index(text, counter("block-ratio"))
    start, end = sorted(drawn.draw(st.tuples(st.integers(0, len(text)), st.integers(0, len(text)))))
    stops = range(start + 1, len(text) + 1)

    assert index.count(start, end) == count(text[start:end])
    assert index.count_parts(["# A > B\n\n", Span(start, end)]) == count("# A > B\n\n" + text[start:end])
    assert index.last_within(start, stops, 3) == reach_by_definition(count, text, start, stops, 3, 0)


PROSE = ("alpha", "beta gamma", "foo: bar", "word word.", "x | y", "\xe9tude a", "", "", *LINES)


@given(
    text=st.lists(st.sampled_from(PROSE), max_size=9).map("\n".join),
    before=st.sampled_from(["# A > B\n\n", "# \n\n", "#A\n\n", "# A\n"]),
    drawn=st.data(),
)
def test_block_ratio_adds_up_what_a_blank_line_keeps_apart_and_nothing_else(
    text: str, before: str, drawn: st.DataObject
) -> None:
    count, index = counter("block-ratio"), token_index(text, counter("block-ratio"))
    places = [*(block.span.start for block in parse(text).blocks), len(text)]
    anywhere = st.one_of(st.sampled_from(places), st.integers(0, len(text)))
    a, b, c, d = sorted(drawn.draw(st.tuples(anywhere, anywhere, anywhere, anywhere)))

    assert index.count_parts([Span(a, b), Span(c, d)]) == count(text[a:b] + text[c:d])
    assert index.count_parts([before, Span(a, b), Span(c, d)]) == count(before + text[a:b] + text[c:d])


def test_a_counter_that_nothing_is_known_of_is_asked_once_for_each_slice() -> None:
    asked: list[str] = []

    def letters(text: str) -> int:
        asked.append(text)
        return sum(map(str.isalpha, text))

    index = token_index("ab 1 cd", letters)

    assert [index.count(0, 4), index.count(0, 4), index.count(3, 3)] == [2, 2, 0]
    assert asked == ["ab 1"]
    assert index.count_parts(["x", Span(0, 1), Span(1, 3)]) == 3
    assert asked == ["ab 1", "xab "]
    assert index.last_within(0, [2, 4, 6, 7], limit=3) == 2


def test_reach_says_one_before_the_first_when_even_that_is_too_much() -> None:
    index = token_index("one two three", counter("words"))

    assert index.last_within(0, [7, 13], limit=1) == -1
    assert index.last_within(0, np.array([3, 7, 13]), limit=1, first=1) == 0


def test_reach_ends_at_the_first_stop_over_the_limit_even_where_a_later_one_is_under_it() -> None:
    index = token_index("aXb", lambda text: 0 if text == "aXb" else len(text))

    assert index.last_within(0, [1, 2, 3], limit=1) == 0


def test_an_index_is_remembered_for_its_text_and_counter() -> None:
    assert token_index("some text", counter("words")) is token_index("some text", counter("words"))
    assert token_index("some text", counter("words")) is not token_index("some text", counter("chars-4"))


@pytest.mark.parametrize("name", ENCODINGS)
def test_a_text_longer_than_a_slice_of_the_encoder_is_counted_as_a_whole(name: str) -> None:
    text = "Zwölf Boxkämpfer jagen Viktor. 日本語、です。\n    indented ¿qué?\n\n" * 40_000
    index = token_index(text, counter(name))

    assert isinstance(index, EncodingIndex)
    assert index.count(0, len(text)) == counter(name)(text)
    assert index.count(1_000_003, 2_000_007) == counter(name)(text[1_000_003:2_000_007])


@pytest.mark.parametrize("name", ENCODINGS)
@pytest.mark.parametrize("character", ["a", " ", "\n", "\xa0", "7", "中", "."])
def test_a_run_without_a_safe_position_is_still_counted_exactly(name: str, character: str) -> None:
    text = f"x {character * 30_000}y"
    index = token_index(text, counter(name))

    for start, end in ((0, len(text)), (5, 29_000), (12_345, 12_999), (20_001, len(text))):
        assert index.count(start, end) == counter(name)(text[start:end])


def test_spans_between_line_starts_are_counted_without_encoding_anything() -> None:
    encoding = counter("cl100k_base")
    assert isinstance(encoding, EncodingCounter)
    text = "# Kettle\n\nFill it, boil it.\n\n    code\n\n- tea\n" * 50
    index = token_index(text, encoding)
    starts = [at + 1 for at, c in enumerate(text) if c == "\n" and text[at + 1 : at + 2] not in ("", "\n")]
    before = encoding.count_edge.cache_info()

    counts = [index.count(start, end) for start, end in zip(starts, starts[7:], strict=False)]

    assert encoding.count_edge.cache_info() == before
    assert counts == [encoding(text[start:end]) for start, end in zip(starts, starts[7:], strict=False)]
