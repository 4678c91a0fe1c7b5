"""Every strategy has a page at its own address, without the home page having been opened before."""

from __future__ import annotations

from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

from chunking import strategies

ROOT = Path(__file__).resolve().parents[2]


def page(strategy: str) -> AppTest:
    app = AppTest.from_file(str(ROOT / "app.py"), default_timeout=30)
    app.switch_page("pages/strategies.py")
    app.query_params["strategy"] = strategy
    return app.run()


@pytest.mark.parametrize("name", strategies.names())
def test_a_strategys_page_says_what_it_is_for_and_lists_its_settings(name: str) -> None:
    app = page(name)
    shown = "\n".join(element.proto.body for element in app.get("html"))
    strategy = strategies.get(name)

    assert not app.exception
    assert f"<code>{name}</code>" in shown
    for field in strategy.model_fields.values():
        assert f"<code>{field.alias}</code>" in shown
    for rule in strategy.rules:
        assert f"<code>{rule}</code>" in shown


def test_an_unknown_strategy_in_the_address_is_said() -> None:
    app = page("<b>no-such</b>")
    shown = "\n".join(element.proto.body for element in app.get("html"))

    assert not app.exception
    assert "no strategy named" in shown
    assert "<b>no-such" not in shown
