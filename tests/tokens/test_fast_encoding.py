"""The extra `fast`: toktok's tokens are used where they are tiktoken's, and nowhere else."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from shared_material import shared_dir

from chunking.tokens import counter
from chunking.tokens.counters import EncodingCounter, countable
from chunking.tokens.fast_encoding import FAST, TEXTS, FastEncoding, _surrounded, fast_encoding
from chunking.tokens.tiktoken_tables import PACKAGED

pytest.importorskip("toktok")

NAMES = tuple(PACKAGED)
NEW_IN_UNICODE_17 = "\U00010940"
"""A letter to toktok 0.3, a character without a class to tiktoken 0.14."""
hostile = st.lists(
    st.sampled_from(
        [*"aZ09 \t\n\r\x0b'stREvmlD./!_#|", "\x85", "\u3000", "\u0301", "\u017f", "\u212a", "中", "😀", "\u200d"]
    )
    | st.characters(exclude_categories=["Cs"]),
    max_size=60,
).map("".join)


def encoding_counter(name: str) -> EncodingCounter:
    found = counter(name)
    assert isinstance(found, EncodingCounter)
    return found


def exact(name: str) -> Callable[[str], list[int]]:
    return encoding_counter(name).encoding._encoding.encode_ordinary


def fast(name: str) -> FastEncoding:
    found = encoding_counter(name).encoding._fast
    assert found is not None, "toktok is installed, and its table or its tokens are not tiktoken's"
    return found


def fast_ids(name: str, text: str) -> list[int] | None:
    found = fast(name).ids(text)
    return None if found is None else found.tolist()


@pytest.mark.parametrize("name", NAMES)
@given(text=hostile)
def test_tokens_are_those_of_tiktoken(name: str, text: str) -> None:
    assert fast_ids(name, text) in (exact(name)(text), None)
    assert encoding_counter(name)(text) == len(exact(name)(text))


@pytest.mark.parametrize("name", ["cl100k_base", "o200k_base"])
def test_tokens_of_real_documents_are_those_of_tiktoken(name: str) -> None:
    for file in sorted((shared_dir() / "corpus").rglob("*.md")):
        text = countable(file.read_bytes().decode("utf-8", "replace"))
        assert fast_ids(name, text) == exact(name)(text), file


def test_what_another_unicode_takes_for_a_letter_is_left_to_tiktoken() -> None:
    text = f"A{NEW_IN_UNICODE_17}'Ll"

    assert fast_ids("cl100k_base", f"Aé'Ll {text}") is None
    assert encoding_counter("cl100k_base")(text) == len(exact("cl100k_base")(text))
    assert fast_ids("cl100k_base", "Aé'Ll") == exact("cl100k_base")("Aé'Ll")


@pytest.mark.parametrize("name", ["cl100k_base", "o200k_base"])
@pytest.mark.parametrize("text", ["\U00011de0123456", "x\u088f's \u0c5c'll 12\U00011de934567"])
def test_what_only_one_of_them_takes_for_a_digit_or_a_letter_shifts_nothing(name: str, text: str) -> None:
    assert encoding_counter(name)(text) == len(exact(name)(text))


CLASSES = {"letter": "\U00010a00", "number": "\U00011066", "sign": "\U0001d800", "blank": "\u205f"}
"""Rare ones, whose bytes no token shares with others."""


@pytest.mark.parametrize("name", ["cl100k_base", "o200k_base"])
def test_a_character_is_compared_where_its_class_decides_on_other_tokens(name: str) -> None:
    encoding = encoding_counter(name).encoding._encoding

    def tokens(character: str) -> list[bytes]:
        own = set(character.encode())
        found = map(encoding.decode_single_token_bytes, encoding.encode_ordinary(_surrounded(ord(character))))
        return [token for token in found if not own & set(token)]

    assert len({tuple(tokens(each)) for each in CLASSES.values()}) == len(CLASSES)


class Altered:
    """toktok with another table, or with a token more for one text."""

    def __init__(self, *, table: bool) -> None:
        self._real = fast("cl100k_base")._encoder
        self._table = table

    def encode_to_buffer(self, text: str, allowed: None, disallowed: tuple[str, ...], /) -> bytes:
        ids = self._real.encode_to_buffer(text, allowed, disallowed)
        return ids + bytes(4) if text == TEXTS[-1] and not self._table else ids

    def token_byte_values(self) -> list[bytes]:
        tokens = self._real.token_byte_values()
        return [tokens[1], tokens[0], *tokens[2:]] if self._table else tokens


@pytest.mark.parametrize("table", [True, False])
def test_another_table_or_other_tokens_are_noticed_at_the_start(*, table: bool) -> None:
    encoding = encoding_counter("cl100k_base").encoding._encoding

    def ids(text: str) -> np.ndarray[tuple[int], np.dtype[np.uint32]]:
        return np.array(encoding.encode_ordinary(text), dtype=np.uint32)

    assert FastEncoding(fast("cl100k_base")._encoder, ids).is_equal(encoding._mergeable_ranks)
    assert not FastEncoding(Altered(table=table), ids).is_equal(encoding._mergeable_ranks)


def test_a_variable_turns_it_off(monkeypatch: pytest.MonkeyPatch) -> None:
    encoding = encoding_counter("cl100k_base").encoding._encoding
    monkeypatch.setenv(FAST, "off")

    assert fast_encoding("cl100k_base", encoding._mergeable_ranks, encoding.encode_to_numpy) is None


def test_an_encoding_that_toktok_does_not_know_is_left_to_tiktoken() -> None:
    assert fast_encoding("r50k_base", {}, lambda _: np.zeros(0, dtype=np.uint32)) is None
