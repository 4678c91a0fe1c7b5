"""Rows of a stranger's Parquet, read in a process of its own with limits: a few hundred bytes of it
can stand for many gigabytes, which the library that reads it takes in one call."""

from __future__ import annotations

import json
from threading import BoundedSemaphore

from chunking.errors import DocumentError, GoldError
from chunking.imported.table_files import is_parquet, plain_rows

_SECONDS, _MEGABYTES = 60, 2048
_MOST = 64 * 1024 * 1024
"""Characters of JSON that may come out of one file."""
_AT_ONCE = BoundedSemaphore(1)
"""How many files are read at a time: each may take all that memory."""


def without_parquet(raw: bytes, called: str) -> bytes:
    """A file of chunks: of Parquet the same rows as a JSON array, of anything else the bytes as
    they are. Raises GoldError, one line that opens with `called`."""
    if not is_parquet(raw):
        return raw
    from chunking.document.converting import Limits, apart

    try:
        with _AT_ONCE:
            function, limits = f"{__name__}:as_json", Limits(_SECONDS, _MEGABYTES)
            said = apart(raw, function, called, "the reading of Parquet", limits=limits)
    except DocumentError as error:
        raise GoldError(str(error)) from None
    return str(said["rows"]).encode()


def as_json(raw: bytes) -> dict[str, object]:
    """The rows of a Parquet as a JSON array, for the process that asked. Raises DocumentError."""
    pieces, size = [], 0
    try:
        for _, row in plain_rows(raw, ""):
            piece = json.dumps(row, default=str, skipkeys=True)
            size += len(piece)
            if size > _MOST:
                raise DocumentError(f"its rows are more than {_MOST:,} characters; split the file")
            pieces.append(piece)
    except GoldError as error:
        raise DocumentError(str(error).removeprefix(": ")) from None
    return {"rows": f"[{','.join(pieces)}]"}
