"""A stranger's file of chunks, read in a process of its own with limits where it is large or
Parquet.

A few hundred bytes of Parquet can stand for many gigabytes, which the library that reads it takes
in one call; 20 MB of JSON hold the interpreter, and so everybody on the server, for seconds.
"""

from __future__ import annotations

import json
from threading import BoundedSemaphore

from chunking.document.converting_process import TEXT
from chunking.errors import DocumentError, GoldError
from chunking.imported.aligning import Claim
from chunking.imported.rows import Row, read_rows
from chunking.imported.table_files import is_parquet

_SMALL = 500_000
"""Bytes of JSON or CSV that are read here: their reading is over in some hundredths of a second."""
_SECONDS, _MEGABYTES = 60, 2048
_MOST = 64 * 1024 * 1024
"""Characters of all rows of one file, as JSON."""
_MOST_ROWS = 100_000
"""A document of 50 MB has fewer chunks; what has more is let go in one call that keeps others
waiting."""
_LONGEST_ROW = 2_000_000
"""Characters of one row as JSON, which one call reads."""
_AT_ONCE = BoundedSemaphore(1)
"""How many files are read at a time: each may take all that memory."""


def strangers_rows(raw: bytes, called: str) -> tuple[Row, ...]:
    """As `read_rows`. Raises GoldError, one line that opens with `called`."""
    if len(raw) <= _SMALL and not is_parquet(raw):
        return read_rows(raw, called)
    from chunking.document.converting import Limits, apart

    function, limits = f"{__name__}:rows_as_lines", Limits(_SECONDS, _MEGABYTES)
    try:
        with _AT_ONCE:
            said = apart(raw, function, called, "the reading of chunks", called, limits=limits)
    except DocumentError as error:
        line = str(error).removeprefix(f"{called}: ")  # what is wrong with a row opens with it already
        raise GoldError(line if line.startswith(called) else str(error)) from None
    return tuple(_row(*json.loads(line)) for line in said.lines())


def _row(where: str, document: str, text: str, claimed: str, pieces: list[tuple[int, int | None]]) -> Row:
    return Row(where, document, text, Claim(claimed, tuple((first, last) for first, last in pieces)))


def rows_as_lines(raw: bytes, called: str) -> dict[str, object]:
    """The rows of a file, a line of JSON each, for the process that asked. Raises
    DocumentError."""
    lines, size = [], 0
    try:
        rows = read_rows(raw, called)
    except GoldError as error:
        raise DocumentError(str(error)) from None
    if len(rows) > _MOST_ROWS:
        raise DocumentError(f"has {len(rows):,} chunks; the app takes {_MOST_ROWS:,} of one file, so split it")
    for row in rows:
        line = json.dumps([row.where, row.document, row.text, row.claim.text, row.claim.pieces], ensure_ascii=False)
        if len(line) > _LONGEST_ROW:
            raise DocumentError(f"{row.where}: has over {_LONGEST_ROW:,} characters; the app takes none so long")
        size += len(line)
        if size > _MOST:
            raise DocumentError(f"its chunks are more than {_MOST:,} characters; split the file")
        lines.append(line)
    return {TEXT: "\n".join(lines)}
