"""Files of rows: JSON lines, JSON arrays, CSV and Parquet, each row as plain values by name.

The content decides which of them a file is, not its name.
"""

from __future__ import annotations

import ast
import csv
import io
import json
import re
from collections.abc import Iterator, Mapping
from pathlib import Path

from chunking.errors import DocumentError, GoldError
from chunking.runtime.extras import missing
from chunking.text.csv_table import csv_table
from chunking.text.decoding import decode
from chunking.text.display import shown_text
from chunking.text.reading import read_at_most

ENDINGS = (".jsonl", ".ndjson", ".json", ".csv", ".parquet")
"""Of the files that are read here."""
TEXTS = ("text", "page_content", "content", "chunk")
"""What the text of a chunk is called: by LlamaIndex, chonkie, Unstructured and docling; LangChain;
Haystack; in tables."""
LARGEST = 500_000_000
"""Maximum of bytes of a file of chunks."""
_LARGEST_CONFIG = 500_000
"""Bytes: more than any YAML that is read (yaml_io.py)."""
PlainRow = Mapping[str, object]

_PARQUET = b"PAR1"
_LINE_END = re.compile(r"\r\n|\n|\r")
_LONGEST_LITERAL = 100_000
"""Characters of a cell that is read as a Python dict."""


def read_file(path: Path) -> bytes:
    """The bytes of a file of chunks. Raises GoldError with its name when it cannot be read or is
    too large."""
    return read_at_most(path, LARGEST)


def is_parquet(raw: bytes) -> bool:
    """Whether a file is Parquet, by how it begins."""
    return raw.startswith(_PARQUET)


def plain_rows(raw: bytes, called: str) -> Iterator[tuple[str, PlainRow]]:
    """Each row with where it is, as "line 3". Raises GoldError, one line that opens with
    `called`."""
    if is_parquet(raw):
        return _parquet_rows(raw, called)
    try:
        text = decode(raw, called)
    except DocumentError as error:
        raise GoldError(str(error)) from None
    first = text.lstrip()[:1]
    if not first:
        return iter(())
    if first in ("{", "["):
        whole = _json(text)
        if whole is None and first == "{":
            return _json_lines(text, called)
        return _json_array(whole, called)
    return _csv_rows(text, called)


def is_config(raw: bytes) -> bool:
    """Whether a file that begins with a brace is a config of ours, which is YAML and so may be
    JSON."""
    may_be = len(raw) <= _LARGEST_CONFIG and raw.lstrip()[:1] == b"{"
    value = _json(raw.decode("utf-8", "replace")) if may_be else None
    return isinstance(value, dict) and "strategy" in value


def _json_lines(text: str, called: str) -> Iterator[tuple[str, PlainRow]]:
    for number, line in enumerate(_LINE_END.split(text), start=1):
        if line.strip():
            where = f"line {number}"
            yield where, _mapping(_json(line), f"{called}, {where}")


def _json_array(value: object, called: str) -> Iterator[tuple[str, PlainRow]]:
    """The rows of a list, of the one list of objects in an object, or the object as the only
    row."""
    rows = value
    if isinstance(value, dict):
        lists = [each for each in value.values() if isinstance(each, list) and each and isinstance(each[0], dict)]
        rows = lists[0] if len(lists) == 1 and not _has_text(value) else [value]
    if not isinstance(rows, list):
        raise GoldError(f"{called}: is neither JSON nor lines of JSON; write one object with a text for each chunk")
    for number, row in enumerate(rows, start=1):
        where = f"row {number}"
        yield where, _mapping(row, f"{called}, {where}")


def _has_text(value: PlainRow) -> bool:
    return any(isinstance(value.get(key), str) for key in TEXTS)


def _csv_rows(text: str, called: str) -> Iterator[tuple[str, PlainRow]]:
    try:
        columns, rows = csv_table(text)
    except csv.Error as error:
        raise GoldError(f"{called}: is not valid CSV ({error}); write JSON lines instead") from None
    if not set(TEXTS).intersection(columns):
        raise GoldError(
            f"{called}: is not a chunk file; it is not valid JSON, and as CSV it has no column "
            f"{', '.join(TEXTS)} for the text"
        )
    for line, row in rows:
        # More cells than columns come under None.
        yield f"line {line}", {key: _cell(value) for key, value in row.items() if isinstance(key, str)}


def _cell(value: object) -> object:
    """A cell as it was before it became text: a JSON object, or a dict as Python writes it."""
    if not isinstance(value, str) or value[:1] not in ("{", "["):
        return value
    found = _json(value)
    if found is None and len(value) <= _LONGEST_LITERAL:
        try:
            found = ast.literal_eval(value)
        except (ValueError, SyntaxError, RecursionError, MemoryError):
            return value
    return found if isinstance(found, dict | list) else value


def _parquet_rows(raw: bytes, called: str) -> Iterator[tuple[str, PlainRow]]:
    if absent := missing("parquet"):
        raise GoldError(f"{called}: is Parquet, and {absent}")
    import pyarrow as pa  # type: ignore[import-untyped]
    import pyarrow.parquet as pq  # type: ignore[import-untyped]

    try:
        number = 0
        for batch in pq.ParquetFile(io.BytesIO(raw)).iter_batches():
            for row in batch.to_pylist():
                number += 1
                yield f"row {number}", {key: _cell(value) for key, value in row.items()}
    except MemoryError:  # also Arrow's
        raise GoldError(f"{called}: takes too much memory to read; split the file") from None
    except (pa.ArrowException, OSError) as error:
        reason = shown_text(str(error).partition("\n")[0], 120)
        raise GoldError(f"{called}: is not whole Parquet ({reason}); write it again") from None


def _mapping(value: object, where: str) -> PlainRow:
    if not isinstance(value, dict):
        raise GoldError(f"{where}: is not a chunk; each is a JSON object with a text")
    return value


def _json(text: str) -> object:
    """A JSON value; None where it is none, or too deep."""
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        return None
