"""Safe positions hold for a pattern whatever its table: proven with a table that joins any two
bytes of one piece."""

from __future__ import annotations

from functools import cache

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tiktoken_ext import openai_public
from tokens.test_token_index import few_pieces, hostile

from chunking.document import Span
from chunking.tokens import pretokenizer
from chunking.tokens.bpe_index import EncodingIndex, read, read_together
from chunking.tokens.counters import EncodingCounter
from chunking.tokens.pretokenizer import (
    APOSTROPHE,
    BLANK,
    END,
    LETTER,
    MARK,
    NUMBER,
    OTHER,
    SLASH,
    class_of,
    classes_of,
)
from chunking.tokens.tiktoken_patterns import CL100K, O200K, R50K
from chunking.tokens.tiktoken_tables import Encoding

PATTERNS = {"cl100k": CL100K, "o200k": O200K, "r50k": R50K}
by_pattern = pytest.mark.parametrize("pattern", PATTERNS.values(), ids=PATTERNS.keys())
white_space = st.lists(st.sampled_from(["\n", "\n", "\r", " ", " ", "\t", "x", ".", "/"]), max_size=12).map("".join)


@cache
def pairs_counter(pattern: str) -> EncodingCounter:
    """A table in which any two bytes are a token: a place where a piece ends, or not, shows in
    nearly every count."""
    ranks = {bytes([byte]): byte for byte in range(256)}
    for rank in range(65536):
        ranks[rank.to_bytes(2, "big")] = 256 + rank
    return EncodingCounter("pairs", Encoding("pairs", pattern, ranks, "sha256:pairs"))


def index_of(text: str, pattern: str) -> EncodingIndex:
    count = pairs_counter(pattern)
    assert count.pretokenizer is not None
    return EncodingIndex(text, count, count.pretokenizer)


@by_pattern
@given(text=st.one_of(hostile, few_pieces.map("".join), white_space))
def test_any_slice_counts_as_by_itself_with_any_table(pattern: str, text: str) -> None:
    count, index = pairs_counter(pattern), index_of(text, pattern)

    for start in range(len(text) + 1):
        for end in range(start, len(text) + 1):
            assert index.count(start, end) == count(text[start:end]), (start, end)


@by_pattern
@given(texts=st.lists(st.one_of(hostile, few_pieces.map("".join), white_space), max_size=5))
def test_texts_read_together_are_as_each_by_itself_with_any_table(pattern: str, texts: list[str]) -> None:
    count = pairs_counter(pattern)
    assert count.pretokenizer is not None

    for text, found in zip(texts, read_together(texts, count, count.pretokenizer), strict=True):
        if found is not None:
            alone = read(text, count, count.pretokenizer)
            assert found.safe == alone.safe
            assert found.soft.tolist() == alone.soft.tolist()
            assert found.before.tolist() == alone.before.tolist()


def test_a_text_is_read_with_others_unless_a_digit_or_a_blank_is_at_an_end() -> None:
    count = pairs_counter(CL100K)
    assert count.pretokenizer is not None
    texts = ["# A\n", "a", "1. b", "in 1999", "c ", "", " d\n\n"]

    found = read_together(texts, count, count.pretokenizer)

    assert [each is not None for each in found] == [True, True, False, False, False, False, True]


@by_pattern
@given(left=st.one_of(hostile, white_space), right=st.one_of(hostile, white_space), beyond=white_space)
def test_parts_count_as_their_join_with_any_table(pattern: str, left: str, right: str, beyond: str) -> None:
    count, index = pairs_counter(pattern), index_of(beyond + left + beyond, pattern)
    inside = Span(len(beyond), len(beyond) + len(left))

    assert index.count_parts([inside, right]) == count(left + right)
    assert index.count_parts([right, inside, right]) == count(right + left + right)


def test_an_indentation_at_the_end_of_a_span_goes_with_what_is_put_after_it() -> None:
    index = index_of("a\n   b", CL100K)

    assert index.count_parts([Span(0, 4), "\n"]) == pairs_counter(CL100K)("a\n  \n") == 3


@by_pattern
@given(text=st.one_of(hostile, white_space).filter(bool), limit=st.integers(0, 8))
def test_reach_agrees_with_counting_each_stop_with_any_table(pattern: str, text: str, limit: int) -> None:
    count, index = pairs_counter(pattern), index_of(text, pattern)
    stops = np.arange(1, len(text) + 1)

    for start in range(len(text)):
        over = [at for at in range(start, len(text)) if count(text[start : at + 1]) > limit]
        for _ in range(2):  # the same array again: its levels are remembered
            assert index.last_within(start, stops, limit, first=start) == (over[0] if over else len(text)) - 1


def test_classes_are_those_of_the_pattern_language() -> None:
    text = "aÉ中ǅʰ\u0301٣² \t\x85\u3000\r\n!/'\x1c\ufffd\ud800"

    assert classes_of(text).tolist() == [
        *[LETTER] * 5,
        MARK,
        *[NUMBER] * 2,
        *[BLANK] * 4,
        *[END] * 2,
        *[OTHER, SLASH, APOSTROPHE],
        *[OTHER] * 3,
    ]
    assert class_of("x") == LETTER


def test_a_line_starts_safely_when_it_is_not_blank() -> None:
    cl100k = pretokenizer.for_pattern(CL100K)
    assert cl100k is not None

    found = cl100k.safe_positions("a.\nb.\n  c.\n \nd")

    assert found.soft.tolist() == [6]
    assert "".join("|" if safe else "-" for safe in found.flags) == "||-||-|--|---||"


def test_the_patterns_are_those_of_the_installed_tiktoken(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(openai_public, "load_tiktoken_bpe", lambda *_, **__: {})

    assert openai_public.cl100k_base()["pat_str"] == CL100K
    assert openai_public.o200k_base()["pat_str"] == O200K
    assert openai_public.o200k_harmony()["pat_str"] == O200K
    assert openai_public.r50k_pat_str == R50K


def test_nothing_is_claimed_of_an_unknown_pattern() -> None:
    assert pretokenizer.for_pattern(r"\w+|\W+") is None
