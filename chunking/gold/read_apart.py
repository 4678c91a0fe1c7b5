"""A stranger's file of questions, its rows read in a process of their own where it is large.

One call reads a JSON file, or a cell of a table: 50 MB would hold the interpreter, and so everybody
on the server, for seconds.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import fields
from threading import BoundedSemaphore

from chunking.document.converting import Limits, apart
from chunking.document.converting_process import TEXT
from chunking.errors import DocumentError, GoldError
from chunking.gold.question_rows import QuestionRow, rows_of
from chunking.text.decoding import decode

_SMALL = 500_000
"""Bytes that are read here: their reading is over in some hundredths of a second."""
_SECONDS, _MEGABYTES = 60, 2048
_MOST = 64 * 1024 * 1024
"""Characters of all rows of one file, as JSON."""
_MOST_ROWS = 100_000
_LONGEST_ROW = 1_000_000
"""Characters of one row as JSON, which one call reads."""
_AT_ONCE = BoundedSemaphore(1)
"""How many files are read at a time: each may take all that memory."""


def strangers_rows(raw: bytes, called: str, json_lines: bool) -> tuple[str, Iterable[QuestionRow]]:
    """As `rows_of` the text that the bytes are. Raises ChunkscopeError that opens with `called`."""
    if len(raw) <= _SMALL:
        return rows_of(decode(raw, called), called, json_lines)
    function, limits = f"{__name__}:rows_as_lines", Limits(_SECONDS, _MEGABYTES)
    more = (called, "json" if json_lines else "")
    try:
        with _AT_ONCE:
            said = apart(raw, function, called, "the reading of questions", *more, limits=limits)
    except DocumentError as error:
        line = str(error).removeprefix(f"{called}: ")  # what is wrong with a row opens with it already
        raise GoldError(line if line.startswith(called) else str(error)) from None
    return str(said["taken_for"]), (QuestionRow(*json.loads(line)) for line in said.lines())


def rows_as_lines(raw: bytes, called: str, json_lines: str) -> dict[str, object]:
    """The rows of a file, a line of JSON each, for the process that asked. Raises
    DocumentError."""
    lines: list[str] = []
    size = 0
    try:
        taken_for, rows = rows_of(decode(raw, called), called, bool(json_lines))
        for row in rows:
            line = json.dumps([getattr(row, each.name) for each in fields(row)], ensure_ascii=False)
            size += len(line)
            if len(line) > _LONGEST_ROW:
                raise DocumentError(
                    f"{called}, {row.where}: has over {_LONGEST_ROW:,} characters; shorten its references, or give the "
                    "file to `chunkscope evaluate`"
                )
            if size > _MOST or len(lines) == _MOST_ROWS:
                raise DocumentError(
                    f"{called}: has over {_MOST_ROWS:,} questions or {_MOST:,} characters of them; split it, or give "
                    "it to `chunkscope evaluate`, which takes any number"
                )
            lines.append(line)
    except GoldError as error:
        raise DocumentError(str(error)) from None
    return {"taken_for": taken_for, TEXT: "\n".join(lines)}
