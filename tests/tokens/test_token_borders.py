"""Where tokens begin and end, held against the tokenizers themselves."""

from __future__ import annotations

from functools import cache
from itertools import pairwise

import pytest
import tiktoken
from sample_tokenizers import FAMILIES, trained

from chunking.tokens import (
    TokenSpans,
    counter,
    differing_borders,
    special_around,
    special_texts,
    sure_borders,
    token_cells,
    token_spans,
)
from chunking.tokens.counters import EncodingCounter
from chunking.tokens.token_counter import TokenCounter
from chunking.tokens.tokenizer_counter import TokenizerCounter
from chunking.tokens.tokenizer_files import LoadedTokenizer, whole_minilm

HARD = (
    "",
    " ",
    "\n\n  \n",
    "The kettle boils.\n\n## Fill it\n\n- water\n",
    "日本語の文章です。漢字かな交じり",
    "عالم سلام مرحبا",
    "e\u0301 a\u0308\u0304 Z\u0351\u036b\u0343",
    "🫠👩‍👩‍👧🏳️‍🌈 x🇩🇪",
    "한국어 안녕하세요 ภาษาไทย",
    "naïve café Ünïcödé ﬁ ŉ",
    "<|endoftext|> [SEP] don't I'll",
    "x" * 300,
    "a\r\nb\r\tc\u2028d\u00a0e\u3000f",
    "half \ud83d of it",
)
ENCODINGS = ("cl100k_base", "o200k_base")


NAMES = (*ENCODINGS, "minilm", *FAMILIES)


@pytest.fixture(name="by", params=NAMES)
def _by(request: pytest.FixtureRequest) -> TokenCounter:
    """Each counter with tokens of its own; a family's is trained where a test first asks for it."""
    return counter_of(request.param)


@cache
def counter_of(name: str) -> TokenCounter:
    return TokenizerCounter(name, LoadedTokenizer(trained(name))) if name in FAMILIES else counter(name)


def spans_of(found: TokenSpans) -> list[tuple[int, int]]:
    return list(zip(found.starts, found.ends, strict=True))


@pytest.mark.parametrize("text", HARD)
def test_there_are_as_many_tokens_as_are_counted(by: TokenCounter, text: str) -> None:
    found = token_spans(text, by)

    assert found is not None
    assert len(found.starts) == by(text) == sum(cell.tokens for cell in token_cells(text, found))


@pytest.mark.parametrize("text", HARD[:-1])
@pytest.mark.parametrize("name", ENCODINGS)
def test_an_encodings_tokens_are_of_the_characters_whose_bytes_they_have(name: str, text: str) -> None:
    encoding = tiktoken_of(name)
    found = token_spans(text, counter(name))

    assert found is not None
    at, expected = 0, []
    for token in encoding.encode_ordinary(text):
        end = at + len(encoding.decode_single_token_bytes(token))
        expected.append((len(text.encode()[:at].decode(errors="ignore")), last_character(text, end)))
        at = end
    assert spans_of(found) == expected


def last_character(text: str, end: int) -> int:
    """Characters of which at least one byte is before `end`."""
    return sum(len(text[:at].encode()) < end for at in range(len(text)))


def tiktoken_of(name: str) -> tiktoken.Encoding:
    by = counter(name)
    assert isinstance(by, EncodingCounter)
    return by.encoding._encoding


@pytest.mark.parametrize("text", HARD[:-1])
def test_minilms_tokens_are_where_its_tokenizer_says(text: str) -> None:
    tokenizer = whole_minilm()
    tokenizer.encode_special_tokens = True
    encoding = tokenizer.encode(text, add_special_tokens=False)
    found = token_spans(text, counter("minilm"))

    assert found is not None
    assert spans_of(found) == encoding.offsets
    assert found.unknown == {at for at, token in enumerate(encoding.tokens) if token == "[UNK]"}


@pytest.mark.parametrize("text", HARD)
def test_cells_are_in_order_and_do_not_overlap(by: TokenCounter, text: str) -> None:
    found = token_spans(text, by)

    assert found is not None
    cells = token_cells(text, found)
    assert all(before.end <= after.start for before, after in pairwise(cells))
    assert all(0 <= cell.start <= cell.end <= len(text) for cell in cells)


@pytest.mark.parametrize(
    ("text", "cells"),
    [
        ("a 🫠", [("a", 1), (" 🫠", 3)]),
        ("e\u0301", [("e\u0301", 2)]),
        ("👩‍👩‍👧", [("👩‍👩‍👧", 13)]),
        ("語", [("語", 2)]),
    ],
)
def test_what_people_see_as_one_character_is_one_cell(text: str, cells: list[tuple[str, int]]) -> None:
    found = token_spans(text, counter("cl100k_base"))

    assert found is not None
    assert [(text[cell.start : cell.end], cell.tokens) for cell in token_cells(text, found)] == cells


def test_minilm_has_no_token_for_white_space_and_an_unknown_one_for_an_emoji() -> None:
    text = "hot 🫠"
    found = token_spans(text, counter("minilm"))

    assert found is not None
    cells = token_cells(text, found)
    assert cells == [(0, 3, 1, False), (4, 5, 1, True)]


@pytest.mark.parametrize("name", ["words", "words-1.3", "chars-4", "block-ratio"])
def test_an_estimate_has_no_tokens(name: str) -> None:
    assert token_spans("The kettle boils", counter(name)) is None


def test_tokens_between_sure_borders_are_those_of_the_whole_text(by: TokenCounter) -> None:
    text = "The kettle boils, 日本 🫠 don't.\n\n## Fill it\n\nwater and tea 1234567\n" * 2
    borders = sure_borders(text, by).tolist()
    whole = token_spans(text, by)

    assert whole is not None
    spans = []
    for start, end in pairwise([0, *borders, len(text)]):
        found = token_spans(text[start:end], by, continued=start > 0)
        assert found is not None
        spans += [(one + start, other + start) for one, other in spans_of(found)]
    assert len(spans) == len(whole.starts)
    if by.name in (*ENCODINGS, "minilm"):
        assert spans == spans_of(whole)


def test_borders_that_differ_are_named_and_white_space_makes_no_difference() -> None:
    text = "hello tokenization"
    assert differing_borders(text, [0, 5, 11], [0, 6, 14]) == ({11}, {14}, 2)


def test_special_tokens_are_known_by_name() -> None:
    assert special_around(counter("minilm")) == (("[CLS]",), ("[SEP]",))
    assert special_around(counter("cl100k_base")) == ((), ())
    assert "[MASK]" in special_texts(counter("minilm"))
    assert "<|endoftext|>" in special_texts(counter("o200k_base"))
