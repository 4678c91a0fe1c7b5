"""Another tool's chunks of one document, each at its place: what an audit, a run and an evaluation
are made of."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from chunking.document import Document, Span
from chunking.imported.aligning import Aligner, By
from chunking.imported.offset_units import UNITS, OffsetReader, TextUnit
from chunking.imported.rows import Row
from chunking.text.spans import join_touching


@dataclass(frozen=True, slots=True)
class PlacedRow:
    """A chunk, and where it is."""

    row: Row
    spans: tuple[Span, ...]
    """In order, not touching; empty where it is nowhere in the document."""
    by: By

    def source(self, document: Document) -> str:
        """The text that the document has there."""
        return "".join(document[span] for span in self.spans)


@dataclass(frozen=True, slots=True)
class Placement:
    """All chunks of one document, in their file's order."""

    document: Document
    rows: tuple[PlacedRow, ...]
    unit: TextUnit
    """What most offsets count."""
    offsets: OffsetReader


def place_rows(rows: Sequence[Row], document: Document) -> Placement:
    """Find each chunk in the document (aligning.py)."""
    aligner = Aligner(document)
    found = aligner.place([row.claim for row in rows])
    placed = tuple(
        PlacedRow(row, tuple(span for span in join_touching(list(each.spans)) if isinstance(span, Span)), each.by)
        for row, each in zip(rows, found, strict=True)
    )
    return Placement(document, placed, aligner.unit if aligner.unit_known else UNITS[0], aligner.offsets)
