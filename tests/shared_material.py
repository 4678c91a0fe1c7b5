"""Where the read-only material of specs, cases and corpus lies, for the tests that need it."""

from __future__ import annotations

from pathlib import Path

import pytest


def shared_dir() -> Path:
    """The folder of specs, cases and corpus beside the repository; the test is skipped where there
    is none."""
    shared = Path(__file__).resolve().parents[2] / "shared"
    if not shared.is_dir():
        pytest.skip("no folder named 'shared' beside the repository: its cases and corpus are not here to test with")
    return shared
