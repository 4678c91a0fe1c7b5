"""What every test of pages without a browser may lean on."""

from __future__ import annotations

from collections.abc import Iterator
from contextvars import ContextVar
from functools import cache

import pytest
from streamlit.components.v2 import manifest_scanner


@pytest.fixture(autouse=True, scope="session")
def _components_are_looked_for_once() -> Iterator[None]:
    """AppTest goes through every installed package for components each time a page is opened."""
    with pytest.MonkeyPatch.context() as patch:
        found_once = cache(manifest_scanner.scan_component_manifests)
        patch.setattr(manifest_scanner, "scan_component_manifests", found_once)
        yield


@pytest.fixture(autouse=True)
def _values_are_drawn_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """AppTest draws what it receives in no time, and chooses again in the same moment."""
    monkeypatch.setattr("pages.ui.state.session._SECONDS_TO_DRAW", 0)


@pytest.fixture(autouse=True)
def _tests_work_for_nobody(monkeypatch: pytest.MonkeyPatch) -> None:
    """A test that cuts for a held document in its own thread works for it: the tests after it would
    remember nothing, as for a document that is gone."""
    monkeypatch.setattr("pages.ui.server.sessions._works_for", ContextVar[str | None]("works_for", default=None))
