"""What every test may lean on: where the shared read-only material is, and how long hypothesis may search."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings
from shared_material import shared_dir

settings.register_profile(
    "chunkscope", deadline=None, max_examples=60, suppress_health_check=[HealthCheck.too_slow], print_blob=True
)
settings.load_profile("chunkscope")


@pytest.fixture(name="shared")
def _shared() -> Path:
    """`shared_dir()` as a fixture."""
    return shared_dir()
