"""The map of the chunks of all documents: which chunks are on it, and where a point leads."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from app_pages import address, open_page
from here_pool import embeds_here
from streamlit.testing.v1 import AppTest

from chunking import Config, parse, run
from pages.ui.background import held_corpus
from pages.ui.corpus.map_chunks import texts_there

PAGE = "pages/corpus.py"
TEXTS = {
    "pot.md": "# Pot\n\nwarm it first\n\n# Tea\n\nthe same words in both\n",
    "cup.md": "# Cup\n\na thin one\n\n# Tea\n\nthe same words in both\n",
    "blank.md": "\n",
}


@pytest.fixture(autouse=True)
def _here(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    embeds_here(monkeypatch)
    for name, text in TEXTS.items():
        (tmp_path / name).write_text(text, encoding="utf-8")
    monkeypatch.setenv("CHUNKSCOPE_FILES", json.dumps([str(tmp_path)]))


def drawn(app: AppTest) -> dict[str, Any]:
    """What the browser's half of the map was given, once it has points."""
    for _ in range(80):
        maps = [each.proto for each in app.get("bidi_component") if each.proto.component_name == "chunkscope.chunk_map"]
        found: dict[str, Any] = json.loads(maps[0].json)
        if found["points"]:
            return found
        app.run()
    raise AssertionError("there is never a map")


def test_the_map_has_the_chunks_of_all_documents_coloured_by_document() -> None:
    app = open_page(PAGE, strategy="every-heading", look="map", row="cup.md")
    found = drawn(app)
    points = found["points"]

    assert not app.exception
    assert address(app)["look"] == "map"
    assert found["chunks"] == 4
    assert points["documents"] == ["blank.md", "cup.md", "pot.md"]
    assert [points["documents"][at] for at in points["document"]] == ["cup.md", "cup.md", "pot.md", "pot.md"]
    assert points["title"] == ["Cup", "Tea", "Pot", "Tea"]
    assert points["start"] == [0, 19, 0, 22]
    assert points["groups"] == ["cup.md", "pot.md"]
    assert points["opened"] == 1
    assert [1, 3] in [pair[:2] for pair in points["duplicates"]]
    assert [name for name, _ in found["colours"]] == ["document", "section", "size"]


def test_the_table_is_chosen_beside_the_map_and_the_choice_is_in_the_link() -> None:
    app = open_page(PAGE, strategy="every-heading", look="map")
    drawn(app)
    app.segmented_control(key="corpus-looks").set_value("table").run()
    shown = [each.proto.component_name for each in app.get("bidi_component")]

    assert "chunkscope.corpus_table" in shown
    assert "chunkscope.chunk_map" not in shown
    assert "look" not in address(app)


def _opens_the_second_point() -> None:
    import streamlit as st

    from pages.ui import state
    from pages.ui.background.corpus_workers import Corpus, Cuts
    from pages.ui.corpus.map_panel import _open

    corpus = Corpus(state.corpus_documents())
    cuts = Cuts(state.resolution().config, (), (-1,) * len(corpus.documents))
    _open(corpus, cuts, 1, 19)
    shown = state.source()
    st.text(f"{shown.name if shown else ''} {state.selected()} {state.goes_to_inspect()}")
    _open(corpus, cuts, 99, 19)
    st.text(str(state.goes_to_inspect()))


def test_a_point_leads_to_its_chunk_in_inspect() -> None:
    app = AppTest.from_function(_opens_the_second_point).run()

    assert not app.exception
    assert [each.value for each in app.text] == ["cup.md 19 True", "False"]


def test_the_texts_of_the_map_are_those_of_the_chosen_chunks_and_no_longer_than_they_are_read() -> None:
    long = "# A\n\n" + "word " * 2_000 + "\n\n# B\n\nshort\n"
    config = Config.of("every-heading", {})
    held_corpus.take("map test", [(0, "a.md", long), (1, "b.md", "# C\n\nx\n")])
    try:
        found = texts_there("map test", [0, 1], [config, "cannot be"], [0, 1], {0: [0, 1], 1: [0]})
    finally:
        held_corpus.drop("map test")
    chunks = run(parse(long, name="a.md"), config).chunks

    assert [each.text for each in found[0]] == [chunks[0].text[:4_000], chunks[1].text]
    assert [(each.chunk.number, each.chunk.tokens) for each in found[0]] == [
        (0, chunks[0].tokens),
        (1, chunks[1].tokens),
    ]
    assert found[1] == ()
