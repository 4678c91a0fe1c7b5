"""tiktoken's patterns without look-ahead give the tokens of those with it."""

from __future__ import annotations

import sys
from functools import cache

import pytest
from hypothesis import given
from hypothesis import strategies as st
from shared_material import shared_dir

from chunking.tokens import counter
from chunking.tokens.counters import EncodingCounter, countable
from chunking.tokens.fast_encoding import TEXTS
from chunking.tokens.tiktoken_patterns import CL100K, LINEAR, MARK, WHITE_SPACE, marked, marks_of
from chunking.tokens.tiktoken_tables import PACKAGED, Encoding, matching

NAMES = ("cl100k_base", "o200k_base")
blank_rich = st.lists(
    st.sampled_from(
        [
            *"aZ9 \t\n\r\x0b'stREvmlD./!_#|é中",
            *"    ",
            "  ",
            "\n  ",
            "\x85",
            "\xa0",
            "\u3000",
            "\u2028",
            "\u0301",
            "\u017f",
            "😀",
        ]
    )
    | st.characters(exclude_categories=["Cs"]),
    max_size=60,
).map("".join)


@cache
def encoding_of(name: str) -> Encoding:
    """The encoding by tiktoken alone, whatever is installed."""
    found = counter(name)
    assert isinstance(found, EncodingCounter)
    with_all = found.encoding
    return Encoding(name, with_all.pattern, with_all.ranks, with_all.table_hash)


def same(name: str, text: str) -> bool:
    """Whether the tokens are those of tiktoken by its own pattern."""
    found: list[int] = encoding_of(name).ids(text).tolist()
    return found == encoding_of(name)._encoding.encode_ordinary(text)


@pytest.mark.parametrize("name", NAMES)
@given(text=blank_rich)
def test_tokens_are_those_of_the_pattern_with_look_ahead(name: str, text: str) -> None:
    assert same(name, text)


@pytest.mark.parametrize("name", NAMES)
@given(text=blank_rich | blank_rich.map(lambda text: f"{text}{MARK} {text}"))
def test_a_short_text_counts_as_many_tokens_as_it_has(name: str, text: str) -> None:
    assert encoding_of(name).count(text) == len(encoding_of(name)._encoding.encode_ordinary(text))


@pytest.mark.parametrize("name", NAMES)
def test_tokens_of_hard_texts_and_of_real_documents_are_those_of_the_pattern_with_look_ahead(name: str) -> None:
    documents = sorted((shared_dir() / "corpus").rglob("*.md"))

    assert all(same(name, text) for text in TEXTS)
    assert [file for file in documents if not same(name, countable(file.read_bytes().decode("utf-8", "replace")))] == []


@pytest.mark.parametrize("name", NAMES)
def test_no_character_is_left_out(name: str) -> None:
    everything = map(chr, [*range(0xD800), *range(0xE000, sys.maxunicode + 1)])

    assert same(name, " ".join(everything))


def test_a_mark_goes_before_the_last_of_several_blanks_that_a_character_follows() -> None:
    text = "a b  c\n d\n  \n\t\xa0 e  "

    assert marked(text, marks_of(text)).replace(MARK, "|") == "a b | c\n d\n  \n\t\xa0| e  "
    assert marked("a b", marks_of("a b")) == "a b"


def test_a_text_with_the_marks_character_has_its_tokens_too() -> None:
    assert same("cl100k_base", f"a  b{MARK}  c")


def test_an_index_finds_the_same_marks() -> None:
    text = "# a\n\n  - b   c\n\n\t\t.d\xa0\u3000é  \n   "
    by = counter("cl100k_base")
    assert isinstance(by, EncodingCounter)
    assert by.pretokenizer is not None

    assert by.pretokenizer.safe_positions(text).marks.tolist() == marks_of(text) == [6, 12, 17, 21]


def test_white_space_is_what_it_is_to_tiktokens_regex_engine() -> None:
    everything = "".join(map(chr, [*range(0xD800), *range(0xE000, sys.maxunicode + 1)]))

    assert matching(r"\s", everything) == WHITE_SPACE


def test_every_table_in_the_package_has_a_pattern_without_look_ahead() -> None:
    patterns = {vars(counter(name))["encoding"].pattern for name in PACKAGED}

    assert patterns == set(LINEAR)
    assert CL100K in LINEAR
