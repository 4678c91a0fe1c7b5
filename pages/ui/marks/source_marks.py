"""The marks of a document as its source shows them. No Streamlit."""

from __future__ import annotations

from chunking import Annotations, Run
from chunking.gold import coverages
from pages.ui.choices.marking import marked_of
from pages.ui.components.source_view.marks import Mark


def source_marks(run: Run, annotations: Annotations, *, drafts: bool = True) -> list[Mark]:
    """The marks as the source view draws them over this run; without `drafts` only those that
    nobody has to review."""
    marks = [mark for mark in marked_of(annotations) if drafts or not mark.draft]
    covered = coverages(run, [mark.span for mark in marks])
    return [
        Mark(mark.span, mark.kind, mark.question or "Must stay whole", not coverage.whole, mark.draft)
        for mark, coverage in zip(marks, covered, strict=True)
    ]
