"""Tokenizers: what they count, under which names, and the error for an unknown name."""

from __future__ import annotations

from hashlib import sha1
from pathlib import Path
from random import Random

import pytest
import tiktoken
import tiktoken.load

from chunking.errors import UnknownCounterError
from chunking.tokens import TokenCounter, counter, counter_names, tiktoken_tables, token_index
from chunking.tokens.counters import EncodingCounter
from chunking.tokens.tiktoken_patterns import WHITE_SPACE
from chunking.tokens.tiktoken_tables import fetched_encoding


@pytest.mark.parametrize(
    ("name", "text", "tokens"),
    [
        ("cl100k_base", "hello world", 2),
        ("o200k_base", "hello world", 2),
        ("o200k_harmony", "hello world", 2),
        ("cl100k_base", "日本語です", 5),
        ("words", "## One  two\tthree\n", 4),
        ("words-1.3", "one two three four\n", 5),
        ("words-1.3", "one\r\ntwo\rthree\nfour", 4),
        ("words-1.3", "one two three four five six seven eight nine ten", 13),
        ("chars-4", "12345678", 2),
        ("chars-4", "123456789", 3),
        ("cl100k_base", "", 0),
        ("words", "", 0),
        ("words-1.3", "", 0),
        ("chars-4", "", 0),
        ("block-ratio", "", 0),
        ("block-ratio", " \n\n", 0),
    ],
)
def test_a_counter_counts_as_its_name_says(name: str, text: str, tokens: int) -> None:
    assert counter(name)(text) == tokens


@pytest.mark.parametrize(
    ("text", "tokens"),
    [
        ("123456789", 3),  # paragraph: 9 / 4.0
        ("\n\n123456789\n\n", 3),  # outer blanks weigh nothing
        ("# 3456789\n", 2),  # heading: 9 / 4.5
        ("- 34567\n", 2),  # list: 7 / 3.5
        ("> 345678\n", 2),  # quote: 8 / 4.0
        ("```\n567\n```\n", 5),  # code: 11 / 2.5
        ("|a|\n|-|\n|b|\n", 4),  # table: 11 / 3.0
        ("# 3456789\n\n123456789\n", 5),  # each block is rounded by itself
    ],
)
def test_block_ratio_weighs_each_kind_of_block_by_its_own_ratio(text: str, tokens: int) -> None:
    assert counter("block-ratio")(text) == tokens


def test_names_are_ours_and_those_of_tiktoken() -> None:
    assert counter_names()[:8] == (
        *("cl100k_base", "o200k_base", "o200k_harmony"),
        *("minilm", "words", "words-1.3", "chars-4", "block-ratio"),
    )
    assert set(tiktoken.list_encoding_names()) <= set(counter_names())


def test_a_counter_is_made_once() -> None:
    assert counter("cl100k_base") is counter("cl100k_base")


def test_only_rules_of_thumb_are_approximate() -> None:
    counters: list[TokenCounter] = [counter(name) for name in counter_names()[:8]]

    assert [count.approximate for count in counters] == [False, False, False, False, True, True, True, True]


def test_the_proof_of_an_encoding_is_the_hash_that_tiktoken_publishes() -> None:
    assert counter("cl100k_base").table_hash == (
        "sha256:223921b76ee99bde995b7ff738513eef100fb51d18c93597a113bcffe865b2a7"
    )
    assert counter("o200k_base").table_hash == (
        "sha256:446a9538cb6c348e3516120d7c08b09f57c36495e2acfffe59a5bf8b0cfb1a2d"
    )
    assert len({counter(name).table_hash for name in ("words", "words-1.3", "chars-4", "block-ratio")}) == 4


def test_a_damaged_table_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(tiktoken_tables.PACKAGED, "cl100k_base", ("cl100k_base", "0" * 64))

    with pytest.raises(UnknownCounterError, match="has sha256 223921b76ee9…, not 000000000000…; install"):
        tiktoken_tables.packaged_encoding("cl100k_base", r"\w+")


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("cl100k-base", "no counter named 'cl100k-base'; did you mean 'cl100k_base'? there are: cl100k_base, o200k"),
        ("WORDS", "no counter named 'WORDS'; did you mean 'words'? there are: "),
        ("../../etc/passwd", "no counter named '../../etc/passwd'; there are: "),
        ("", "no counter named ''; there are: "),
        ("wоrds", "no counter named 'w\\u043erds' (it has U+043E); did you mean 'words'? there are: "),
        ("x" * 100_000, "no counter named '" + "x" * 39 + "…'; there are: "),
        ("two\nlines", "no counter named 'two\\nlines'; there are: "),
    ],
)
def test_a_name_that_is_none_is_an_error_of_one_line_with_the_likely_name(name: str, said: str) -> None:
    with pytest.raises(UnknownCounterError) as caught:
        counter(name)

    assert str(caught.value).startswith(said)
    assert "\n" not in str(caught.value)


def test_an_encoding_that_cannot_be_fetched_is_an_error_with_the_way_out(monkeypatch: pytest.MonkeyPatch) -> None:
    def unreachable(name: str) -> tiktoken.Encoding:
        raise ConnectionError(f"no route for {name}")

    monkeypatch.setattr(tiktoken, "get_encoding", unreachable)

    with pytest.raises(UnknownCounterError) as caught:
        counter("p50k_edit")

    assert str(caught.value) == (
        "counter 'p50k_edit' needs a table that tiktoken fetches on first use, and that failed (ConnectionError); "
        "connect once, or use cl100k_base or o200k_base, which come with chunkscope"
    )


def test_where_nothing_may_be_fetched_a_table_in_tiktokens_cache_is_still_read(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    address, table = "https://tables.example/tea.tiktoken", b"dGVh 0\n"
    monkeypatch.setenv("CHUNKSCOPE_FETCH", "off")
    monkeypatch.setenv("TIKTOKEN_CACHE_DIR", str(tmp_path))

    def tea(name: str) -> tiktoken.Encoding:
        ranks = tiktoken.load.load_tiktoken_bpe(address)
        return tiktoken.Encoding(name, pat_str=".+", mergeable_ranks=ranks, special_tokens={})

    monkeypatch.setattr(tiktoken, "get_encoding", tea)
    with pytest.raises(UnknownCounterError, match="would be fetched, which is not done here; take cl100k_base"):
        fetched_encoding("p50k_edit")
    (tmp_path / sha1(address.encode()).hexdigest()).write_bytes(table)

    assert fetched_encoding("p50k_edit").count("tea") == 1


@pytest.mark.parametrize("name", ["cl100k_base", "o200k_base"])
def test_special_token_text_is_ordinary_text(name: str) -> None:
    text = "say <|endoftext|> twice: <|endoftext|>"

    assert counter(name)("<|endoftext|>") == 7
    assert token_index(text, counter(name)).count(0, len(text)) == counter(name)(text)
    assert counter(name)(text * 10_000) == 10_000 * counter(name)(text)


def test_a_lone_surrogate_counts_as_the_replacement_character() -> None:
    count = counter("cl100k_base")

    assert count("a\ud800b") == count("a\ufffdb")
    assert count("\ud83d\ude00") == count("\ufffd\ufffd")


@pytest.mark.parametrize("name", ["cl100k_base", "o200k_base"])
@pytest.mark.parametrize(
    ("text", "blank"),
    [
        *[("{}x", " "), ("{}", " "), ("a.\n\n{}x", " "), ("a\n{}\n{}b", " "), ("{}/", "\t"), ("{}'s", "\t")],
        *[(".{}\r\n", "\t"), ("é{}\n{}", "\t"), ("a.{}x", "\r\n  "), ("a.{}", "\r\n  "), ("x{}y", "\xa0")],
    ],
)
def test_a_long_run_of_blanks_counts_as_tiktoken_counts_it(name: str, text: str, blank: str) -> None:
    count = counter(name)
    assert isinstance(count, EncodingCounter)
    filled = text.replace("{}", (blank * 220_000)[:220_000])  # taken apart by us, and still within tiktoken's means

    assert count(filled) == count.encoding.count(filled)


@pytest.mark.parametrize("name", ["cl100k_base", "o200k_base"])
def test_blanks_have_the_tokens_that_tiktoken_gives_one_piece(name: str) -> None:
    """Its own function for one piece keeps every other thread waiting meanwhile."""
    found, random = counter(name), Random(7)
    assert isinstance(found, EncodingCounter)
    for _ in range(300):
        blanks = random.sample(WHITE_SPACE, random.randint(1, 6))
        piece = "".join(random.choice(blanks) * random.choice((1, 2, 90)) for _ in range(random.randint(1, 40)))

        assert found.encoding.blank_ids(piece).tolist() == found.encoding._encoding._encode_single_piece(piece)


@pytest.mark.parametrize("name", ["cl100k_base", "o200k_base"])
@pytest.mark.parametrize("run", [" ", "\n", "\xa0", "a", "7", "中", "\u0301", "\n "])
def test_a_run_of_hundreds_of_thousands_neither_kills_nor_takes_long(name: str, run: str) -> None:
    text = run * (400_000 // len(run)) + " x"  # the square of as many would never end
    tokens = counter(name)(text)

    assert 400_000 / 128 <= tokens <= 400_002
