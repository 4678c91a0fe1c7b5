"""CSV with long cells: Python's reader refuses one of over 131,072 characters unless it is told."""

from __future__ import annotations

import csv
import io
from collections.abc import Mapping, Sequence


def csv_table(text: str, delimiter: str = ",") -> tuple[Sequence[str], list[tuple[int, Mapping[str, str]]]]:
    """The columns of a CSV, and its rows by column with the number of the line where each ends,
    from 1. What has more cells than there are columns has them under None. Raises csv.Error."""
    before = csv.field_size_limit(len(text) + 1)
    try:
        reader = csv.DictReader(io.StringIO(text, newline=""), delimiter=delimiter, strict=True)
        rows: list[tuple[int, Mapping[str, str]]] = [(reader.line_num, row) for row in reader]
        return reader.fieldnames or (), rows
    finally:
        csv.field_size_limit(before)
