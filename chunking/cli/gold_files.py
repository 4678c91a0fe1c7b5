"""Files of questions that commands are given, with a word on what was taken for what."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from chunking.cli.terminal import print_error
from chunking.document import Document
from chunking.gold.questions import Gold, load_gold
from chunking.text.display import shown_text


def gold_of(path: Path, documents: Sequence[Document], *, as_marks: bool = False) -> Gold:
    """As `load_gold`; on standard error it is said which other tool's form the file was taken
    for."""
    gold = load_gold(path, documents, as_marks=as_marks)
    if gold.taken_for:
        print_error(f"{shown_text(str(path), 200)}: taken for {shown_text(gold.taken_for, 500)}")
    return gold
