"""Chunks as other tools write them: their texts, what they say of their document, and where they
say they are.

Known are our own JSON lines and the native rows of LangChain, LlamaIndex, Haystack, chonkie,
Unstructured and docling; and whatever else has a text under one of their names.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from chunking.errors import GoldError
from chunking.imported.aligning import Claim
from chunking.imported.table_files import TEXTS, PlainRow, plain_rows
from chunking.text.spans import Span

_STARTS = ("start", "start_index", "start_char_idx", "split_idx_start", "start_offset")
_ENDS = ("end", "end_index", "end_char_idx", "end_offset")
_DOCUMENTS = ("document", "source", "file_path", "file_name", "filename", "file", "path")
_INSIDE = ("metadata", "meta", "origin", "data_source")
_WRAPPED = ("kwargs", "node", "text_resource")
"""Under which LangChain, LlamaIndex's answers and its newer nodes have what matters."""
KEYS = (*TEXTS, *_STARTS, *_ENDS, *_INSIDE)
"""What is read of an object that is no dict."""
_LARGEST_OFFSET = 1 << 40


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
    return Row(where, document, text, _claim(row, text, levels))


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
    overlap, holes = _pairs([row.get("overlap")]), _pairs(row.get("holes"))
    edges = [start, *(edge for hole in holes for edge in (hole.start, hole.end)), end]
    if edges != sorted(edges):
        return Claim(text, ((start, end),))  # holes that are out of order: only the outer offsets are used
    kept = list(zip(edges[::2], edges[1::2], strict=True))
    pieces = [*((span.start, span.end) for span in overlap), *kept]
    return Claim(text, tuple((first, last) for first, last in pieces if first < last or not holes))


def _first_offset(levels: Iterable[PlainRow], keys: Sequence[str]) -> int | None:
    found = (_offset(level.get(key)) for level in levels for key in keys)
    return next((offset for offset in found if offset is not None), None)


def _offset(value: object) -> int | None:
    """An offset as tables have them, too: 12, 12.0 or "12"; None for anything else, such as
    LangChain's -1."""
    if isinstance(value, str) and value.isascii() and value.isdecimal() and len(value) < 15:
        value = int(value)
    if isinstance(value, float) and value.is_integer():
        value = int(value)
    return value if type(value) is int and 0 <= value < _LARGEST_OFFSET else None


def _pairs(value: object) -> list[Span]:
    """The pairs of whole numbers in a list, those that go forwards; nothing from anything else."""
    pairs = value if isinstance(value, list) else []
    lists = [pair for pair in pairs if isinstance(pair, list) and len(pair) == 2]
    return [Span(*pair) for pair in lists if all(type(edge) is int for edge in pair) and 0 <= pair[0] < pair[1]]


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
