"""The chunkers of published tables: the same pieces as those of the libraries that they were made
with."""

from __future__ import annotations

from random import Random

import pytest

from chunking import counter
from chunking.retrieval.published.reference_chunkers import RecursivePieces, TokenWindows

SEPARATORS = ("\n\n", "\n", ".", "?", "!", " ", "")


def pieces(text: str, spans: list[tuple[int, int]]) -> list[str]:
    return [text[start:end] for start, end in spans]


def test_a_separator_is_at_the_start_of_what_follows_it() -> None:
    text = "one two.three four"

    assert pieces(text, RecursivePieces(9, 0, (".", " ", ""))(text)) == ["one two", ".three", "four"]


def test_the_last_parts_up_to_the_overlap_begin_the_next_chunk() -> None:
    text = "a b c d"

    assert pieces(text, RecursivePieces(4, 2, (" ", ""))(text)) == ["a b", "b c", "c d"]


def test_windows_of_tokens_begin_a_size_less_the_overlap_apart() -> None:
    text = "one two three four"

    assert pieces(text, TokenWindows(2, 1, "cl100k_base")(text)) == ["one two", " two three", " three four"]


@pytest.mark.parametrize("text", ["", " \n\n ", "word"])
def test_short_and_empty_texts_are_cut_once_or_not_at_all(text: str) -> None:
    assert len(RecursivePieces(10, 0, SEPARATORS)(text)) == bool(text.strip())


@pytest.mark.parametrize("seed", range(12))
def test_recursive_pieces_are_langchains(seed: int) -> None:
    splitters = pytest.importorskip("langchain_text_splitters")
    draw = Random(seed)
    words = ["water", "the", "kettle", "a", "boils", "\n\n", "\n", ". ", "? ", "! ", "x" * 30, "é", "茶"]
    text = " ".join(draw.choice(words) for _ in range(400))
    size, overlap, name = draw.randrange(5, 60), draw.randrange(0, 5), draw.choice(["", "cl100k_base"])
    length = counter(name) if name else len

    theirs = splitters.RecursiveCharacterTextSplitter(
        separators=list(SEPARATORS), chunk_size=size, chunk_overlap=overlap, length_function=length
    ).split_text(text)

    assert pieces(text, RecursivePieces(size, overlap, SEPARATORS, name)(text)) == theirs
