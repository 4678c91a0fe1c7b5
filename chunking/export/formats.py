"""Export of records as JSON lines, CSV or Markdown, in files that are complete or absent.

A text format is a header and a text for each record, so that a run can be written while it is cut.
"""

from __future__ import annotations

import csv
import io
import json
import os
import re
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import chain
from pathlib import Path
from typing import IO, TYPE_CHECKING, cast

from chunking.core import arrow_table
from chunking.core.arrow_table import COLUMNS, Row
from chunking.core.chunk import Part
from chunking.core.records import Record, json_line, records
from chunking.document import Document
from chunking.errors import OutputError, ReaderGoneError
from chunking.runtime.extras import missing
from chunking.runtime.whole_file import adding, replacing
from chunking.text.display import for_terminal

if TYPE_CHECKING:
    import pyarrow as pa  # type: ignore[import-untyped]
    from _typeshed import ReadableBuffer as Buffer


@dataclass(frozen=True, slots=True)
class TextFormat:
    """A format that is written one record at a time."""

    header: str
    piece: Callable[[Record], str]
    """One record as text, with its own line end."""


def _jsonl_piece(record: Record) -> str:
    return json_line(record) + "\n"


def chunks_as_json_lines(parts: Iterable[Part], document: Document) -> bytes:
    """The chunks among a run's parts, as `chunkscope run` prints them."""
    return "".join(_jsonl_piece(each) for each in records(parts, document) if each["type"] == "chunk").encode()


# ---- CSV ----

_FORMULA_START = ("=", "+", "-", "@", "\t", "\r", "'")


def csv_cell(value: object) -> object:
    """A value as a CSV cell. Lists and mappings are JSON; null is empty; text cannot be a formula.

    Spreadsheets run a cell that begins with = + - @ TAB or CR, and documents are full of lines that
    begin with `-`. Such a cell gets an apostrophe in front; so does one that begins with an
    apostrophe, so that taking one leading apostrophe away always gives the text back.
    """
    if value is None or isinstance(value, int | float):
        return value
    text = value if isinstance(value, str) else _encoded(value)
    return f"'{text}" if text.startswith(_FORMULA_START) else text


_encoded = json.JSONEncoder(ensure_ascii=False, allow_nan=False).encode


def _csv_row(cells: Iterable[object]) -> str:
    row = io.StringIO()
    # Every text is quoted: before Python 3.13 the csv module leaves a cell with a lone CR bare,
    # which breaks the row.
    csv.writer(row, lineterminator="\n", quoting=csv.QUOTE_NONNUMERIC).writerow(cells)
    return row.getvalue()


def _csv_piece(record: Record) -> str:
    return _csv_row(csv_cell(record.get(column)) for column in COLUMNS)


# ---- Markdown ----

_MARKDOWN_PUNCTUATION = re.compile(r"([!-/:-@\[-`{-~])")
_CONTROL = re.compile("[\x00-\x1f\x7f-\x9f\u2028\u2029\ud800-\udfff]")


def _as_plain_markdown(text: str) -> str:
    """Text that Markdown shows as it is: on one line, no markup, no HTML."""
    return _MARKDOWN_PUNCTUATION.sub(r"\\\1", _CONTROL.sub(" ", text))


def _fenced(text: str) -> str:
    longest = max((len(run) for run in re.findall("`+", text)), default=0)
    fence = "`" * max(3, longest + 1)
    ended = text if text.endswith("\n") else text + "\n"
    return f"{fence}markdown\n{ended}{fence}\n"


def _markdown_piece(record: Record) -> str:
    """A heading with the chunk's number and breadcrumb, a line with why it ends, and the exact text
    in a fence that is long enough for it."""
    if record["type"] == "skip":
        where = f"characters {record['start']} to {record['end']}"
        return f"Left out, {where}: {_as_plain_markdown(record['rule'])}, {_as_plain_markdown(record['detail'])}\n\n"
    breadcrumb = " › ".join(_as_plain_markdown(title) for title in record["breadcrumb"])
    flags = "".join(f" · {_as_plain_markdown(flag['rule'])}" for flag in record["flags"])
    where = f"{_as_plain_markdown(record['document'])}, lines {record['start_line']} to {record['end_line']}"
    why = f"{_as_plain_markdown(record['rule'])}, {_as_plain_markdown(record['detail'])}"
    return (
        f"## {record['index']} · {breadcrumb}\n\n{where} · {record['tokens']} tokens{flags} · ends here: {why}\n\n"
        f"{_fenced(record['text'])}\n"
    )


TEXT_FORMATS = {
    "jsonl": TextFormat("", _jsonl_piece),
    "csv": TextFormat(_csv_row(COLUMNS), _csv_piece),
    "markdown": TextFormat("# Chunks\n\n", _markdown_piece),
}
FORMATS = (*TEXT_FORMATS, "parquet")
"""The formats of records; the HTML report and the SQLite store have their own."""


def to_bytes(text: str) -> bytes:
    """UTF-8; a lone surrogate, which no UTF-8 can hold, as its escape."""
    return text.encode("utf-8", "backslashreplace")


# ---- Parquet ----

_ROWS_AT_ONCE = 4096
"""Rows from which a row group is written."""


def check_parquet() -> None:
    """Raises OutputError where what writes Parquet is not installed."""
    if absent := missing("parquet"):
        raise OutputError(f"parquet: {absent}, or take --format jsonl")


def write_rows(documents: Iterable[Sequence[Row]], file: IO[bytes]) -> None:
    """Write the rows of documents to one file of Parquet, as `write_tables` writes the tables of
    each."""
    write_tables(chain.from_iterable(map(arrow_table.tables, _many(documents))), file)


def _many(documents: Iterable[Sequence[Row]]) -> Iterator[list[Sequence[Row]]]:
    """The documents in lists that have a row group of rows."""
    waiting: list[Sequence[Row]] = []
    rows = 0
    for document in documents:
        waiting.append(document)
        rows += len(document)
        if rows >= _ROWS_AT_ONCE:
            yield waiting
            waiting, rows = [], 0
    if waiting:
        yield waiting


def write_tables(tables: Iterable[pa.Table], file: IO[bytes]) -> None:
    """Write tables of records (core/arrow_table.py) to one file, in row groups of whole tables,
    4,096 rows or more."""
    import pyarrow as pa
    import pyarrow.parquet as pq  # type: ignore[import-untyped]

    with pq.ParquetWriter(file, arrow_table.schema(), compression="zstd") as writer:
        waiting: list[pa.Table] = []
        rows = 0
        for table in tables:
            waiting.append(table)
            rows += table.num_rows
            if rows >= _ROWS_AT_ONCE:
                writer.write_table(pa.concat_tables(waiting))
                waiting, rows = [], 0
        if waiting:
            writer.write_table(pa.concat_tables(waiting))


# ---- whole files ----


class _Terminal(io.BufferedIOBase):
    """A terminal that is given as a file: text reaches it without control characters."""

    def __init__(self, stream: IO[bytes]) -> None:
        self._stream = stream

    def writable(self) -> bool:
        return True

    def write(self, text: Buffer) -> int:
        """Write whole characters of UTF-8; returns the bytes that were given."""
        given = bytes(text)
        self._stream.write(to_bytes(for_terminal(given.decode("utf-8", "backslashreplace"))))
        return len(given)

    def flush(self) -> None:
        """Hand over what was written."""
        self._stream.flush()


@contextmanager
def whole_file(path: Path) -> Iterator[IO[bytes]]:
    """A file to write to that takes the place of `path` only when all is written; else `path` stays
    as it was.

    Written beside it, synced, then renamed. A link is followed. What is no file (a device, a pipe,
    /dev/stdout) is written to directly, and a terminal gets no control characters of a document.
    Raises OutputError, with the reason, when the path cannot be written; ReaderGoneError when a
    pipe's reader has gone.
    """
    with _said_of(path):
        if (stream := _stream(path)) is not None:
            with stream:
                yield cast(IO[bytes], _Terminal(stream)) if stream.isatty() else stream
            return
        target = Path(os.path.realpath(path))
        if target.is_dir():
            raise OutputError(f"{path}: is a folder; give -o a file name")
        with replacing(target) as file:
            yield file


@contextmanager
def part_file(path: Path) -> Iterator[IO[bytes]]:
    """As `whole_file`, for one of the many files of a run's folder. Raises OutputError."""
    with _said_of(path), adding(path) as file:
        yield file


@contextmanager
def _said_of(path: Path) -> Iterator[None]:
    """Raise what goes wrong with an output as OutputError, with the reason."""
    try:
        yield
    except BrokenPipeError as error:
        raise ReaderGoneError from error
    except OSError as error:
        place = os.path.dirname(os.path.realpath(path))
        if error.filename is not None and os.path.realpath(os.path.dirname(error.filename)) != place:
            raise
        raise OutputError(f"{path}: cannot be written ({error.strerror}); choose another place with -o") from error


_OPEN_ALREADY = re.compile(r"/dev/(stdout|stderr)|(?:/dev/fd|/proc/self/fd)/([0-9]{1,6})")


def _stream(path: Path) -> IO[bytes] | None:
    """A path opened to be written to directly; None for a file, whether it is there or not.

    What this process holds open already (/dev/stdout, a shell's `>(command)`) is taken as it is: a
    socket cannot be opened by its name, and a file that a shell opened to append to is appended to.
    """
    if open_already := _OPEN_ALREADY.fullmatch(os.fspath(path)):
        called, number = open_already.groups()
        if called == "stdout":
            sys.stdout.flush()
        return os.fdopen(os.dup(int(number or {"stdout": 1, "stderr": 2}[called])), "wb")
    is_stream = path.exists() and not path.is_file() and not path.is_dir()
    return path.open("wb") if is_stream else None
