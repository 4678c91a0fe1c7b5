"""The Corpus page without a browser: its numbers, its overrides, its link."""

from __future__ import annotations

import json

from app_pages import address, html, open_page
from streamlit.testing.v1 import AppTest

from chunking import Config, parse, run
from chunking.analysis import document_figures, together
from pages.ui.choices.samples import samples

PAGE = "pages/corpus.py"


def settled(app: AppTest, *shown: str) -> AppTest:
    """The page once all documents are cut and these words are there."""
    for _ in range(80):
        if all(words in html(app) for words in ("documents</p>", *shown)):
            return app.run()
        app.run()
    raise AssertionError("the corpus is never cut")


def test_the_strip_has_the_numbers_of_all_documents_and_the_baseline() -> None:
    app = settled(open_page(PAGE, strategy="fixed", chunkSize="500"), "baseline")
    config = Config.of("fixed", {"chunkSize": 500})
    total = together([document_figures(run(parse(each.text, name=each.name), config)) for each in samples()])

    assert not app.exception
    assert f"{total.chunk_count:,}" in html(app)
    assert f"{total.tokens_to_embed:,}" in html(app)
    assert f"{len(samples())} documents" in html(app)
    assert "baseline" in html(app)


def test_an_override_is_added_counted_kept_in_the_link_and_removed() -> None:
    app = settled(open_page(PAGE, strategy="heading-window"))
    app.text_input(key="override-pattern").set_value("0*.md").run()
    app.text_area(key="override-settings").set_value("maxTokens: 600\nlookahead: true").run()
    app.button(key="override-add").click().run()

    assert "0*.md maxTokens 600 lookahead True" in html(app)
    assert "9 documents" in html(app)
    assert json.loads(address(settled(app))["overrides"]) == {"0*.md": {"maxTokens": 600, "lookahead": True}}
    app.button(key="override-remove-0").click().run()
    assert "overrides" not in address(settled(app))


def test_an_override_that_cannot_be_is_one_line() -> None:
    app = settled(open_page(PAGE, strategy="heading-window"))
    for pattern, settings, said in (
        ("", "maxTokens: 400", "Pattern of names: is empty"),
        ("*.md", "maxTokens: 10", "maxTokens"),
        ("*.md", "nonsense: 1", "nonsense: heading-window has no such setting"),
        ("*.md", "a: [", "line 1"),
        ("!a", "maxTokens: 400", "leave ! out"),
    ):
        app.text_input(key="override-pattern").set_value(pattern).run()
        app.text_area(key="override-settings").set_value(settings).run()
        app.button(key="override-add").click().run()
        assert not app.exception
        assert said in html(app), pattern


def test_a_link_brings_overrides_and_a_wrong_one_is_said() -> None:
    app = settled(open_page(PAGE, strategy="fixed", overrides='{"02-*": {"chunkSize": 300}}', order="chunks"))
    assert "02-* chunkSize 300" in html(app)
    assert address(app)["order"] == "chunks"

    assert "is not valid JSON" in html(open_page(PAGE, strategy="fixed", overrides="{"))


def test_documents_that_were_added_are_the_corpus() -> None:
    app = open_page(PAGE, strategy="every-heading")
    files = [("a.md", b"# A\n\nx\n\n# B\n\ny\n", "text/markdown"), ("b.md", b"# C\n\nz\n", "text/markdown")]
    app.file_uploader(key="uploads").set_value(files).run()

    assert "2 documents" in html(settled(app))
