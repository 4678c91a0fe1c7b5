"""The Corpus page without a browser: its numbers, its overrides, its link."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from app_pages import address, html, open_page
from streamlit.testing.v1 import AppTest

from chunking import Config, parse, run
from chunking.analysis import document_figures, together
from chunking.errors import StrategyError
from pages.ui.background.corpus_workers import Corpus, CorpusWorkers, Cuts
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


def test_the_samples_are_there_with_their_baseline_and_their_checks_when_the_page_is_first_drawn(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("pages.ui.corpus.live._SMALL_AT_ONCE", 60.0)
    shown = html(open_page(PAGE, strategy="heading-window", was__strategy="fixed"))

    assert "baseline" in shown
    assert f"{len(samples())} documents</p>" in shown
    assert "documents cut" not in shown


def test_a_corpus_without_room_says_so_where_its_table_would_be(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CHUNKSCOPE_MEMORY_MB", "1")
    monkeypatch.setattr(Corpus, "small", False)
    monkeypatch.setattr(Corpus, "size", 1_000_001)
    monkeypatch.setattr(Corpus, "key", "one that nobody has open")
    app = open_page(PAGE, strategy="fixed")

    assert '<div class="cs-empty"><h2>No room for these documents</h2>' in html(app)
    assert "MB of memory; CHUNKSCOPE_MEMORY_MB is 1: set it to 2 or more, or open fewer documents" in html(app)
    assert not app.exception


def _baseline_fails_halfway() -> Callable[..., object]:
    whole = CorpusWorkers.cut

    def cut(self: CorpusWorkers, corpus: Corpus, cuts: Cuts, *others: Any, **named: Any) -> Iterator[Any]:
        for part in whole(self, corpus, cuts, *others, **{**named, "batch": 1}):
            yield part
            if cuts.config.strategy.name == "recursive":
                raise StrategyError("a process went")

    return cut


def test_a_baseline_that_fails_halfway_is_said_and_compared_with_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(CorpusWorkers, "cut", _baseline_fails_halfway())
    app = open_page(PAGE, strategy="fixed", chunkSize="500", was__strategy="recursive")
    for _ in range(80):
        if "a process went" not in html(app):
            app.run()

    assert "a process went" in html(app)
    assert "baseline" not in html(app)
    assert app.button(key="corpus-again").label == "Try again"


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


def test_an_override_can_choose_another_strategy_whose_settings_the_form_names() -> None:
    app = settled(open_page(PAGE, strategy="heading-window"))
    assert app.text_area(key="override-settings").placeholder == "minTokens: 250\nminTokensDeeper: 500"
    app.text_input(key="override-pattern").set_value("0*.md").run()
    app.selectbox(key="override-strategy").set_value("block-packing").run()
    assert app.text_area(key="override-settings").placeholder.startswith("maxTokens: 512")
    app.text_area(key="override-settings").set_value("maxTokens: 600").run()
    app.button(key="override-add").click().run()

    assert "0*.md strategy block-packing maxTokens 600" in html(app)
    assert json.loads(address(settled(app))["overrides"]) == {
        "0*.md": {"strategy": "block-packing", "settings": {"maxTokens": 600}}
    }
    assert app.selectbox(key="override-strategy").value == ""


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


def test_what_a_folder_has_beside_its_documents_is_said_and_an_empty_file_is_a_document(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name, content in (("empty.md", b""), ("kettle.md", b"# K\n\nw\n"), ("data.csv", b"a,b\n"), ("old.zip", b"PK")):
        (tmp_path / name).write_bytes(content)
    for number in range(3):
        (tmp_path / f"bad-{number}.md").write_bytes(b"# bad \xff")
    monkeypatch.setenv("CHUNKSCOPE_FILES", json.dumps([str(tmp_path)]))

    app = settled(open_page(PAGE, strategy="every-heading"))

    assert not app.exception
    assert "2 documents" in html(app)
    assert "2 passed over: 1 .csv, 1 .zip" in html(app)
    assert [each.label for each in app.expander if "file" in each.label] == ["3 files could not be read"]
    assert "bad-2.md: byte 6 (0xFF) is not UTF-8" in html(app)


def test_inspect_opens_a_folder_of_empty_files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "empty.md").write_bytes(b"")
    (tmp_path / "blank.md").write_bytes(b" \n\n")
    monkeypatch.setenv("CHUNKSCOPE_FILES", json.dumps([str(tmp_path)]))
    for page in ("", "pages/retrieve.py"):
        assert not open_page(page).exception, page


def _opens_one_of_two_files_with_the_same_text() -> None:
    import streamlit as st

    from pages.ui import state

    for each in state.corpus_documents():
        state.open_document(each, state.resolution().config, 0)
        shown = state.source()
        st.text(f"{each.name} {shown.name if shown else ''}")


def test_of_two_files_with_the_same_text_the_one_that_was_clicked_is_opened(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("a", "b"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "LICENSE.md").write_bytes(b"# Licence\n\nAll of it.\n")
    monkeypatch.setenv("CHUNKSCOPE_FILES", json.dumps([str(tmp_path)]))

    app = AppTest.from_function(_opens_one_of_two_files_with_the_same_text).run()

    assert not app.exception
    assert [each.value for each in app.text] == ["a/LICENSE.md a/LICENSE.md", "b/LICENSE.md b/LICENSE.md"]


def _tunes_an_overridden_document_and_goes_back() -> None:
    import streamlit as st

    from chunking import Config
    from chunking.config import override_from_text
    from pages.ui import state
    from pages.ui.choices.corpus import CorpusChoices
    from pages.ui.choices.samples import samples

    first, second, *_ = samples()
    overrides = (override_from_text(first.name, "maxTokens: 600"), override_from_text("*.txt", "strategy: fixed"))
    corpus = Config.of("heading-window", {"minTokens": 100})
    for chosen, values in ((first, {}), (first, {"max_tokens": 640}), (second, {"max_tokens": 700})):
        state.take(corpus)
        state.choose_for_corpus(CorpusChoices(overrides))
        state.open_document(first, corpus.with_override(overrides[0]), 0)
        said = state.said_of_config().text
        state.choose_source(chosen.key)
        state.choose_values(values, "heading-window")
        state.open_corpus()
        now, settings = state.resolution().config, [dict(each.settings) for each in state.corpus_choices().overrides]
        st.text(f"{settings} {now == corpus} {state.override_change() == first.name} {first.name in said}")


def test_what_is_changed_on_an_overridden_document_is_the_override_s() -> None:
    app = AppTest.from_function(_tunes_an_overridden_document_and_goes_back).run()

    assert not app.exception
    assert [each.value for each in app.text] == [
        "[{'maxTokens': 600}, {}] True False True",
        "[{'maxTokens': 640}, {}] True True True",
        "[{'maxTokens': 600}, {}] False False True",
    ]
