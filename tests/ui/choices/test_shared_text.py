"""Sharing a view whose text is not in the link: what is said to both sides, and how the view comes
back."""

from __future__ import annotations

import json
from pathlib import Path
from random import Random

import pytest
from app_pages import html, open_page
from streamlit.testing.v1 import AppTest

from chunking.text import text_hash
from pages.ui.choices.samples import Source, samples
from pages.ui.choices.shared_text import link_note, missing_name, other_texts
from pages.ui.choices.text_in_link import packed, unpacked

ROOT = Path(__file__).resolve().parents[3]
TEXT = "# Kettle\n\nwater\n\n# Steam\n\nmore water\n"
KETTLE = Source("kettle.md", "kettle.md", TEXT, uploaded=True)


def shared(app: AppTest) -> dict[str, str]:
    """What the button that copies the link is told."""
    drawn = [element.proto for element in app.get("bidi_component")]
    told: dict[str, str] = json.loads(next(each for each in drawn if each.component_name.endswith("copy_link")).json)
    return told


def shared_note(app: AppTest) -> str:
    """What the page says beside the link it copies."""
    return shared(app)["note"]


def test_a_link_to_a_sample_lacks_nothing() -> None:
    assert link_note(samples()[0]) == link_note(None) == ""
    assert shared_note(open_page()) == ""


def test_a_link_to_an_upload_says_what_whoever_opens_it_needs() -> None:
    app = open_page(strategy="every-heading")
    app.file_uploader(key="uploads").set_value([("kettle.md", TEXT.encode(), "text/markdown")]).run()

    assert "does not contain your text" in shared_note(app)
    assert "kettle.md" in shared_note(app)


def test_a_page_about_no_document_shares_nothing_of_one() -> None:
    assert shared_note(open_page("pages/strategies.py", document=KETTLE.key)) == ""


def test_the_view_of_a_link_comes_back_once_its_text_is_added() -> None:
    app = open_page(document=KETTLE.key, name="kettle.md", strategy="every-heading", at="20")
    assert "Add <b>kettle.md</b> (same text) and the view is restored." in html(app)
    app.text_area(key="pasted").set_value(TEXT)
    app.button(key="use-paste").click().run()

    assert not app.exception
    assert "<dt>Chunks</dt><dd><b>2</b>" in html(app)
    assert "Chunk 2" in html(app)
    assert "is not the text of the link" not in html(app)


def test_a_link_to_an_upload_has_its_name_on_every_page_and_keeps_it_where_it_is_opened() -> None:
    app = open_page(strategy="every-heading")
    app.file_uploader(key="uploads").set_value([("kettle.md", TEXT.encode(), "text/markdown")]).run()

    assert app.query_params["name"] in ("kettle.md", ["kettle.md"])
    for page in ("pages/compare.py", "pages/tune.py", "pages/retrieve.py"):
        opened = open_page(page, document=KETTLE.key, name="kettle.md")
        assert "Add <b>kettle.md</b> (same text)" in html(opened)
    app.selectbox(key="document").set_value(samples()[0].key).run()
    assert "name" not in app.query_params


def test_a_link_without_a_name_asks_for_the_hash() -> None:
    assert "the text whose sha256 begins with" in missing_name(KETTLE.key, "")


def test_the_linked_text_is_shown_among_others_that_come_with_it() -> None:
    app = open_page(document=KETTLE.key, strategy="every-heading")
    app.file_uploader(key="uploads").set_value(
        [("kettle.md", TEXT.encode(), "text/markdown"), ("b.md", b"# B\n", "text/markdown")]
    ).run()

    assert app.selectbox(key="document").value == KETTLE.key


def test_another_text_than_the_links_is_shown_and_said_to_be_another() -> None:
    app = open_page(document=KETTLE.key, strategy="every-heading")
    app.file_uploader(key="uploads").set_value([("b.md", b"# B\n\nwords\n", "text/markdown")]).run()

    assert "b.md is not the text of the link: its sha256 begins with" in html(app)
    assert app.selectbox(key="document").value == text_hash("# B\n\nwords\n")


def test_no_text_is_another_where_no_link_asked_for_one() -> None:
    assert other_texts([KETTLE], "") == ()
    assert other_texts([KETTLE], "sample:nowhere.md") == ()
    assert other_texts([KETTLE], KETTLE.hash) == ()
    assert len(other_texts([KETTLE], "4b2c" * 16)) == 1


def test_the_text_is_in_the_link_where_somebody_asks_for_it_and_both_are_told() -> None:
    app = open_page(strategy="every-heading")
    app.file_uploader(key="uploads").set_value([("kettle.md", TEXT.encode(), "text/markdown")]).run()
    assert shared(app)["packed"] == ""
    assert shared(app)["size"] == "adds 0.1 KB"
    app.session_state["chunkscope"].text_in_link = KETTLE.key  # as its box does
    app.run()

    assert unpacked(shared(app)["packed"], KETTLE.key) == TEXT
    assert "The link contains the text of kettle.md" in shared(app)["note"]
    assert "text" not in app.query_params
    app.selectbox(key="document").set_value(samples()[0].key).run()
    assert shared(app)["packed"] == shared(app)["size"] == ""


def test_a_text_that_is_too_large_for_a_link_is_said_to_be() -> None:
    large = Source("large.md", "large.md", Random(1).randbytes(40_000).hex())

    assert "It is too large to go into the link (32 KB compressed)." in link_note(large)


def opening(written: str, **query: str) -> list[str]:
    """What a session says that opened this text of a link: its document, whether that is kept, and
    refusals."""

    def page() -> None:
        import streamlit as st

        from pages.ui import state

        state.take_text_of_link(st.query_params["written"])
        shown = state.source()
        st.text(shown.name if shown else "missing")
        st.text(str(len(state.kept_documents())))
        for line in state.refused():
            st.text(line)

    app = AppTest.from_function(page)
    for name, value in {"written": written, **query}.items():
        app.query_params[name] = value
    return [text.value for text in app.run().text]


def test_a_link_with_its_text_opens_it_and_the_text_is_not_kept(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("CHUNKSCOPE_DATA", str(tmp_path))
    monkeypatch.setenv("CHUNKSCOPE_KEEP_MB", "1")

    assert opening(packed(TEXT), document=KETTLE.key, name="../etc/kettle.md") == ["kettle.md", "0"]
    assert opening(packed(TEXT), document=KETTLE.key) == ["linked.md", "0"]


def test_a_damaged_text_of_a_link_is_one_line_and_the_document_is_asked_for() -> None:
    shown, _, line = opening(packed(TEXT)[:-4], document=KETTLE.key, name="kettle.md")

    assert shown == "missing"
    assert line.startswith("the text in the link cannot be opened: it is damaged, or was cut off on its way")
    assert opening(packed(TEXT), document=KETTLE.key, name="kettle.zip")[0] == "missing"
    assert shared(open_page(document=KETTLE.key, name="kettle.md"))["missing"] == KETTLE.key
