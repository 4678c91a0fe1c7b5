"""Records as a table of Arrow: one row each, lists as lists.

`metadata` and `front_matter` are JSON, because their keys differ by strategy and document.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Sequence
from functools import cache
from itertools import chain
from typing import TYPE_CHECKING, cast

from chunking.core.records import Record, SkipRecord, WrittenChunk

if TYPE_CHECKING:
    import pyarrow as pa  # type: ignore[import-untyped]

COLUMNS = (*WrittenChunk.__annotations__,)
"""The keys of docs/formats/json-lines.md in order, for chunks and skips alike; a skip leaves most
of them empty."""
_OF_A_SKIP = (*SkipRecord.__annotations__,)


@cache
def schema() -> pa.Schema:
    """The columns with their types."""
    import pyarrow as pa

    text, number, numbers = pa.string(), pa.int64(), pa.list_(pa.int64())
    special = {
        **dict.fromkeys(("index", "tokens", "body_tokens", "start", "end", "start_line", "end_line"), number),
        **dict.fromkeys(("hole_rules", "breadcrumb"), pa.list_(text)),
        "holes": pa.list_(numbers),
        **dict.fromkeys(("overlap", "pages", "returned"), numbers),
        "flags": pa.list_(pa.struct([("rule", text), ("detail", text)])),
    }
    return pa.schema([(column, special.get(column, text)) for column in COLUMNS])


Row = dict[str, object]
"""A record as a table has it, each value ready for its column."""


def table(records: Iterable[Record]) -> pa.Table:
    """The records as rows. A lone surrogate, which no UTF-8 can hold, becomes its escape."""
    return _table_of(rows(records))


def rows(records: Iterable[Record]) -> list[Row]:
    """Raises ValueError for a number in metadata that JSON does not have, such as NaN."""
    return [_row(record) for record in records]


def tables(documents: Sequence[Sequence[Row]]) -> Iterator[pa.Table]:
    """The table of each document's rows, of which many take half the time together."""
    of_all = _table_of([*chain.from_iterable(documents)])
    start = 0
    for document in documents:
        yield of_all.slice(start, len(document))
        start += len(document)


def _table_of(rows: list[Row]) -> pa.Table:
    import pyarrow as pa

    return pa.Table.from_pylist(rows, schema=schema())


def _row(record: Record) -> Row:
    row: Row = {key: _without_surrogates(value) for key, value in record.items()}
    if record["type"] == "chunk":
        row["metadata"] = _encoded(record["metadata"])
        row["front_matter"] = json.dumps(record["front_matter"])
    return row


_encoded = json.JSONEncoder(allow_nan=False).encode


def _without_surrogates(value: object) -> object:
    if isinstance(value, str):
        return value if value.isascii() else value.encode("utf-8", "backslashreplace").decode()
    return [_without_surrogates(each) for each in value] if isinstance(value, list) else value


def records_of(table: pa.Table) -> Iterator[Record]:
    """The records that the rows of such a table were made of; a lone surrogate stays an escape.
    Raises ValueError, KeyError or TypeError for another table."""
    for row in table.to_pylist():
        if row["type"] == "chunk":
            row["metadata"], row["front_matter"] = json.loads(row["metadata"]), json.loads(row["front_matter"])
        yield cast("Record", {key: row[key] for key in (COLUMNS if row["type"] == "chunk" else _OF_A_SKIP)})
