"""What every test of pages without a browser may lean on."""

from __future__ import annotations

import pytest


@pytest.fixture(autouse=True)
def _values_are_drawn_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """AppTest draws what it receives in no time, and chooses again in the same moment."""
    monkeypatch.setattr("pages.ui.state.session._SECONDS_TO_DRAW", 0)
