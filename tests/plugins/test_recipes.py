"""The recipes of CONTRIBUTING.md, each tried: what another package brings, found by its entry
points alone."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from contract import chunked
from hypothesis import given
from markdown_strategies import MARKDOWN
from streamlit.testing.v1 import AppTest

from chunking import Config, parse, strategies
from chunking.document import loaders
from chunking.document.loading import load_bytes, load_each
from chunking.errors import DocumentError
from pages.ui.choices.uploads import Upload, read_uploads
from pages.ui.layout import page_frame

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[1]
TABLE = b"drink\tminutes\ntea\t4\n"
AS_MARKDOWN = "| drink | minutes |\n| --- | --- |\n| tea | 4 |\n"


@pytest.fixture(autouse=True, scope="module")
def _installed() -> Iterator[None]:
    """As if the package in this folder were installed: its modules and its entry points can be
    found."""
    sys.path.insert(0, str(HERE))
    for known in (strategies._registry, loaders.loaders):
        known.cache_clear()
    yield
    sys.path.remove(str(HERE))
    for known in (strategies._registry, loaders.loaders):
        known.cache_clear()


@given(MARKDOWN)
def test_a_strategy_is_one_file_and_the_contract_holds_for_it(text: str) -> None:
    chunked(parse(text), Config.of("each-block", {"shortest": 5}))


def test_a_strategy_of_another_package_is_named_explained_and_cut_by_like_ours() -> None:
    run = chunked(parse("# Tea\n\nSteep it for four minutes.\n\nPour it.\n"), Config.of("each-block", {}))

    assert [chunk.ended_by.rule for chunk in run.chunks] == ["block", "end"]
    assert run.chunks[0].text == "# Tea\n\nSteep it for four minutes."


def test_a_file_format_is_a_function_from_bytes_to_markdown(tmp_path: Path) -> None:
    (tmp_path / "tea.tsv").write_bytes(TABLE)
    (tmp_path / "tea.md").write_text("# Tea\n")
    (tmp_path / "tea.png").write_bytes(b"\x89PNG")

    documents = {each.name: each.text for each in load_each([tmp_path]) if not isinstance(each, DocumentError)}

    assert documents == {"tea.md": "# Tea\n", "tea.tsv": AS_MARKDOWN}
    assert load_bytes(TABLE, "tea.tsv").text == AS_MARKDOWN
    assert [source.text for source in read_uploads([Upload("tea.tsv", TABLE)])[0]] == [AS_MARKDOWN]


def test_what_a_loader_cannot_read_is_one_line_and_the_others_go_on(tmp_path: Path) -> None:
    (tmp_path / "bad.tsv").write_bytes(b"\xff")
    (tmp_path / "tea.tsv").write_bytes(TABLE)

    bad, good = load_each([tmp_path])

    assert isinstance(bad, DocumentError)
    assert str(bad).startswith(f"{tmp_path / 'bad.tsv'}: the loader of .tsv failed: UnicodeDecodeError: ")
    assert not isinstance(good, DocumentError)
    assert read_uploads([Upload("bad.tsv", b"\xff")])[1][0].startswith("bad.tsv: the loader of .tsv failed")


def test_the_command_line_finds_both_where_the_package_is_installed(tmp_path: Path) -> None:
    (tmp_path / "docs").mkdir()
    (tmp_path / "docs" / "tea.tsv").write_bytes(TABLE)
    (tmp_path / "config.yaml").write_text("chunkscope: 1\nstrategy: each-block\n")
    done = subprocess.run(
        [sys.executable, "-m", "chunking", "run", "config.yaml", "docs", "-o", "chunks.jsonl"],
        env={**os.environ, "PYTHONPATH": os.pathsep.join((str(ROOT), str(HERE)))},
        cwd=tmp_path,
        capture_output=True,
        text=True,
    )

    assert (done.returncode, done.stderr) == (0, "")
    assert "| tea | 4 |" in (tmp_path / "chunks.jsonl").read_text("utf-8")


def test_a_page_is_one_file_and_one_line_of_the_frame(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "pages").mkdir()
    for script in (ROOT / "app.py", *(ROOT / "pages").glob("[a-z]*.py")):
        shutil.copy(script, tmp_path / script.relative_to(ROOT))
    shutil.copy(HERE / "recipe_page.py", tmp_path / "pages" / "words.py")
    monkeypatch.setattr(page_frame, "_ROOT", tmp_path)
    monkeypatch.setattr(page_frame, "_PAGES", (*page_frame._PAGES, ("pages/words.py", "Words")))

    app = AppTest.from_file(str(tmp_path / "app.py"), default_timeout=120)
    app.switch_page("pages/words.py")
    app.query_params["document"] = "sample:10-an-api-reference.md"
    app.run()

    assert not app.exception
    words = (ROOT / "sample_docs" / "10-an-api-reference.md").read_text("utf-8").split()
    assert [(metric.label, metric.value) for metric in app.metric] == [("Words", f"{len(words):,}")]
