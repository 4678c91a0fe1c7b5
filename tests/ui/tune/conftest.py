"""A document with marks, for the tests of Tune."""

from __future__ import annotations

from pathlib import Path

import pytest

from chunking import Annotations, Span, parse
from chunking.gold.mark_store import store
from chunking.gold.questions import Question
from pages.ui.choices.samples import samples

TABLE = next(sample for sample in samples() if "table" in sample.name)


@pytest.fixture
def _marked(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The table's document with one question, whose answer is its first line, and its first word to
    stay whole."""
    monkeypatch.setenv("CHUNKSCOPE_DATA", str(tmp_path))
    document = parse(TABLE.text, name=TABLE.name)
    line = Span(0, TABLE.text.index("\n"))
    marks = Annotations((Question("What is it called?", TABLE.name, (line,)),), (Span(0, 5),))
    store().save(document, Annotations(), marks)
