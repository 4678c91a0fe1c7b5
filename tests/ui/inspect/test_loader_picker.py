"""Headings without # in Inspect: chosen, written, refused, and in the link."""

from __future__ import annotations

from app_pages import address, html, open_page
from streamlit.testing.v1 import AppTest

TEXT = "Article 1 Scope\n\nThis is about tea.\n\nArticle 2 Terms\n\nTea is a drink.\n"


def with_text(**query: str) -> AppTest:
    app = open_page(strategy="every-heading", **query)
    app.text_area(key="pasted").set_value(TEXT)
    return app.button(key="use-paste").click().run()


def chunks(app: AppTest, strategy: str = "every-heading") -> int:
    return len(app.session_state["chunkscope"].ran[strategy].chunks)


def test_chosen_kinds_are_headings_for_the_cut_the_outline_and_the_link() -> None:
    app = with_text()
    assert chunks(app) == 1

    app.multiselect(key="heading-patterns").set_value(["article"]).run()

    assert not app.exception
    assert chunks(app) == 2
    assert "2 headings of level 1 in this document" in html(app)
    assert address(app)["loader.headingPatterns"] == '["article"]'
    assert app.session_state["chunkscope"].history.undo_words == "headings without #"


def test_a_link_brings_the_headings_and_the_baseline_has_them_too() -> None:
    app = with_text(loader__headingPatterns='["article"]', was__strategy="heading-window")

    assert app.multiselect(key="heading-patterns").value == ["article"]
    before = app.session_state["chunkscope"].ran["heading-window"]
    assert [each.title for each in before.document.headings] == ["Article 1 Scope", "Article 2 Terms"]


def test_what_is_no_pattern_is_said_and_the_headings_stay() -> None:
    app = with_text(loader__headingPatterns='["article"]')

    app.multiselect(key="delimiters").set_value(["\f"]).run()

    assert "has nothing that can be seen" in html(app)
    assert chunks(app) == 2
    assert app.multiselect(key="delimiters").value == []
