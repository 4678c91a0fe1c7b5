"""fixed: windows of one size, separators late in the window, overlap, characters and tokens
(DECISIONS sc-1)."""

from __future__ import annotations

from copy import copy
from unittest.mock import patch

import pytest
from contract import chunked
from cut_again import cuts_as_fresh_ones
from hypothesis import given
from hypothesis import strategies as st
from spec_cases import assert_size_and_overlap_cases

from chunking import Chunk, Config, Tools, parse, run
from chunking.errors import SettingError
from chunking.splitting.length_functions import lengths_in
from chunking.strategies import fixed
from chunking.strategies.fixed import Fixed, Window, _Windows


def cut(text: str, size: int, overlap: int, **others: str) -> list[Chunk]:
    strategy = Fixed(chunk_size=size, chunk_overlap=overlap, **others)  # type: ignore[arg-type]
    return [part for part in strategy.split(parse(text), Tools()) if isinstance(part, Chunk)]


def test_a_separator_in_the_second_half_of_the_window_is_cut_after() -> None:
    first, *_ = cut("abcdefg\n\nhijklmnop", 10, 2)

    assert first.text == "abcdefg\n\n"
    assert first.ended_by.rule == "separator"
    assert first.ended_by.held == 7


def test_a_separator_that_begins_at_half_the_window_is_not_used() -> None:
    first, *_ = cut("abcde\n\nhijklmnop", 10, 2)

    assert first.text == "abcde\n\nhij"
    assert first.ended_by.rule == "size-reached"


def test_a_separator_inside_a_token_is_passed_over_where_the_shorter_text_counts_more() -> None:
    # "aaa steam" is 2 tokens of cl100k_base and "aaa stea" 3.
    settings = Fixed(chunk_size=2, chunk_overlap=0, separator="a", unit="tokens")

    run = chunked(parse("aaa steam\n kettle boils"), Config(settings, "cl100k_base"))

    assert run.chunks[0].text == "aaa steam"
    assert max(chunk.tokens for chunk in run.chunks) <= 2


def test_the_overlap_is_the_end_of_the_body_before() -> None:
    first, second, third = cut("abcdefghijklmnopqrstuvwx", 10, 3, separator="")

    assert [first.text, second.text, third.text] == ["abcdefghij", "hijklmnopq", "opqrstuvwx"]
    assert (first.overlap, second.body_tokens > 0) == (None, True)
    assert second.overlap is not None
    assert (second.overlap.start, second.overlap.end, second.body.end) == (7, 10, 17)


def test_an_overlap_of_more_than_half_stays_within_the_body_before() -> None:
    first, second, third, *_ = cut("abcdefghijklmnopqrstuvwx", 10, 8, separator="")

    assert [first.text, second.text, third.text] == ["abcdefghij", "cdefghijkl", "klmnopqrst"]


def test_a_window_never_cuts_a_family_or_a_line_ending() -> None:
    family = "\U0001f469\u200d\U0001f469\u200d\U0001f467"

    assert [chunk.text for chunk in cut(f"ab{family}c\r\nde", 4, 0, separator="")] == ["ab", family, "c\r\nd", "e"]
    assert cut(f"ab{family}c", 4, 0, separator="")[1].flag("unsplittable") is not None


def test_a_crlf_text_is_cut_at_its_own_blank_lines() -> None:
    assert cut("abcdefg\r\n\r\nhijklmnop", 12, 0)[0].text == "abcdefg\r\n\r\n"


def test_a_window_of_white_space_is_a_skip_and_edges_are_kept() -> None:
    found = list(Fixed(chunk_size=3, chunk_overlap=0, separator="").split(parse(" a       b\n"), Tools()))

    assert [part.text if isinstance(part, Chunk) else part.because.rule for part in found] == [
        " a ",
        "blank",
        "blank",
        "b\n",
    ]


def test_tokens_count_overlap_and_body_together() -> None:
    text = "One two three four five six seven eight nine ten. " * 20
    found = cut(text, 30, 10, unit="tokens")

    assert max(chunk.tokens for chunk in found) == 30
    assert all(chunk.tokens - chunk.body_tokens <= 10 for chunk in found)
    assert Fixed(unit="tokens").limits().maximum == 1000
    assert Fixed().limits().maximum is None


def test_an_overlap_that_is_not_less_than_the_size_is_refused() -> None:
    with pytest.raises(SettingError, match=r"^chunkOverlap: 10 is not less than chunkSize \(10\); "):
        Fixed(chunk_size=10, chunk_overlap=10)


def test_the_cases_hold() -> None:
    assert_size_and_overlap_cases("text_splitter", cut)


@given(
    st.lists(
        st.sampled_from(["word ", "\n\n", "\r\n", "e\u0301", "\U0001f1e9\U0001f1ea", "世", " ", "# A\n"]), max_size=40
    ),
    st.sampled_from([(1, 0), (5, 3), (20, 15), (50, 10)]),
    st.sampled_from(["characters", "tokens"]),
)
def test_the_promises_hold_on_any_text(pieces: list[str], sizes: tuple[int, int], unit: str) -> None:
    size, overlap = sizes
    result = chunked(parse("".join(pieces)), Config(Fixed(chunk_size=size, chunk_overlap=overlap, unit=unit)))  # type: ignore[arg-type]

    if unit == "characters":
        assert all(len(chunk.text) <= size or chunk.flag("unsplittable") for chunk in result.chunks)


def test_each_window_begins_after_the_one_before_began() -> None:
    found = cut("012345\n\nabc", 10, 8)

    assert [chunk.text for chunk in found] == ["012345\n\n", "12345\n\nabc"]


@pytest.mark.parametrize("unit", ["characters", "tokens"])
@given(
    text=st.lists(st.sampled_from(["a", " ", "\n\n", "1234", "👩‍👩‍👧", " \u200c", "e\u0301", "\r\n"]), max_size=40).map(
        "".join
    ),
    size=st.integers(1, 12),
    share=st.floats(0, 0.9),
)
def test_no_window_is_repeated_in_the_next(unit: str, text: str, size: int, share: float) -> None:
    found = cut(text, size, int(size * share), unit=unit)
    begins = [chunk.overlap.start if chunk.overlap else chunk.body.start for chunk in found]

    assert begins == sorted(set(begins))


@given(
    text=st.lists(
        st.sampled_from(["word ", "a", "\n\n", "\n", "\r\n", "\u0301", "\u4e2d\u6587", "\U0001f1e9", "\u200d", "   "]),
        max_size=80,
    ).map("".join),
    size=st.integers(1, 30),
    overlap=st.integers(0, 29),
    separator=st.sampled_from(["\n\n", "\n", " ", "a"]),
)
def test_a_window_that_is_found_by_a_look_at_its_edges_is_the_one_that_is_walked_to(
    text: str, size: int, overlap: int, separator: str
) -> None:
    settings, document = Fixed(chunk_size=size, chunk_overlap=min(overlap, size - 1), separator=separator), parse(text)
    walked = _Windows(document, settings, lengths_in(document, "characters", Tools()))
    looked, at, before = copy(walked), 0, None
    walked._is_simple = False
    while at < len(text):
        window = walked.next(at, before)
        assert looked.next(at, before) == window
        before, at = (before if text[at : window.end].isspace() else window), window.end


def test_most_windows_of_a_plain_text_are_found_by_a_look_at_their_edges() -> None:
    document = parse("Some words of a line.\n\n" * 40)
    windows = _Windows(document, Fixed(chunk_size=50, chunk_overlap=5), lengths_in(document, "characters", Tools()))

    assert len(list(windows.in_a_row(23, Window(0, 0, 23)))) == 38


@given(
    text=st.lists(
        st.sampled_from(
            [
                *(
                    "word ",
                    "A longer sentence of some words. ",
                    "\n\n",
                    "\n",
                    "\n\n    indented",
                    "\r\n\r\n",
                    "\u0301",
                    "   ",
                ),
                *(
                    "internationalization",
                    "\u4e2d\u6587",
                    "\U0001f469\u200d\U0001f469",
                    "123456",
                    "....",
                    "https://a.b/c_d",
                ),
            ]
        ),
        max_size=120,
    ).map("".join),
    moves=st.lists(st.tuples(st.integers(1, 60), st.integers(0, 20)), min_size=2, max_size=8),
    separator=st.sampled_from(["\n\n", "\n", " ", "a"]),
    unit=st.sampled_from(["characters", "tokens", "tokens"]),
    by=st.sampled_from(["cl100k_base", "o200k_base", "words"]),
)
def test_a_document_that_was_cut_before_is_cut_as_a_fresh_one(
    text: str, moves: list[tuple[int, int]], separator: str, unit: str, by: str
) -> None:
    settings: list[dict[str, int | str]] = [
        {"chunkSize": size, "chunkOverlap": min(overlap, size - 1), "separator": separator, "unit": unit}
        for size, overlap in [*moves, moves[0]]
    ]
    cuts_as_fresh_ones("fixed", text, settings, by)


def test_most_windows_of_tokens_end_where_sums_say_once_a_document_was_cut() -> None:
    document, settings = parse("Some words of a line.\n\n" * 400), Fixed(chunk_size=50, chunk_overlap=5, unit="tokens")
    first = chunked(document, Config(settings))
    measured: list[int] = []

    class Counted(_Windows):
        def _next(self, at: int, before: Window | None) -> Window:
            measured.append(at)
            return super()._next(at, before)

    with patch.object(fixed, "_Windows", Counted):
        assert run(document, Config(settings)).parts == first.parts
    assert len(measured) < len(first.parts) / 5
