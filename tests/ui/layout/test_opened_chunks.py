"""Another tool's chunks of the open document are opened like a config: Inspect shows them with
their audit, and they are offered wherever snapshots are."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from app_pages import address, html, open_page
from streamlit.testing.v1 import AppTest

from chunking.imported import chunks_in, hold
from chunking.imported.held import VARIABLE
from pages.ui.choices.samples import first_sample

SAMPLE = first_sample()
assert SAMPLE is not None
PARAGRAPHS = [each for each in SAMPLE.text.split("\n\n") if each.strip()]
THEIRS = "\n".join(json.dumps({"page_content": each, "metadata": {"source": "x.md"}}) for each in PARAGRAPHS[1:])


@pytest.fixture(autouse=True)
def _folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CHUNKSCOPE_DATA", str(tmp_path))


def opened(content: str, name: str = "theirs.jsonl") -> AppTest:
    uploader = open_page().file_uploader(key="config-file")
    return uploader.set_value([(name, content.encode(), "application/jsonl")]).run()


def test_opened_chunks_are_shown_with_their_audit_and_offered_as_a_baseline() -> None:
    app = opened(THEIRS)

    assert not app.exception
    assert address(app)["strategy"] == "imported"
    said = f"{len(PARAGRAPHS) - 1} chunks: {len(PARAGRAPHS) - 1} verbatim"
    assert f"Opened theirs.jsonl: {said}" in html(app)
    assert f'Audit</h2><span>theirs.jsonl</span></div>\n<p class="cs-note">{said}</p>' in html(app)
    assert "in no chunk: lines 1 to 4" in html(app)
    assert "no YAML can make them again" in html(app)
    assert "theirs.jsonl · Chunks made elsewhere" in app.selectbox(key="baseline").options


@pytest.mark.parametrize(
    ("content", "says"),
    [
        ('{"text": "Nothing of this is in the document that is open."}', "theirs.jsonl: none of its chunks is in"),
        ("just some words", "theirs.jsonl: is not a chunk file"),
    ],
)
def test_what_has_no_chunks_of_the_document_is_one_line_and_nothing_changes(content: str, says: str) -> None:
    app = opened(content)

    assert not app.exception
    assert says in html(app)
    assert address(app)["strategy"] != "imported"


def test_parquet_is_read_apart_so_that_a_small_file_of_many_gigabytes_is_one_line(tmp_path: Path) -> None:
    parquet, arrow = pytest.importorskip("pyarrow.parquet"), pytest.importorskip("pyarrow")
    repeated = arrow.DictionaryArray.from_arrays(arrow.array([0] * 60_000, arrow.int32()), arrow.array(["a" * 400_000]))
    bomb, good = tmp_path / "bomb.parquet", tmp_path / "theirs.parquet"
    parquet.write_table(arrow.table({"text": repeated}), bomb, store_schema=False, compression="zstd")
    parquet.write_table(arrow.table({"text": PARAGRAPHS[1:]}), good)
    assert bomb.stat().st_size < 1000

    def sent(file: Path) -> str:
        uploader = open_page().file_uploader(key="config-file")
        return html(uploader.set_value([(file.name, file.read_bytes(), "application/octet-stream")]).run())

    assert f"Opened theirs.parquet: {len(PARAGRAPHS) - 1} chunks: {len(PARAGRAPHS) - 1} verbatim" in sent(good)
    assert "bomb.parquet: takes too much memory to read; split the file" in sent(bomb)


def test_a_function_that_the_app_was_started_with_is_a_strategy_to_choose(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "splits_for_an_app_test.py").write_text("def split(text):\n    return text.split('\\n\\n')\n")
    monkeypatch.syspath_prepend(str(tmp_path))
    monkeypatch.setenv(VARIABLE, json.dumps(["splits_for_an_app_test:split"]))
    app = open_page()

    app.selectbox(key="strategy").set_value("chunks:splits_for_an_app_test:split").run()

    assert not app.exception
    assert address(app)["chunks"] == "splits_for_an_app_test:split"
    assert f"{len(PARAGRAPHS)} chunks: {len(PARAGRAPHS)} verbatim" in html(app)
    gone = open_page(strategy="imported", chunks="os:listdir")
    assert "the chunks of this view are not here" in html(gone)


def test_a_function_that_fails_is_named_with_what_is_shown_in_its_place(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    functions = "def good(text):\n    return [text]\ndef bad(text):\n    raise ValueError('no such page')\n"
    (tmp_path / "one_fails_in_an_app_test.py").write_text(functions)
    monkeypatch.syspath_prepend(str(tmp_path))
    names = [f"one_fails_in_an_app_test:{each}" for each in ("good", "bad")]
    monkeypatch.setenv(VARIABLE, json.dumps(names))
    app = open_page()
    app.selectbox(key="strategy").set_value(f"chunks:{names[0]}").run()

    app.selectbox(key="strategy").set_value(f"chunks:{names[1]}").run()

    assert not app.exception
    assert "one_fails_in_an_app_test:bad: ValueError: no such page" in html(app)
    assert "what is shown is cut by Every heading" in html(app)


def test_compare_shows_them_beside_a_config_of_ours_and_says_when_they_are_not_here() -> None:
    chunks = chunks_in(THEIRS.encode(), "theirs.jsonl")
    hold(chunks)
    there = open_page("pages/compare.py", a__strategy="hierarchical", b__strategy="imported", b__chunks=chunks.key)
    gone = open_page("pages/compare.py", a__strategy="hierarchical", b__strategy="imported", b__chunks="0" * 64)

    assert not there.exception
    assert not gone.exception
    assert f"{len(PARAGRAPHS) - 1} verbatim" in html(there)
    assert "the chunks of this view are not here; open their file again" in html(gone)
