"""What the source view's payload carries besides the run: marks, headings, tables, what a chosen
chunk is copied with."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from chunking import Document, Run
from pages.ui.components.source_view.marks import Mark, mark_columns, mark_labels
from pages.ui.components.source_view.payload import Further, SourceText, chunk_at, join_strings, source_text


def drawn_marks(marks: Sequence[Mark], source: SourceText, *, able: bool) -> Further:
    """The marks, and whether more can be made here."""
    if not marks:
        return Further(header={"marking": able})
    return Further(mark_columns(marks, source), {"markLabels": mark_labels(marks)}, {"marking": able})


def headings(document: Document) -> Further:
    """Where each heading of the outline starts, in code units, its level and its title: sent with
    the text, and kept with it."""
    found = document.headings
    starts = np.array([heading.span.start for heading in found], np.int64)
    levels = np.array([heading.level for heading in found], np.int64)
    columns = {"sections": source_text(document).to_units(starts), "sectionLevel": levels}
    return Further(columns, {"sectionTitles": join_strings(heading.title for heading in found)})


def tables(document: Document) -> Further:
    """Where the tables are that stand in no list or quote, in code units: their lines are not
    wrapped. Sent with the text, and kept with it."""
    found = [block for block in document.blocks if block.kind == "table"]
    source = source_text(document)
    return Further(
        {
            "tableStart": source.to_units(np.array([table.span.start for table in found], np.int64)),
            "tableEnd": source.to_units(np.array([table.content_end for table in found], np.int64)),
        }
    )


def copied_with(run: Run, selected: int | None) -> Further:
    """What stands before and after the chosen chunk's own text: the browser has the rest."""
    at = -1 if selected is None else chunk_at(run.chunks, selected)
    if at < 0:
        return Further()
    chunk = run.chunks[at]
    texts = {"context": chunk.context, "closing": chunk.closing}
    return Further(strings={name: text.encode("utf-8", "replace") for name, text in texts.items() if text})


def join(*parts: Further) -> Further:
    """Several as one; no two of them use the same name."""
    columns = {name: column for part in parts for name, column in part.columns.items()}
    strings = {name: text for part in parts for name, text in part.strings.items()}
    header = {name: value for part in parts for name, value in part.header.items()}
    return Further(columns, strings, header)
