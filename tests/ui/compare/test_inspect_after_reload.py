"""A reload on Compare or Retrieve keeps what Inspect shows."""

from __future__ import annotations

import pytest
from app_pages import address, open_page
from streamlit.testing.v1 import AppTest

BOTH = pytest.mark.parametrize("script", ["pages/compare.py", "pages/retrieve.py"])


def reloaded(app: AppTest, script: str) -> AppTest:
    """A new session at the address of the one before."""
    return open_page(script, **{name.replace(".", "__"): value for name, value in address(app).items()})


def in_inspect(app: AppTest) -> dict[str, str]:
    """The address of Inspect, opened from this page."""
    return address(app.switch_page("app.py").run())


@BOTH
def test_a_config_that_is_none_of_the_rows_is_in_inspect_after_a_reload(script: str) -> None:
    app = open_page(script, search="bm25", a__strategy="fixed", b__strategy="hierarchical")
    app.switch_page("app.py").run()
    app.button_group(key="setting.heading-window.short_tail").set_value("keep").run()
    app.selectbox(key="baseline").set_value("recursive").run()
    app.switch_page(script).run()
    assert address(app)["now.shortTail"] == "keep"
    assert "was.strategy" in address(app)

    app = reloaded(app, script)

    assert not app.exception
    assert app.button(key="take-from-inspect").label == "Add it as C"
    shown = in_inspect(app)
    assert (shown["strategy"], shown["shortTail"], shown["was.strategy"]) == ("heading-window", "keep", "recursive")


@BOTH
def test_a_row_that_was_opened_in_inspect_is_there_after_a_reload_and_a_letter_in_the_link(script: str) -> None:
    app = open_page(script, search="bm25", a__strategy="fixed", b__strategy="hierarchical", b__hardCap="600")
    app.button(key="compare-inspect-B").click().run()
    app.switch_page(script).run()
    assert (address(app)["now"], address(app)["was"]) == ("b", "a")

    shown = in_inspect(reloaded(app, script))

    assert (shown["strategy"], shown["hardCap"], shown["was.strategy"]) == ("hierarchical", "600", "fixed")


@BOTH
def test_no_baseline_is_none_after_a_reload_too(script: str) -> None:
    app = open_page(strategy="heading-window", was__strategy="none").switch_page(script).run()

    assert in_inspect(reloaded(app, script))["was.strategy"] == "none"


@BOTH
def test_back_shows_the_rows_of_its_address_and_leaves_what_was_changed_in_inspect(
    script: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("pages.ui.state.session._went_through_history", lambda: True)
    app = open_page(script, search="bm25", a__strategy="fixed", b__strategy="hierarchical")
    before = address(app)
    app.button(key="compare-inspect-B").click().run()
    app.switch_page("app.py").run()
    app.selectbox(key="strategy").set_value("recursive").run()
    app.switch_page(script)
    app.query_params.clear()
    app.query_params.update(before)  # as the browser does
    app.run()

    assert not app.exception
    assert app.button(key="take-from-inspect").label == "Add it as C"
    assert address(app)["now.strategy"] == "recursive"
    assert address(app)["b.strategy"] == "hierarchical"
