"""Compare and Retrieve say where Inspect's config is none of theirs, and take it with one press."""

from __future__ import annotations

from html import unescape

import pytest
from app_pages import address, html, open_page
from streamlit.testing.v1 import AppTest

from chunking import Config
from pages.ui.choices.comparing import Comparing, rows_of

TEXT = "Inspect's config is none of these"
PAGES = ("pages/compare.py", "pages/retrieve.py")
BOTH = pytest.mark.parametrize("script", PAGES)


def opened(script: str, **query: str) -> AppTest:
    """One of the two pages, without a search by vectors, which would take a model."""
    return open_page(script, search="bm25", **query)


def said(app: AppTest) -> str:
    """The words of the page."""
    return unescape(html(app))


def button(app: AppTest) -> str:
    """The words of the button that takes Inspect's config."""
    return app.button(key="take-from-inspect").label


def comparing(*strategies: str) -> Comparing:
    return Comparing(rows_of([Config.of(name, {}) for name in strategies]))


@BOTH
def test_a_page_that_begins_with_inspects_config_says_nothing(script: str) -> None:
    app = opened(script)

    assert TEXT not in said(app)
    assert "take-from-inspect" not in [each.key for each in app.button]


@BOTH
def test_a_setting_that_was_changed_in_inspect_since_is_said_and_taken_in_the_row_of_its_strategy(script: str) -> None:
    app = opened(script)
    app.switch_page("app.py").run()
    app.button_group(key="setting.heading-window.short_tail").set_value("keep").run()
    app.switch_page(script).run()

    assert f"{TEXT}: Heading window, If the last chunk is too small: keep" in said(app)
    assert button(app) == "Use it as B"
    app.button(key="take-from-inspect").click().run()
    assert not app.exception
    assert TEXT not in said(app)
    assert address(app)["b.shortTail"] == "keep"
    assert address(app)["a.strategy"] == "every-heading"


@BOTH
def test_another_strategy_is_added_where_there_is_room(script: str) -> None:
    app = opened(script)
    app.switch_page("app.py").run()
    app.selectbox(key="strategy").set_value("recursive").run()
    app.switch_page(script).run()

    assert f"{TEXT}: Recursive, default settings" in said(app)
    assert button(app) == "Add it as C"
    app.button(key="take-from-inspect").click().run()
    assert not app.exception
    assert TEXT not in said(app)
    assert address(app)["c.strategy"] == "recursive"
    assert address(app)["b.strategy"] == "heading-window"


@BOTH
def test_what_is_changed_after_a_row_was_opened_in_inspect_is_said_on_the_way_back(script: str) -> None:
    app = opened(script)
    app.button(key="compare-inspect-B").click().run()
    app.switch_page("app.py").run()
    app.button_group(key="setting.heading-window.short_tail").set_value("keep").run()
    app.switch_page(script).run()

    assert button(app) == "Use it as B"


@pytest.mark.parametrize(
    ("rows", "place"),
    [
        (("fixed", "recursive"), 2),
        (("fixed", "hierarchical"), 1),
        (("hierarchical", "fixed", "hierarchical", "recursive"), 2),
        (("fixed", "recursive", "semantic", "every-heading"), 3),
    ],
)
def test_a_config_belongs_in_the_last_row_of_its_strategy_else_in_a_new_one_else_in_the_last(
    rows: tuple[str, ...], place: int
) -> None:
    config = Config.of("hierarchical", {"hardCap": 600})
    now = comparing(*rows)

    assert now.place_for(config) == place
    after = now.with_config(config)
    assert after.configs()[place] == config
    assert after.place_for(config) is None
    assert after.with_config(config) == after
