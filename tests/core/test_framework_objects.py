"""A run as a table and as a notebook shows it; as objects of other frameworks where those are
installed."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from importlib.util import find_spec

import pytest

from chunking import Config, Run, parse, run
from chunking.core import framework_objects
from chunking.core.arrow_table import COLUMNS
from chunking.core.notebook_view import MOST_CHUNKS
from chunking.errors import OutputError

TEXT = "# One\n\n" + "A sentence of words. " * 60 + "\n\n## Two <script>\n\n" + "Café, 🙂 and more. " * 60


@pytest.fixture(scope="module")
def cut() -> Run:
    return run(parse(TEXT, "guide/start.md"), Config.of("fixed", {"chunkSize": 120, "chunkOverlap": 0}))


def test_a_run_as_a_data_frame_has_a_row_for_each_chunk_and_the_columns_of_the_json_lines(cut: Run) -> None:
    pytest.importorskip("pandas", reason="pandas is not installed")
    frame = cut.to_dataframe()

    assert list(frame.columns) == list(COLUMNS)
    assert list(frame["text"]) == [chunk.text for chunk in cut.chunks]
    assert frame["tokens"].sum() == sum(chunk.tokens for chunk in cut.chunks)


def test_a_run_as_an_arrow_table_is_what_parquet_has(cut: Run) -> None:
    pytest.importorskip("pyarrow", reason="pyarrow is not installed")
    table = cut.to_arrow()

    assert table.column_names == list(COLUMNS)
    assert table.column("text").to_pylist() == [chunk.text for chunk in cut.chunks]
    assert [json.loads(each) for each in table.column("metadata").to_pylist()] == [dict(c.metadata) for c in cut.chunks]


def test_a_run_without_chunks_has_the_columns_all_the_same() -> None:
    pytest.importorskip("pandas", reason="pandas is not installed")
    pytest.importorskip("pyarrow", reason="pyarrow is not installed")
    nothing = run(parse("", "empty.md"), Config.of("fixed", {}))

    assert list(nothing.to_dataframe().columns) == list(COLUMNS)
    assert nothing.to_arrow().num_rows == 0


@pytest.mark.parametrize(
    ("module", "package", "convert"),
    [
        ("langchain_core", "langchain-core", Run.to_langchain),
        ("llama_index", "llama-index-core", Run.to_llama_index),
        ("haystack", "haystack-ai", Run.to_haystack),
    ],
)
def test_a_framework_that_is_not_installed_is_named_with_its_command(
    cut: Run, monkeypatch: pytest.MonkeyPatch, module: str, package: str, convert: Callable[[Run], object]
) -> None:
    monkeypatch.setattr(framework_objects, "find_spec", lambda name: None if name == module else find_spec(name))

    with pytest.raises(OutputError, match=f"^{package} is not installed; run pip install {package}$"):
        convert(cut)


def test_a_notebook_shows_the_first_chunks_and_counts_the_rest(cut: Run) -> None:
    shown = cut._repr_html_()

    assert len(cut.chunks) > MOST_CHUNKS
    assert shown.count("<pre") == MOST_CHUNKS
    assert f"and {len(cut.chunks) - MOST_CHUNKS} more" in shown
    assert f"{len(cut.chunks)} chunks" in shown


def test_a_notebook_never_gets_a_document_s_text_as_html_and_stays_short() -> None:
    hostile = (
        "# <img src=x onerror=alert(1)>\n\n" + "<script>alert('x')</script> \x1b[31m \u202e &amp; \ud800 " * 50_000
    )
    shown = run(parse(hostile, "<b>.md"), Config.of("heading-window", {}))._repr_html_()

    assert set(re.findall(r"</?([a-z0-9]+)", shown)) <= {"div", "p", "strong", "small", "pre", "code"}
    assert len(shown) < 20_000
    assert "\x1b" not in shown
    assert "\u202e" not in shown
    shown.encode()
