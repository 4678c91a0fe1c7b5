"""Other packages' splitters among the strategies of the app: with their settings, audited, and with
the command that installs what is missing."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest
from app_pages import address, html, open_page
from sample_peers import AbsentPeer, FakePeer, offered

from chunking.config.setting_spec import setting_specs
from pages.ui.layout import strategy_choice

PIP = "a-package-that-nobody-has is not installed; pip install"


@pytest.fixture(autouse=True)
def _offered(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setattr(strategy_choice, "PEERS", (FakePeer, AbsentPeer))
    with offered():
        yield


def test_inspect_offers_a_peer_with_its_settings_and_audits_what_it_made() -> None:
    app = open_page(strategy="peer:fake", chunkSize="40")

    assert not app.exception
    assert any(re.match(r"Fake splitter\tOther package\. ", option) for option in app.selectbox(key="strategy").options)
    assert address(app)["chunkSize"] == "40"
    assert "Audit" in html(app)
    assert "why it was cut here is not known" in html(app)
    assert "How to remove this boundary" not in html(app)
    assert app.button_group(key="setting.peer:fake.unit").value == "tokens"
    versions = [spec.label for spec in setting_specs(FakePeer) if spec.pinned]
    assert versions == ["version"]
    assert not [each for each in app.text_input if "version" in str(each.key).lower()]


def test_a_peer_that_is_missing_says_the_command_that_installs_it() -> None:
    app = open_page(strategy="peer:absent")

    assert not app.exception
    assert PIP in html(app)
    assert any(PIP in option for option in app.selectbox(key="strategy").options)


def test_compare_and_retrieve_take_a_peer_in_any_row() -> None:
    for script in ("pages/compare.py", "pages/retrieve.py"):
        app = open_page(script, a__strategy="every-heading", b__strategy="peer:fake", b__chunkSize="60")

        assert not app.exception
        assert app.selectbox(key="compare-strategy-B").value == "peer:fake"
        app.selectbox(key="compare-strategy-A").set_value("peer:absent").run()
        assert not app.exception
        assert PIP in html(app)
