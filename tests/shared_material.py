"""The folder `shared` beside the repository, with corpus and hostile files for tests."""

from __future__ import annotations

from pathlib import Path

import pytest


def shared_dir() -> Path:
    """The folder of corpus and hostile files beside the repository; without it the test is
    skipped."""
    shared = Path(__file__).resolve().parents[2] / "shared"
    if not shared.is_dir():
        pytest.skip("no folder named 'shared' beside the repository: its cases and corpus are not here to test with")
    return shared
