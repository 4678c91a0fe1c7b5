"""recursive: coarse separators first, finer ones for what is too large, merging within one level
(DECISIONS sc-1)."""

from __future__ import annotations

import pytest
from contract import chunked
from hypothesis import given
from hypothesis import strategies as st
from spec_cases import assert_size_and_overlap_cases

from chunking import Chunk, Config, Tools, parse
from chunking.errors import SettingError
from chunking.strategies.recursive import Recursive
from chunking.tokens import counter


def cut(text: str, size: int, overlap: int, **others: object) -> list[Chunk]:
    strategy = Recursive(chunk_size=size, chunk_overlap=overlap, **others)  # type: ignore[arg-type]
    return [part for part in strategy.split(parse(text), Tools()) if isinstance(part, Chunk)]


def test_a_text_that_fits_is_one_chunk() -> None:
    (only,) = cut("Short.\n", 6, 0)

    assert only.text == "Short."
    assert only.ended_by.rule == "end"


def test_parts_are_merged_while_they_fit_and_only_within_one_level() -> None:
    found = cut("aa\n\nbb\n\ncc dd ee ff\n\ngg\n", 6, 0)

    assert [chunk.text for chunk in found] == ["aa\n\nbb", "cc dd", "ee ff", "gg"]
    assert [chunk.ended_by.rule for chunk in found] == ["level-end", "size-reached", "level-end", "end"]


def test_overlap_is_whole_trailing_parts() -> None:
    found = cut("one two six ten", 7, 4)

    assert [chunk.text for chunk in found] == ["one two", "two six", "six ten"]


def test_a_word_without_separators_is_cut_into_characters_and_never_inside_a_cluster() -> None:
    assert [chunk.text for chunk in cut("aaaaaaaaaa", 4, 0)] == ["aaaa", "aaaa", "aa"]
    assert [chunk.text for chunk in cut("abe\u0301d", 3, 0)] == ["ab", "e\u0301d"]


def test_a_crlf_text_is_cut_where_its_lf_twin_is() -> None:
    text = "one two\n\nthree four\nfive\n\nsix"

    assert [c.start_line for c in cut(text.replace("\n", "\r\n"), 12, 0)] == [c.start_line for c in cut(text, 12, 0)]


def test_separators_are_a_setting() -> None:
    assert [chunk.text for chunk in cut("a|b|c d", 3, 0, separators=["|"])] == ["a|", "b|", "c d"]


def test_tokens_hold_the_size_for_the_whole_text() -> None:
    found = cut("One two three four five. Six seven eight nine ten.\n" * 20, 30, 15, unit="tokens")

    assert max(chunk.tokens for chunk in found) <= 30
    assert any(chunk.overlap for chunk in found)


def test_an_overlap_that_is_not_less_than_the_size_is_refused() -> None:
    with pytest.raises(SettingError, match=r"^chunkOverlap: 9 is not less than chunkSize \(9\); "):
        Recursive(chunk_size=9, chunk_overlap=9)


def test_the_cases_hold() -> None:
    assert_size_and_overlap_cases("recursive", cut)


@given(
    st.lists(
        st.sampled_from(
            ["word ", "End. ", "\n", "\n\n", "\r\n", "e\u0301", "\U0001f1e9\U0001f1ea", "世", " ", "# A\n"]
        ),
        max_size=40,
    ),
    st.sampled_from([(1, 0), (5, 3), (20, 15), (50, 10)]),
    st.sampled_from(["characters", "tokens"]),
)
def test_the_promises_hold_on_any_text(pieces: list[str], sizes: tuple[int, int], unit: str) -> None:
    size, overlap = sizes
    result = chunked(parse("".join(pieces)), Config(Recursive(chunk_size=size, chunk_overlap=overlap, unit=unit)))  # type: ignore[arg-type]

    for chunk in result.chunks:
        assert chunk.kept_text == chunk.kept_text.strip()
        if unit == "characters":
            assert len(chunk.text) <= size or chunk.flag("unsplittable")


def test_the_size_holds_with_an_overlap_that_begins_with_indentation() -> None:
    found = cut("a" * 30 + "\n        b\nc\n" + "d" * 30, 40, 12)

    assert max(len(chunk.text) for chunk in found) <= 40


@pytest.mark.parametrize("unit", ["characters", "tokens"])
@given(
    text=st.lists(
        st.sampled_from(
            ["word", "a", " ", "    ", "\n", "\n\n", "\n        x", ". ", "\t", "é世", " \u200cb", "-" * 9]
        ),
        max_size=40,
    ).map("".join),
    size=st.integers(1, 20),
    share=st.floats(0, 0.9),
)
def test_the_size_holds_for_overlap_and_text_however_they_are_indented(
    unit: str, text: str, size: int, share: float
) -> None:
    tools = Tools(counter("cl100k_base"))
    strategy = Recursive.model_validate({"chunk_size": size, "chunk_overlap": int(size * share), "unit": unit})

    for part in strategy.split(parse(text), tools):
        if isinstance(part, Chunk) and not part.flag("unsplittable"):
            assert (len(part.text) if unit == "characters" else part.tokens) <= size
