"""Chunks as other tools write them: their texts, what they say of their document, and where they
say they are.

Known are our own JSON lines and the native rows of LangChain, LlamaIndex, Haystack, chonkie,
Unstructured and docling; and whatever else has a text under one of their names.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from math import inf

from chunking.errors import GoldError
from chunking.imported.aligning import Claim
from chunking.imported.table_files import TEXTS, PlainRow, plain_rows
from chunking.text.display import shown
from chunking.text.spans import Span

_STARTS = ("start", "start_index", "start_char_idx", "split_idx_start", "start_offset")
_ENDS = ("end", "end_index", "end_char_idx", "end_offset")
_DOCUMENTS = ("document", "source", "file_path", "file_name", "filename", "file", "path")
_INSIDE = ("metadata", "meta", "origin", "data_source")
_WRAPPED = ("kwargs", "node", "text_resource")
"""Under which LangChain, LlamaIndex's answers and its newer nodes have what matters."""
KEYS = (*TEXTS, *_STARTS, *_ENDS, *_INSIDE)
"""What is read of an object that is no dict."""
_LARGEST_OFFSET = 2**53 - 1
"""What no text reaches; JSON's whole numbers are exact up to there."""


@dataclass(frozen=True, slots=True)
class Row:
    """A chunk as another tool gives it."""

    where: str
    """In its file, as "line 3"."""
    document: str
    """The name or path of the document that it says it is from; empty where it says none."""
    text: str
    """The whole text, as it is embedded."""
    claim: Claim


def read_rows(raw: bytes, called: str) -> tuple[Row, ...]:
    """The chunks of a file. Raises GoldError that opens with `called`, the file's name."""
    found = [row_of(row, where, called) for where, row in plain_rows(raw, called)]
    rows = tuple(row for row in found if row is not None)
    if not rows:
        raise GoldError(f"{called}: has no chunks; each needs a text, as JSON lines or a table")
    return rows


def row_of(row: PlainRow, where: str, called: str) -> Row | None:
    """A chunk from plain values; None for a skip that our own `run --skips` wrote."""
    if row.get("type") == "skip":
        return None
    levels = list(_levels(row))
    text = next((level[key] for level in levels for key in TEXTS if isinstance(level.get(key), str)), None)
    if not isinstance(text, str):
        raise GoldError(f"{called}, {where}: is not a chunk; its text is missing, under one of: {', '.join(TEXTS)}")
    names = (level.get(key) for level in levels for key in _DOCUMENTS)
    document = next((name for name in names if isinstance(name, str) and name), "")
    try:
        return Row(where, document, text, _claim(row, text, levels))
    except _NoOffsetError as error:
        raise GoldError(f"{called}, {where}: {error}") from None


class _NoOffsetError(ValueError):
    """A number in the place of an offset that is none of any text, as a sentence."""


def _levels(row: PlainRow) -> Iterator[PlainRow]:
    """The row itself, what wraps its values, and what it says about itself."""
    waiting = [row]
    for level in waiting:
        yield level
        inner = (level.get(key) for key in (*_WRAPPED, *_INSIDE))
        waiting += [each for each in inner if isinstance(each, Mapping) and len(waiting) < 10]


def _claim(row: PlainRow, text: str, levels: Sequence[PlainRow]) -> Claim:
    """What of the text is said to be the document's, without context and closing, and where; with
    overlap and holes where the row has them, as ours do."""
    context, closing = (value if isinstance(value := row.get(key), str) else "" for key in ("context", "closing"))
    text = text.removeprefix(context).removesuffix(closing)
    start, end = (_first_offset(levels, keys) for keys in (_STARTS, _ENDS))
    if start is None:
        return Claim(text)
    if end is None:
        return Claim(text, ((start, None),))
    overlap, holes = _pairs("overlap", [row.get("overlap")]), _pairs("holes", row.get("holes"))
    edges = [start, *(edge for hole in holes for edge in (hole.start, hole.end)), end]
    if edges != sorted(edges):
        return Claim(text, ((start, end),))  # holes that are out of order: only the outer offsets are used
    kept = list(zip(edges[::2], edges[1::2], strict=True))
    pieces = [*((span.start, span.end) for span in overlap), *kept]
    return Claim(text, tuple((first, last) for first, last in pieces if first < last or not holes))


def _first_offset(levels: Iterable[PlainRow], keys: Sequence[str]) -> int | None:
    found = (_offset(key, level.get(key)) for level in levels for key in keys)
    return next((offset for offset in found if offset is not None), None)


def _offset(key: str, value: object) -> int | None:
    """An offset as tables have them, too: 12, 12.0 or "12"; None for anything else, such as
    LangChain's -1. Raises _NoOffsetError."""
    if isinstance(value, str) and value.isascii() and value.isdecimal():
        value = float(value)
    if isinstance(value, float) and (value.is_integer() or value == inf):
        _check(key, value)
        value = int(value)
    if type(value) is not int or value < 0:
        return None
    _check(key, value)
    return value


def _check(key: str, offset: float) -> None:
    """Raises _NoOffsetError for an offset that no text reaches."""
    if offset > _LARGEST_OFFSET:
        raise _NoOffsetError(
            f"{key} is {shown(offset)}, and no text has an offset over {_LARGEST_OFFSET:,}; correct it, or leave the "
            "offsets out, and chunks are placed by their text"
        )


def _pairs(key: str, value: object) -> list[Span]:
    """The pairs of whole numbers in a list, those that go forwards; nothing from anything else.
    Raises _NoOffsetError."""
    pairs = value if isinstance(value, list) else []
    lists = [pair for pair in pairs if isinstance(pair, list) and len(pair) == 2]
    whole = [pair for pair in lists if all(type(edge) is int for edge in pair) and 0 <= pair[0] < pair[1]]
    for _, end in whole:
        _check(key, end)
    return [Span(*pair) for pair in whole]


# ---- which rows are a document's ----


def rows_for(rows: Sequence[Row], name: str) -> tuple[Row, ...]:
    """The rows of a document: those that name it by its path, a part of it, or its base name with
    or without ending; of several such names the closest. Rows that name none are every
    document's."""
    named = {row.document for row in rows}
    closest = max((closeness(each, name) for each in named if each), default=0)
    taken = {each for each in named if not each or (closest and closeness(each, name) == closest)}
    return tuple(row for row in rows if row.document in taken)


def closeness(said: str, name: str) -> int:
    """How well a path fits a document's name: 4 for the same, 0 for another one."""
    said = said.replace("\\", "/")
    if said == name:
        return 4
    if f"/{said}".endswith(f"/{name}") or f"/{name}".endswith(f"/{said}"):
        return 3
    base, own = said.rpartition("/")[2], name.rpartition("/")[2]
    if base == own:
        return 2
    return int(bool(base) and _stem(base) == _stem(own))


def named_documents(rows: Iterable[Row]) -> tuple[str, ...]:
    """The names that rows give their documents, in their order."""
    return tuple(dict.fromkeys(row.document for row in rows if row.document))


def without_names(rows: Iterable[Row]) -> tuple[Row, ...]:
    """The rows, for a document that they call by another name."""
    return tuple(replace(row, document="") for row in rows)


def _stem(base: str) -> str:
    return base.rpartition(".")[0] or base
