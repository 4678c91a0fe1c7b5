"""What an embedder does not read of its chunks: counted by its own tokenizer where known, and said
where not."""

from __future__ import annotations

import pytest

from chunking import counter
from chunking.models.embedders import embedder, shortened
from chunking.models.local_embedder import LOCAL_MODEL, MAX_TOKENS
from chunking.tokens.embedder_windows import (
    COMMON,
    LOCAL,
    OPENAI,
    LostEndsPlace,
    common_windows,
    lost_ends,
    text_sizes,
    window_named,
    window_of,
)


def test_the_bundled_embedder_reads_as_much_as_it_is_said_to() -> None:
    window = window_named(f"local/{LOCAL_MODEL}")

    assert window == LOCAL
    assert (window.tokens, window.room, window.estimated) == (MAX_TOKENS, MAX_TOKENS - 2, False)


@pytest.mark.parametrize("text", ["word " * 254, "word " * 255, "한" * 90, "한국어" * 40, "𝒳" * 300, "é" * 254])
def test_what_is_said_to_lose_its_end_is_what_the_embedder_shortens(text: str) -> None:
    lost = lost_ends(text_sizes([text], LOCAL), LOCAL)

    assert len(lost.chunks) == shortened(embedder("local"), [text])


def test_a_line_names_how_many_how_much_by_what_and_where() -> None:
    texts = ["short", "word " * 300, "word " * 260]
    places = [LostEndsPlace("a.md", 1, 2), LostEndsPlace("a.md", 3, 9), LostEndsPlace("b.md", 1, 40)]
    lost = lost_ends(text_sizes(texts, LOCAL), LOCAL, places)

    assert (lost.chunks, lost.tokens, lost.largest) == ((1, 2), 46 + 6, 300)
    assert lost.message == (
        "2 of 3 chunks lose their ends, 52 tokens in no vector; all-MiniLM-L6-v2 reads 256 tokens of a text "
        "(by the tokenizer minilm, plus 2 tokens that the model adds): a.md lines 3-9; b.md lines 1-40"
    )
    assert lost.to_dict()["places"] == [
        {"document": "a.md", "start_line": 3, "end_line": 9},
        {"document": "b.md", "start_line": 1, "end_line": 40},
    ]


def test_only_the_first_places_are_named_in_a_line_and_all_in_json() -> None:
    places = [LostEndsPlace("a.md", line, line) for line in range(1, 10)]
    lost = lost_ends([300] * 9, LOCAL, places)

    assert lost.message.endswith("a.md lines 1-1, 2-2, 3-3, 4-4, 5-5 and 4 more")
    assert len(lost.places) == 9


def test_nothing_is_lost_up_to_the_room_and_no_chunk_is_no_fault() -> None:
    assert lost_ends([254, 1], LOCAL).chunks == ()
    assert lost_ends([255], LOCAL).chunks == (0,)
    assert lost_ends([], LOCAL).message.endswith("there is no chunk")


def test_an_embedder_whose_tokenizer_does_not_come_along_is_said_to_be_estimated() -> None:
    window = window_of("gemini", "gemini-embedding-001")

    assert window is not None
    assert window.estimated
    assert lost_ends([3000], window).message.startswith("about 1 of 1 chunks")
    assert "estimated with the tokenizer cl100k_base" in lost_ends([3000], window).message


@pytest.mark.parametrize(
    ("provider", "model", "tokens", "said"),
    [
        ("gemini", "gemini-embedding-001", 2_048, "would lose its end or be refused, 500 tokens too long"),
        ("voyage", "voyage-3.5", 32_000, "loses its end, 500 tokens in no vector"),
        ("cohere", "embed-v4.0", 128_000, "would lose its end or be refused, 500 tokens too long"),
    ],
)
def test_of_a_served_embedder_no_more_is_said_than_its_pages_say(
    provider: str, model: str, tokens: int, said: str
) -> None:
    window = window_of(provider, model)

    assert window is not None
    assert window.estimated
    assert said in lost_ends([tokens + 500], window).message


def test_openai_counts_by_its_own_and_refuses() -> None:
    assert window_of("openai", "text-embedding-3-small") == OPENAI
    assert (OPENAI.room, OPENAI.estimated) == (8192, False)
    assert "would be refused" in lost_ends([9000], OPENAI).message


def test_of_an_unknown_model_nothing_is_claimed() -> None:
    assert window_of("compatible", "whatever") is None
    assert window_of("openai", "text-embedding-9") is None
    assert window_named("ollama/nomic-embed-text at http://127.0.0.1:11434") is None


def test_equal_texts_are_counted_once_and_each_has_its_size() -> None:
    count = counter("minilm")

    assert text_sizes(["a b", "c", "a b"], LOCAL) == [count("a b"), count("c"), count("a b")]
    assert text_sizes([], LOCAL) == []


@pytest.mark.parametrize("name", ["cl100k_base", "o200k_base", "words-1.3", "minilm"])
def test_the_common_windows_are_the_same_whatever_counts_the_run(name: str) -> None:
    assert common_windows(name) == COMMON
