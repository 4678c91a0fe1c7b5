"""A run with sliders in a notebook, and the notebook of the docs."""

from __future__ import annotations

from pathlib import Path

import pytest

from chunking import Config, parse, run

ROOT = Path(__file__).resolve().parents[2]
TEXT = "# One\n\n" + "A sentence of words. " * 200


def test_a_slider_that_moves_cuts_the_document_again_and_a_value_that_cannot_be_is_said() -> None:
    pytest.importorskip("anywidget", reason="anywidget is not installed")
    from chunking.frameworks.notebook import live

    document, config = parse(TEXT, "one.md"), Config.of("fixed", {"chunkSize": 400, "chunkOverlap": 50})
    shown = live(document, config)
    assert [(each["name"], each["value"]) for each in shown.sliders] == [("chunk_size", 400), ("chunk_overlap", 50)]

    shown.moved = {"sequence": 1, "chunk_size": 200, "no_setting": 3}
    assert shown.config == config.with_settings({"chunkSize": 200})
    assert shown.run.fingerprint == run(document, shown.config).fingerprint
    assert f"{len(shown.run.chunks)} chunks" in shown.view
    assert (shown.answered, shown.problem) == (1, "")

    shown.moved = {"sequence": 2, "chunk_size": 40}
    assert "chunkOverlap" in shown.problem
    assert shown.config == config.with_settings({"chunkSize": 200})
    assert shown.answered == 2


def test_the_notebook_of_the_docs_runs_from_its_first_cell_to_its_last() -> None:
    nbformat = pytest.importorskip("nbformat", reason="nbformat is not installed")
    nbclient = pytest.importorskip("nbclient", reason="nbclient is not installed")
    pytest.importorskip("anywidget", reason="anywidget is not installed")
    notebook = nbformat.read(ROOT / "docs" / "notebook.ipynb", as_version=4)

    nbclient.NotebookClient(notebook, timeout=120, kernel_name="python3").execute()

    outputs = [str(output) for cell in notebook.cells if cell.cell_type == "code" for output in cell.outputs]
    assert any("keys.md cut by" in output for output in outputs)
