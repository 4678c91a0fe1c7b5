"""What the tests of configs share."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from sample_strategies import registered


@pytest.fixture(scope="module")
def samples() -> Iterator[None]:
    """The sample strategies, such as `ruler`, are known by their names."""
    with registered():
        yield
