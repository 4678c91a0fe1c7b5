"""A config is opened from a YAML, kept under a name, and found again where configs are chosen."""

from __future__ import annotations

from pathlib import Path

import pytest
from app_pages import address, html, open_page
from streamlit.testing.v1 import AppTest

from chunking import Config
from pages.ui.server import owners

YAML = Config.of("fixed", {"chunkSize": 321}).to_yaml()


@pytest.fixture(autouse=True)
def _folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CHUNKSCOPE_DATA", str(tmp_path))


def opened(text: str, name: str = "chunks.yaml", app: AppTest | None = None) -> AppTest:
    """Inspect once this file came into the uploader for configs."""
    uploader = (app or open_page()).file_uploader(key="config-file")
    return uploader.set_value([(name, text.encode(), "application/yaml")]).run()


def snapshots_open(app: AppTest) -> AppTest:
    app.session_state["snapshots"] = True
    return app.run()


def kept(name: str, **query: str) -> AppTest:
    """Inspect with its list of snapshots, once its config was kept under this name."""
    app = snapshots_open(open_page(**query))
    app.text_input(key="snapshot-name").set_value(name)
    return app.button(key="snapshot-keep").click().run()


def test_an_opened_yaml_is_the_config_and_undo_brings_the_former_one_back() -> None:
    app = opened(YAML)

    assert not app.exception
    assert address(app)["strategy"] == "fixed"
    assert address(app)["chunkSize"] == "321"
    assert "Opened chunks.yaml. Undo brings the former settings back." in html(app)
    app.text_area(key="config-pasted").set_value("strategy: every-heading")
    app.button(key="use-config").click().run()
    assert address(app)["strategy"] == "every-heading"
    assert app.text_area(key="config-pasted").value == ""


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "a.yaml: the YAML is empty; write strategy: and a name"),
        ("strategy: fixd", "a.yaml: no strategy named &#39;fixd&#39;; did you mean &#39;fixed&#39;?"),
        ("strategy: fixed\nsettings:\n  chunkSize: -3", "a.yaml: chunkSize: -3 is below 1"),
        ("x: [", "a.yaml: line 1, column 5: not YAML"),
        ("a: &x 1", "a.yaml: line 1: anchors (&amp;) are not read"),
        ("strategy: fixed\ncounter: tokenizer.json:/etc/passwd", "a.yaml: counter: "),
        ("\x00\x01", "a.yaml: "),
    ],
)
def test_what_is_wrong_with_a_yaml_is_one_line_and_the_view_stays(text: str, said: str) -> None:
    app = open_page(strategy="recursive")

    opened(text, "a.yaml", app)

    assert not app.exception
    assert said in html(app)
    assert address(app)["strategy"] == "recursive"


def test_of_a_config_with_overrides_the_one_for_the_document_is_on_screen_and_the_others_are_said() -> None:
    yaml = "strategy: fixed\noverrides:\n  '01-*': {strategy: every-heading}\n  '*.txt': {chunkSize: 250}\n"
    app = opened(yaml, app=open_page(document="sample:01-headings-without-content.md"))
    assert address(app)["strategy"] == "every-heading"
    assert "These are the settings of its override 01-*." in html(app)

    app = opened(yaml, app=open_page(document="sample:02-a-huge-table.md"))
    assert address(app)["strategy"] == "fixed"
    assert "Its 2 overrides for other documents: on the page Corpus." in html(app)


def test_a_snapshot_is_there_in_later_sessions_as_a_baseline_and_as_a_row_of_compare() -> None:
    kept("before", strategy="fixed", chunkSize="321")
    app = open_page(strategy="recursive")

    assert app.selectbox(key="baseline").options[1] == "before · Fixed size"
    app.selectbox(key="baseline").set_value("snapshot:before").run()
    assert address(app)["was.chunkSize"] == "321"
    assert app.selectbox(key="baseline").value == "snapshot:before"
    app.selectbox(key="baseline").set_value("fixed").run()
    assert "was.chunkSize" in address(app)  # as it was left
    tune = open_page("pages/tune.py", strategy="recursive")
    tune.selectbox(key="strategy").set_value("snapshot:before").run()
    assert (address(tune)["strategy"], address(tune)["chunkSize"]) == ("fixed", "321")
    assert tune.selectbox(key="strategy").value == "snapshot:before"
    compare = open_page("pages/compare.py", a__strategy="every-heading", b__strategy="recursive")
    compare.selectbox(key="compare-strategy-A").set_value("snapshot:before").run()
    assert address(compare)["a.chunkSize"] == "321"
    assert not compare.exception


def test_snapshots_are_named_in_turn_used_renamed_and_removed() -> None:
    app = snapshots_open(open_page(strategy="fixed", chunkSize="321"))
    app.button(key="snapshot-keep").click().run()
    app.selectbox(key="strategy").set_value("recursive").run()
    app.button(key="snapshot-keep").click().run()
    assert app.selectbox(key="baseline").options[1:3] == ["v2 · Recursive", "v1 · Fixed size"]

    app.button(key="snapshot-v1-use").click().run()
    assert address(app)["chunkSize"] == "321"
    app.text_input(key="snapshot-v1-name").set_value("v2").run()
    assert "there is a snapshot named &#39;v2&#39;; choose another name" in html(app)
    app.text_input(key="snapshot-v1-name").set_value("before").run()
    app.button(key="snapshot-v2-remove").click().run()
    assert app.selectbox(key="baseline").options[1:2] == ["before · Fixed size"]


def test_a_damaged_file_of_snapshots_is_one_line_and_is_left_as_it_is(tmp_path: Path) -> None:
    (tmp_path / "snapshots.json").write_text("{")

    app = kept("before")

    assert "snapshots.json: is damaged" in html(app)
    assert (tmp_path / "snapshots.json").read_text() == "{"


def test_owners_have_their_own_snapshots(monkeypatch: pytest.MonkeyPatch) -> None:
    who = ["ann"]
    monkeypatch.setattr(owners, "_by_header", lambda: who[-1])
    kept("of ann")
    assert "of ann · Heading window" in open_page().selectbox(key="baseline").options
    for other in ("bob", ""):
        who.append(other)

        assert "of ann · Heading window" not in open_page().selectbox(key="baseline").options
