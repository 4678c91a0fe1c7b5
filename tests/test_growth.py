"""The shapes of texts that growth is measured on."""

from __future__ import annotations

import pytest
from effort import calls

from benchmarks.shapes import SHAPES
from chunking import Config, parse, run
from chunking.config import Value

SMALL: dict[str, dict[str, Value]] = {
    "block-packing": {"maxTokens": 48},
    "heading-window": {"maxTokens": 48, "minTokens": 12, "minTokensDeeper": 12},
    "hierarchical": {"hardCap": 48, "target": 24},
    "section-rules": {"splitAbove": 48, "minTokens": 12, "targetLow": 24, "targetHigh": 48},
    "recursive": {"chunkSize": 48, "chunkOverlap": 4},
    "fixed": {"unit": "tokens", "chunkSize": 48, "chunkOverlap": 4},
}
"""Settings that make many chunks of a small text."""


@pytest.mark.parametrize("shape", SHAPES)
def test_a_shape_of_twice_the_size_is_parsed_with_about_twice_the_work(shape: str) -> None:
    small, large = SHAPES[shape](3_000), SHAPES[shape](6_000)
    assert len(large) < 2.2 * len(small) + 100

    assert calls(lambda: parse(large)) < 3 * calls(lambda: parse(small)) + 2_000


@pytest.mark.parametrize("shape", ["blanks", "cjk", "combining", "digits", "heading-letter", "letter", "pipe-cells"])
@pytest.mark.parametrize("strategy", SMALL)
def test_a_shape_of_twice_the_size_is_cut_with_about_twice_the_work(strategy: str, shape: str) -> None:
    config = Config.of(strategy, SMALL[strategy], "cl100k_base")
    small, large = parse(SHAPES[shape](2_000)), parse(SHAPES[shape](4_000))
    run(parse("# Warm\n\nup\n"), config)

    before = calls(lambda: run(small, config))
    assert calls(lambda: run(large, config)) < 3 * before + 2_000
