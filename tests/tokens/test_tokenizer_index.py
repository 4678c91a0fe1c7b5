"""Counts of spans by a tokenizer.json equal those of encoding each slice, for every family of
tokenizers."""

from __future__ import annotations

import random
from functools import cache

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from sample_tokenizers import FAMILIES, trained
from tokenizers import Tokenizer

from chunking.document import Span
from chunking.tokens import token_index
from chunking.tokens.split_patterns import whites_after
from chunking.tokens.tokenizer_counter import TokenizerCounter
from chunking.tokens.tokenizer_files import LoadedTokenizer, packaged_minilm
from chunking.tokens.tokenizer_index import TokenizerIndex

NAMES = ("minilm", *FAMILIES)
# fmt: off
PIECES = (
    *(
        "a",
        "b",
        "The",
        "kettle",
        "boils",
        "don't",
        "I'll",
        "'s",
        "3",
        "1234567",
        "x" * 45,
        "y" * 130,
        "É",
        "é",
        "ﬁ",
        "ŉ",
    ),
    *(
        " ",
        "  ",
        "\n",
        "\r\n",
        "\r",
        "\t",
        "\n\n",
        " \n ",
        "\u00a0",
        "\u2003",
        "\u3000",
        "\x85",
        "\x0b",
        "\x1c",
        "\u200b",
    ),
    *(
        ".",
        ",",
        "!?",
        "-",
        "_",
        "/",
        "//",
        "```",
        "''",
        '"',
        "<",
        ">",
        "|",
        "#",
        "…",
        "—",
        "²",
        "½",
        "¨",
        "№",
        "℃",
        "ﷺ",
    ),
    *(
        "日本",
        "語",
        "。",
        "か",
        "カ",
        "한국",
        "\u1100",
        "\u1161",
        "\u11a8",
        "ก",
        "ำ",
        "\u0e33",
        "\u0e49",
        "ش",
        "ﺍ",
        "א",
        "ן",
    ),
    *(
        "\u0301",
        "\u0308",
        "\u0338",
        "\u093c",
        "क",
        "\u0958",
        "\u0d4e",
        "\u20dd",
        "\ufe0f",
        "🙂",
        "👩‍👩‍👧",
        "🇩🇪",
        "\u200d",
        "\u00ad",
    ),
    *(
        "\x00",
        "\x07",
        "\ud800",
        "\udfff",
        "\ufffd",
        "\ufeff",
        "\ue000",
        "\U000e0001",
        "\u0378",
        "\u9fa6",
        "\U0002a700",
        "豈",
    ),
    *(
        "▁",
        "Ġ",
        "▁the",
        "[CLS]",
        "[SEP]",
        "<|endoftext|>",
        "<unk>",
        "<s>",
        "<tool>",
        "<0x0A>",
        "kettle the lid",
        "the",
        "lid",
    ),
)
# fmt: on


@cache
def counter_of(name: str) -> TokenizerCounter:
    return TokenizerCounter(name, LoadedTokenizer(packaged_minilm() if name == "minilm" else trained(name)))


@cache
def _reference(name: str) -> Tokenizer:
    tokenizer = Tokenizer.from_buffer(packaged_minilm() if name == "minilm" else trained(name))
    tokenizer.no_truncation()
    tokenizer.no_padding()
    tokenizer.encode_special_tokens = True
    return tokenizer


def encoded(name: str, text: str) -> int:
    """The length of the encoding by the library itself; half characters are what U+FFFD is."""
    readable = "".join("\ufffd" if "\ud800" <= each <= "\udfff" else each for each in text)
    return len(_reference(name).encode(readable, add_special_tokens=False).ids)


def texts(draw: random.Random, pieces: int) -> str:
    """White space as often as not, so that there are words."""
    chosen = []
    for _ in range(pieces):
        chosen.append(draw.choice(PIECES) if draw.random() < 0.75 else draw.choice((" ", "\n", " the", " kettle ")))
    return "".join(chosen)


def check(name: str, text: str, draw: random.Random, spans: int) -> None:
    index = token_index(text, counter_of(name))
    for _ in range(spans):
        start, end = sorted((draw.randint(0, len(text)), draw.randint(0, len(text))))
        assert index.count(start, end) == encoded(name, text[start:end]), (name, text[start:end], text, start, end)
    for _ in range(spans // 4 + 1):
        cuts = sorted(draw.randint(0, len(text)) for _ in range(4))
        parts: list[str | Span] = [
            draw.choice(PIECES) * draw.randint(0, 2),
            Span(cuts[0], cuts[1]),
            texts(draw, 3),
            Span(cuts[2], cuts[3]),
            draw.choice(("", " ", "\n```\n", "x")),
        ]
        joined = "".join(index.text_of(part) for part in parts)
        assert index.count_parts(parts) == encoded(name, joined), (name, parts, joined)
        before = texts(draw, 2)
        wanted = encoded(name, before + text[cuts[1] : cuts[2]])
        assert index.count_after(before, cuts[1], cuts[2]) == wanted, (name, before, text[cuts[1] : cuts[2]])


@pytest.mark.parametrize("name", NAMES)
def test_counts_of_spans_and_of_joined_parts_are_those_of_encoding_them(name: str) -> None:
    draw = random.Random(name)
    for _ in range(40):
        check(name, texts(draw, draw.randint(1, 60)), draw, 12)


@pytest.mark.parametrize("name", NAMES)
@settings(max_examples=40, deadline=None)
@given(text=st.text(max_size=60) | st.text(alphabet=" \n\tab1.,'é漢\u0301▁", max_size=60), seed=st.integers(0, 2**32))
@example(text="a \u0301b", seed=0)
def test_counts_of_any_text_are_those_of_encoding_it(name: str, text: str, seed: int) -> None:
    check(name, text, random.Random(seed), 6)


@pytest.mark.parametrize("name", NAMES)
def test_reach_stops_before_the_first_stop_over_the_limit(name: str) -> None:
    draw = random.Random(name)
    for _ in range(10):
        text = texts(draw, 80)
        index = token_index(text, counter_of(name))
        stops = np.array(sorted({draw.randint(1, len(text)) for _ in range(40)}), dtype=np.int64)
        for limit in (1, 3, 8, 20, 60, 10_000):
            wanted = next((at for at, stop in enumerate(stops) if encoded(name, text[: int(stop)]) > limit), len(stops))
            for _ in range(3):  # the same array is answered in another way when it comes again
                assert index.last_within(0, stops, limit) == wanted - 1
            assert index.last_within(0, stops.tolist(), limit) == wanted - 1


@pytest.mark.parametrize("name", [name for name in NAMES if name != "unproven"])
def test_something_is_proven_of_every_family_that_is_in_use(name: str) -> None:
    text = "The kettle boils. The lid, of course, is on it: mind the steam.\n" * 3
    index = token_index(text, counter_of(name))

    assert isinstance(index, TokenizerIndex)
    assert counter_of(name).splits is not None
    assert index._flags.sum() > 30


def test_of_what_is_not_known_nothing_is_proven_and_slices_are_encoded() -> None:
    assert counter_of("unproven").splits is None
    assert not isinstance(token_index("a b", counter_of("unproven")), TokenizerIndex)


@pytest.mark.parametrize("name", NAMES)
def test_tokens_before_an_offset_never_go_down_and_end_with_all(name: str) -> None:
    text = texts(random.Random(name), 60)
    index = token_index(text, counter_of(name))
    before = [index.tokens_before(offset) for offset in range(len(text) + 1)]

    assert before[0] == 0
    if counter_of(name).splits is not None:
        assert before == sorted(before)
    assert before[-1] == encoded(name, text)


def test_a_long_text_is_counted_in_parts_and_equal() -> None:
    text = "The kettle boils, naïve 漢字.\n" * 12_000
    for name in ("minilm", "gpt-2", "unigram", "llama-2"):
        assert counter_of(name)(text) == encoded(name, text)


def test_a_word_without_end_is_one_unknown_piece_wherever_it_is_cut() -> None:
    text = "a" * 300_000
    index = token_index(text, counter_of("minilm"))

    assert [index.count(at, at + 200_000) for at in range(0, 100_000, 100)] == [1] * 1000
    assert index.count(7, 107) == encoded("minilm", "a" * 100)


@pytest.mark.parametrize(
    ("pattern", "safe"),
    [
        (r" ?\p{L}+| ?\p{N}+| ?[^\s\p{L}\p{N}]+|\s+(?!\S)|\s+", ((True, True), (True, True))),
        (r" ?\p{L}+|[^\s\p{L}]+[\r\n]*|\s+", ((True, True), (True, False))),
        (r"\p{L}+ ?|\s+", ((False, True), (True, True))),
        (r"[^,]+|,", ((False, False), (False, False))),
        (r"(?i:'s|'t)|\p{L}+|\s+", ((True, True), (True, True))),
        (r"\p{L}+(?=\s)|\s+", None),
        (r"(\p{L}+)|\s+", None),
        (r".+", None),
        (r"\p{L}+(?!\S)|\s+", None),
        (r"[\w&&[^ ]]+|\s+", None),
        (r"\bx|\s+", None),
    ],
)
def test_what_is_proven_of_a_pattern(pattern: str, safe: object) -> None:
    assert whites_after(pattern, ("aZé", ".,"), (" ", "\n")) == safe
