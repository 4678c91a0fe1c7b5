"""Where sums of tokens say that a chunk of block-packing ends, packing block by block says it."""

from __future__ import annotations

from unittest.mock import patch

import pytest
from hypothesis import given
from hypothesis import strategies as st
from markdown_strategies import MARKDOWN

from chunking import Config, parse, run
from chunking.strategies.block_packing.packing import Packing
from chunking.strategies.block_packing.unit_columns import NOT_KNOWN

BODIES = [
    "",
    "One two three.\n",
    "word " * 40 + "\n",
    "    indented\n",
    "- a\n- b\n",
    "Grüße, 日本語。\n",
    "```\nx\n```\n",
]
SECTIONS = st.lists(st.tuples(st.integers(1, 4), st.sampled_from(BODIES)), min_size=1, max_size=25).map(
    lambda sections: "".join(f"{'#' * level} Part {level}\n\n{body}\n" for level, body in sections)
)


@pytest.mark.parametrize("by", ["cl100k_base", "o200k_base"])
@given(
    text=st.one_of(SECTIONS, MARKDOWN),
    maximum=st.integers(1, 150),
    overlap=st.integers(0, 60),
    fill=st.integers(0, 100),
)
def test_a_cut_by_sums_is_one_block_by_block(by: str, text: str, maximum: int, overlap: int, fill: int) -> None:
    config = Config.of("block-packing", {"maxTokens": maximum, "overlapPercentage": overlap, "minFill": fill}, by)

    with patch.object(Packing, "foreseen", lambda _packing, _first: (0, NOT_KNOWN)):
        block_by_block = run(parse(text), config).parts

    assert run(parse(text), config).parts == block_by_block


def test_chunks_of_plain_sections_are_found_by_sums() -> None:
    config = Config.of("block-packing", {"maxTokens": 60}, "cl100k_base")

    with patch.object(Packing, "_pack_from", side_effect=AssertionError):
        chunks = run(parse(f"# A\n\n{'word ' * 30}\n\n{'word ' * 30}\n\n# B\n\nOne.\n"), config).chunks

    assert [chunk.ended_by.rule for chunk in chunks] == ["budget-reached", "top-level-section", "end"]
