"""The shapes of texts that growth is measured on."""

from __future__ import annotations

import pytest
from effort import calls

from benchmarks.shapes import SHAPES
from chunking import parse


@pytest.mark.parametrize("shape", SHAPES)
def test_a_shape_of_twice_the_size_is_parsed_with_about_twice_the_work(shape: str) -> None:
    small, large = SHAPES[shape](3_000), SHAPES[shape](6_000)
    assert len(large) < 2.2 * len(small) + 100

    assert calls(lambda: parse(large)) < 3 * calls(lambda: parse(small)) + 2_000
