"""CSV, JSON lines and Parquet whose rows are documents: the text of each stands in one column.

A row's document is called as if the file were a folder: `texts.csv/row-17`, rows from 1 without a
CSV's head. Nothing of a text is changed.
"""

from __future__ import annotations

import csv
import io
import json
import re
from collections.abc import Iterator, Mapping
from typing import IO

from chunking.document.archives import Member
from chunking.errors import DocumentError
from chunking.runtime.extras import missing
from chunking.text.decoding import decode
from chunking.text.display import counted, shown_text

ENDINGS = (".csv", ".tsv", ".jsonl", ".ndjson", ".parquet")
_PARQUET = b"PAR1"
_LINE_END = re.compile(r"\r\n|\n|\r")
_MOST_LINES = 20
"""Rows that are refused in a line of their own; of the others the last line has the number."""


def row_documents(raw: bytes, extension: str, column: str, called: str, most: int) -> Iterator[Member | DocumentError]:
    """The document of each row, in order; in a row's place, why it has none. `called` opens the
    messages, and `most` is the bytes of all texts together."""
    yield from _documents(_values(raw, extension, column, called), called, most)


def parquet_documents(file: IO[bytes], column: str, called: str) -> Iterator[Member | DocumentError]:
    """As `row_documents`, of an open Parquet file of any size: it is read as its rows are asked
    for."""
    yield from _documents(_parquet(file, column, called), called, None)


def _documents(
    values: Iterator[tuple[int, str | DocumentError]], called: str, most: int | None
) -> Iterator[Member | DocumentError]:
    refused = read = 0
    try:
        for number, value in values:
            problem = value if isinstance(value, DocumentError) else None
            if problem is None:
                content = str(value).encode("utf-8", "surrogatepass")
                read += len(content)
                if most is not None and read > most:
                    yield DocumentError(f"{called}: its texts are more than {most} bytes; split the file")
                    return
                yield Member(f"row-{number}", content)
                continue
            refused += 1
            if refused <= _MOST_LINES:
                yield DocumentError(f"{called}, row {number}: {problem}")
    except DocumentError as error:
        yield error
    if refused > _MOST_LINES:
        yield DocumentError(f"{called}: {counted(refused - _MOST_LINES, 'more row')} without a text")


def _values(raw: bytes, extension: str, column: str, called: str) -> Iterator[tuple[int, str | DocumentError]]:
    """Each row's text, or why it has none, by its number. Raises DocumentError for a file that
    cannot be read further."""
    if raw.startswith(_PARQUET):
        yield from _parquet(io.BytesIO(raw), column, called)
        return
    text = decode(raw, called)
    if extension in (".jsonl", ".ndjson"):
        yield from _json_lines(text, column)
    else:
        yield from _csv(text, column, "\t" if extension == ".tsv" else "", called)


def _json_lines(text: str, column: str) -> Iterator[tuple[int, str | DocumentError]]:
    for number, line in enumerate(filter(str.strip, _LINE_END.split(text)), start=1):
        try:
            row = json.loads(line)
        except (ValueError, RecursionError):
            yield number, DocumentError("is not JSON")
            continue
        yield number, _text(row, column) if isinstance(row, Mapping) else DocumentError("is not a JSON object")


def _csv(text: str, column: str, delimiter: str, called: str) -> Iterator[tuple[int, str | DocumentError]]:
    head = _LINE_END.split(text, 1)[0]
    between = delimiter or max(",;\t", key=head.count)
    before = csv.field_size_limit(len(text) + 1)
    try:
        reader = csv.DictReader(io.StringIO(text, newline=""), delimiter=between, strict=True)
        _check_column(column, reader.fieldnames or (), called)
        rows = [_text(row, column) for row in reader]
    except csv.Error as error:
        raise DocumentError(f"{called}: is not valid CSV ({error})") from None
    finally:
        csv.field_size_limit(before)
    yield from enumerate(rows, start=1)


def _parquet(file: IO[bytes], column: str, called: str) -> Iterator[tuple[int, str | DocumentError]]:
    if absent := missing("parquet"):
        raise DocumentError(f"{called}: is Parquet, and {absent}")
    import pyarrow as pa  # type: ignore[import-untyped]
    import pyarrow.parquet as pq  # type: ignore[import-untyped]

    try:
        table = pq.ParquetFile(file)
        _check_column(column, table.schema_arrow.names, called)
        number = 0
        for batch in table.iter_batches(batch_size=256, columns=[column]):
            for row in batch.to_pylist():
                number += 1
                yield number, _text(row, column)
    except (pa.ArrowException, OSError) as error:
        reason = shown_text(str(error).partition("\n")[0], 120)
        raise DocumentError(f"{called}: is not whole Parquet ({reason})") from None


def _text(row: Mapping[str, object], column: str) -> str | DocumentError:
    value = row.get(column)
    if isinstance(value, str):
        return value
    found = "" if value is None else f"; it is {shown_text(json.dumps(value, default=str), 60)}"
    return DocumentError(f"{shown_text(column, 60)} is not a text{found}")


def _check_column(column: str, there: object, called: str) -> None:
    names = [str(each) for each in there] if isinstance(there, list | tuple) else []
    if column not in names:
        known = ", ".join(shown_text(each, 40) for each in names[:20])
        raise DocumentError(f"{called}: has no column {shown_text(column, 60)}; there are: {known}")
