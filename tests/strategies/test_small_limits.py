"""The promises under limits of 1 to 40: nothing over one without a flag, nothing lost, no cluster
cut, no exception.

A longer draw by hand: `python tests/small_limits.py 2000` (documents), `--files FOLDER` (its
files).
"""

from __future__ import annotations

from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from small_limits import STRATEGIES, broken, config_of, cut, document_text, failures, phrase

from chunking.config.config import Config
from chunking.config.validation import make_strategy
from chunking.config.values import Value
from chunking.document import Span
from chunking.document.parser import parse

JOINED = " \u200cbbb" * 40
"""A joiner behind a space belongs to the space: a cut between them is inside one character."""


@pytest.mark.parametrize("name", STRATEGIES)
@settings(max_examples=30)
@given(seed=st.integers(0, 10**9))
def test_the_promises_hold_under_limits_of_1_to_40(name: str, seed: int) -> None:
    random = Random(seed)
    document = parse(document_text(random), "small.md")

    assert list(broken(cut(document, config_of(random, name)))) == []


@pytest.mark.parametrize(
    ("name", "given_settings"),
    [
        ("hierarchical", {"target": 20, "hard_cap": 20, "embed_breadcrumb": False}),
        ("block-packing", {"max_tokens": 20, "overlap_percentage": 30}),
        ("heading-window", {"min_tokens": 0, "max_tokens": 20}),
        ("section-rules", {"split_above": 20, "min_tokens": 0, "target_low": 0, "target_high": 20}),
        ("recursive", {"chunk_size": 20, "chunk_overlap": 9}),
        ("fixed", {"chunk_size": 20, "chunk_overlap": 9}),
        ("semantic", {"max_chunk_sentences": 1}),
    ],
)
@pytest.mark.parametrize(
    "text", [JOINED, JOINED.replace("bbb", "b. "), "a \u0301" * 90, "\u0600 a." * 60], ids=range(4)
)
def test_no_cut_parts_a_joiner_or_mark_from_the_space_before_it(
    name: str, given_settings: dict[str, Value], text: str
) -> None:
    config = Config(make_strategy(name, given_settings), "cl100k_base")

    assert list(broken(cut(parse(text, "joined.md"), config))) == []


@pytest.mark.parametrize(
    ("name", "seed"),
    [
        ("hierarchical", 321),
        ("hierarchical", 289),
        ("heading-window", 113),
        ("heading-window", 268),
        ("contextual", 217),
        ("hierarchical", 24788),
        ("section-rules", 2675332),
    ],
)
def test_documents_that_once_broke_a_promise_break_none(name: str, seed: int) -> None:
    assert list(failures((name,), seed)) == []


@pytest.mark.parametrize(("target", "hard_cap"), [(5, 6), (6, 6), (3, 4)])
def test_indentation_that_is_over_the_limit_is_cut_off_a_line_that_is_the_only_piece(
    target: int, hard_cap: int
) -> None:
    config = Config(
        make_strategy("hierarchical", {"target": target, "hard_cap": hard_cap, "embed_breadcrumb": False}),
        "o200k_base",
    )
    chunked = cut(parse("a\n\n" + "\t" * 91 + "\u200cb\n", "indented.md"), config)

    assert list(broken(chunked)) == []
    assert [chunk.flags for chunk in chunked.chunks] == [(), ()]


def test_a_heading_stands_alone_where_one_character_behind_it_would_be_over_the_limit() -> None:
    config = Config(
        make_strategy(
            "section-rules",
            {
                "split_above": 9,
                "min_tokens": 4,
                "target_low": 0,
                "target_high": 6,
                "overlap_tokens": 1,
                "small": "keep",
            },
        ),
        "o200k_base",
    )
    text = "a\n\n## Additional References\n\n🧑\u200d🍳 Cookbook: a link to what is cooked there\n"

    assert list(broken(cut(parse(text, "emoji.md"), config))) == []


@settings(max_examples=30)
@given(seed=st.integers(0, 10**9))
def test_headings_that_nothing_stands_under_are_within_the_limit_behind_their_breadcrumb(seed: int) -> None:
    """Each fits behind another breadcrumb than the one it ends up with."""
    random = Random(seed)
    parts = [f"{'#' * random.randint(1, 4)} {phrase(random, 4)}" for _ in range(random.randint(1, 3))]
    text = "\n\n".join([phrase(random, 3)] * (random.random() < 0.3) + parts) + "\n"
    cap = random.randint(1, 14)
    limits = {"target": random.randint(1, cap), "hard_cap": cap, "embed_breadcrumb": random.random() < 0.7}

    assert list(broken(cut(parse(text, "small.md"), Config(make_strategy("hierarchical", limits), "o200k_base")))) == []


def test_white_space_that_a_mark_before_it_takes_in_belongs_to_the_block() -> None:
    document = parse("water \u0600\u3000\n\nnext\n")

    assert document[Span(0, document.blocks[0].content_end)] == "water \u0600\u3000"
