"""The parts of a run's folder read again: the tables of one that documents share, and a document's
chunks as a store takes them."""

from __future__ import annotations

import json
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING

from chunking.core.arrow_table import records_of
from chunking.errors import OutputError
from chunking.export.run_folder import Entry, place_of
from chunking.export.stored_chunks import StoredChunk, rows_of
from chunking.text.display import shown_text
from chunking.text.hashing import text_hash

if TYPE_CHECKING:
    from collections.abc import Iterable

    import pyarrow as pa  # type: ignore[import-untyped]

    from chunking.core.records import Record

READABLE = ("jsonl", "parquet")
"""The formats whose parts have all of a record."""


@lru_cache(maxsize=4)
def read_shared(place: Path) -> dict[str, pa.Table]:
    """The records of each document in a part that documents share, by name. Raises OSError, and
    ValueError for what is no such part."""
    import pyarrow.parquet as pq  # type: ignore[import-untyped]

    table = pq.read_table(place)
    names = table.column("document").to_pylist()
    found: dict[str, pa.Table] = {}
    start = 0
    for end in range(1, len(names) + 1):
        if end == len(names) or names[end] != names[start]:
            if names[start] in found:
                raise ValueError(f"has records of {names[start]} in two places")
            found[names[start]] = table.slice(start, end - start)
            start = end
    return found


def chunks_in(entry: Entry, folder: Path, format: str) -> list[StoredChunk]:
    """The chunks in a document's part, of one of the formats above. Raises OutputError, one line,
    for one that is not what the manifest says."""
    part = place_of(folder, entry.key, entry.part, format)
    called = shown_text(str(part), 200)
    try:
        chunks = rows_of(_parquet(part, entry) if format == "parquet" else _lines(part))
    except OSError as error:
        raise OutputError(f"{called}: cannot be read ({error.strerror or error}); run again") from error
    except (ValueError, KeyError, TypeError, RecursionError) as error:
        raise OutputError(f"{called}: does not hold the records of {shown_text(entry.document)}; run again") from error
    listed = [(each.id, text_hash(each.text), each.tokens) for each in chunks]
    if [id for id, _, _ in listed] != [id for id, _, _ in entry.ids]:
        raise OutputError(f"{called}: holds other chunks than the manifest says; run again")
    if listed != [*entry.ids]:  # Parquet has no lone surrogates
        raise OutputError(f"{called}: holds other texts than the manifest says; run again, with --format jsonl")
    return chunks


def _lines(part: Path) -> Iterable[Record]:
    return (json.loads(line) for line in part.read_text("utf-8").split("\n") if line)


def _parquet(part: Path, entry: Entry) -> Iterable[Record]:
    if entry.part:
        table = read_shared(part).get(entry.document)
        return records_of(table) if table is not None else ()
    import pyarrow.parquet as pq

    return records_of(pq.read_table(part))
