"""After a reload the pages that are not shown say what they said before."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from types import SimpleNamespace

import pytest
import streamlit as st
from app_pages import address, open_page
from streamlit.testing.v1 import AppTest

from pages.ui.state import left_pages, session

RETRIEVE = {"q": "raw pointers", "search": "bm25", "over": "all"}


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("CHUNKSCOPE_DATA", str(tmp_path))
    return tmp_path


def tab(monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    """What the browser says of its tab."""
    context = SimpleNamespace(cookies={left_pages.COOKIE: name}, headers={}, ip_address=None, url="")
    monkeypatch.setattr(st, "context", context)


def left(page: str, query: Mapping[str, str]) -> None:
    """A page that said this was left for another one."""
    app = AppTest.from_function(_leave, kwargs={"page": page, "query": dict(query)})
    assert not app.run().exception


def _leave(page: str, query: dict[str, str]) -> None:
    from pages.ui.state import left_pages, session

    now = session.this_session()
    now.page, now.wrote, now.wrote_for = page, query, dict
    left_pages.note_left("Another")


def test_a_reload_brings_back_what_other_pages_said(monkeypatch: pytest.MonkeyPatch) -> None:
    tab(monkeypatch, "tab1")
    left("Inspect", {"document": "sample:06-no-headings.md", "strategy": "fixed", "view": "cards"})
    left("Retrieve", RETRIEVE)
    left("Tune", {"strategy": "heading-window", "documents": "all", "goal": '{"objective":"few-tokens"}'})
    tab(monkeypatch, "tab1.reloaded")

    app = open_page("pages/corpus.py", strategy="heading-window")

    now: session.Session = app.session_state["chunkscope"]
    assert not app.exception
    assert (now.retrieving.question, now.retrieving.way, now.retrieving.all_documents) == ("raw pointers", "bm25", True)
    assert now.source == "sample:06-no-headings.md"
    assert (now.view, now.strategy) == ("cards", "heading-window")
    assert now.tuned is not None
    assert now.tuned.goal.objective == "few-tokens"
    assert now.tuned.all_documents


def test_the_page_that_is_loaded_again_says_what_its_address_says(monkeypatch: pytest.MonkeyPatch) -> None:
    tab(monkeypatch, "tab1")
    left("Retrieve", RETRIEVE)
    left("Compare", {"a.strategy": "fixed", "b.strategy": "recursive"})
    tab(monkeypatch, "tab1.reloaded")

    app = open_page("pages/retrieve.py", q="another", search="bm25", a__strategy="every-heading")

    assert not app.exception
    assert address(app)["q"] == "another"
    assert address(app)["a.strategy"] == "every-heading"


@pytest.mark.parametrize("name", ["tab2.reloaded", "tab1", "", "../tab1.reloaded"])
def test_another_tab_and_a_link_begin_anew(monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    tab(monkeypatch, "tab1")
    left("Retrieve", RETRIEVE)
    tab(monkeypatch, name)

    app = open_page(strategy="heading-window")

    assert not app.exception
    assert app.session_state["chunkscope"].retrieving.question == ""


def test_what_was_kept_of_tabs_and_is_damaged_is_passed_over(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    tab(monkeypatch, "tab1")
    left("Retrieve", RETRIEVE)
    (file,) = folder.rglob("tabs.json")
    tab(monkeypatch, "tab1.reloaded")
    for content in ("{", "[1]", '{"tab1": 3}', '{"tab1": {"Retrieve": 4}}', '{"tab1": {"Retrieve": {"q": [1]}}}'):
        file.write_text(content, encoding="utf-8")
        assert not open_page(strategy="heading-window").exception


def test_only_the_last_tabs_are_remembered(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for number in range(20):
        tab(monkeypatch, f"tab{number}")
        left("Retrieve", RETRIEVE)
    (file,) = folder.rglob("tabs.json")

    assert file.read_text(encoding="utf-8").count('"raw pointers"') == 16
    assert '"tab19"' in file.read_text(encoding="utf-8")
