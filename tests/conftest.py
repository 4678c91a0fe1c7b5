"""What every test may lean on: where the shared read-only material is, and how long hypothesis may search."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings
from shared_material import shared_dir

settings.register_profile(
    "chunkscope", deadline=None, max_examples=60, suppress_health_check=[HealthCheck.too_slow], print_blob=True
)
settings.load_profile("chunkscope")


@pytest.fixture(autouse=True, scope="session")
def _cache_of_this_session(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """What models answer and what is marked is kept in folders of the tests' own, not in the user's."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("CHUNKSCOPE_CACHE", str(tmp_path_factory.mktemp("answers")))
        patch.setenv("CHUNKSCOPE_DATA", str(tmp_path_factory.mktemp("marks")))
        yield


@pytest.fixture(name="shared")
def _shared() -> Path:
    """`shared_dir()` as a fixture."""
    return shared_dir()
