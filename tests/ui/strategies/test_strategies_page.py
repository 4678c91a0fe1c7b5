"""Every strategy has a page at its own address: prose, a picture that was cut now, settings and
reasons."""

from __future__ import annotations

import re
from pathlib import Path
from typing import ClassVar

import pytest
from markupsafe import escape
from streamlit.testing.v1 import AppTest

from chunking import strategies
from chunking.strategies.every_heading import EveryHeading
from chunking.strategy_docs.page import PROSE, page_text, prose
from chunking.strategy_docs.worked_picture import PictureLine
from pages.ui.strategies.page import picture_key, picture_markup, without_file_links

ROOT = Path(__file__).resolve().parents[3]


def page(strategy: str) -> AppTest:
    """The page, without the home page having been opened before."""
    app = AppTest.from_file(str(ROOT / "app.py"), default_timeout=30)
    app.switch_page("pages/strategies.py")
    app.query_params["strategy"] = strategy
    return app.run()


@pytest.mark.parametrize("name", strategies.names())
def test_a_strategys_page_shows_its_prose_its_picture_its_settings_and_its_reasons(name: str) -> None:
    app = page(name)
    shown = "\n".join(element.proto.body for element in app.get("html"))
    said = [element.value for element in app.markdown]
    strategy, written = strategies.get(name), prose(page_text(name))

    assert not app.exception
    assert f"<code>{name}</code>" in shown
    for title in PROSE:
        assert without_file_links(written[title]) in said
    assert '<div class="cs-picture">' in shown
    assert "chunk 3, " in shown
    for field in strategy.model_fields.values():
        assert f"<td><code>{field.alias}</code></td><td>{escape(field.title)}</td>" in shown
    for rule in strategy.rules:
        assert f"<td><code>{rule}</code></td>" in shown


@pytest.mark.parametrize("name", strategies.names())
def test_a_strategys_page_says_nothing_that_only_a_developer_of_it_knows(name: str) -> None:
    prose_shown = "\n".join(without_file_links(part) for part in prose(page_text(name)).values())

    assert re.findall(r"(?i)\bspecs?\b|pseudo-code|flagship|\b[a-z]{2,3}-\d+\b|\]\([^)]*\.md", prose_shown) == []


def test_a_link_to_another_strategys_page_leads_to_it_in_the_app() -> None:
    assert without_file_links("See [languages](code.md).\n\nWhy: [all](../decisions/README.md#code).") == (
        "See [languages](?strategy=code)."
    )


def test_without_an_address_the_page_is_of_the_strategy_to_start_with_and_the_links_are_in_the_choices_order() -> None:
    app = AppTest.from_file(str(ROOT / "app.py"), default_timeout=30)
    app.switch_page("pages/strategies.py")
    app.run()
    shown = "\n".join(element.proto.body for element in app.get("html"))
    links = [element.proto.label.strip("*") for element in app.get("page_link")]
    titles = {strategies.get(name).title for name in strategies.names()}

    assert "<code>heading-window</code>" in shown
    assert [link for link in links if link in titles][:3] == ["Heading window", "Block packing", "Every heading"]


def test_an_unknown_strategy_in_the_address_is_said() -> None:
    app = page("<b>no-such</b>")
    shown = "\n".join(element.proto.body for element in app.get("html"))

    assert not app.exception
    assert "no strategy named" in shown
    assert "<b>no-such" not in shown


class ByLine(EveryHeading):
    """Told apart from ours by its name alone."""

    name: ClassVar[str] = "by-line"
    title: ClassVar[str] = "By <b>line</b>"


def test_a_strategy_of_another_package_has_all_that_can_be_made_of_its_declarations(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(strategies, "_registry", lambda: {"by-line": ByLine, "every-heading": EveryHeading})
    app = page("by-line")
    shown = "\n".join(element.proto.body for element in app.get("html"))

    assert not app.exception
    assert "It comes from another package" in shown
    assert "By &lt;b&gt;line&lt;/b&gt;" in shown
    assert "Told apart from ours by its name alone." in shown
    assert "chunk 9, " in shown


def test_document_text_in_a_picture_is_text() -> None:
    drawn = picture_markup((PictureLine("source", "<img src=x onerror=alert(1)>", 1, 7),))

    assert drawn == (
        '<div class="cs-picture"><div class="cs-odd"><p class="cs-p-source"><i>7</i>'
        "<span>&lt;img src=x onerror=alert(1)&gt;</span></p></div></div>"
    )


def test_the_key_explains_only_the_marks_that_the_picture_has() -> None:
    assert picture_key((PictureLine("overlap", "x", 2), PictureLine("source", "y", 2, 1))) == (
        '<p class="cs-picture-key"><span class="cs-p-overlap">~ repeated from before</span></p>'
    )
