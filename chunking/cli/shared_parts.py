"""Parts that hold the records of many documents: what a worker of an engine writes of a batch."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from hashlib import sha256
from typing import TYPE_CHECKING

from chunking.cli.pipeline import cut_document
from chunking.cli.run_folder import Parts, entry_of
from chunking.config.proof import source_hash
from chunking.core.arrow_table import table
from chunking.core.records import Record
from chunking.document.folders import FoundFile
from chunking.document.loading import bytes_of
from chunking.errors import ChunkscopeError
from chunking.export.formats import whole_file, write_tables
from chunking.export.run_folder import Entry
from chunking.runtime.faults import document_fault
from chunking.runtime.run_limits import RunLimits, within

if TYPE_CHECKING:
    import pyarrow as pa  # type: ignore[import-untyped]

FORMAT = "parquet"
"""The format of shared parts."""
_FULL = 64 * 2**20
"""Bytes of records from which a part is written before its batch ends."""


@dataclass(frozen=True, slots=True)
class Asked:
    """A document that a worker is asked for. Travels to other machines."""

    found: FoundFile
    known: str = ""
    """The key under which it is finished already, if its bytes are as they were; else empty."""


@dataclass(frozen=True, slots=True)
class Done:
    """What a worker made of a document. Travels to other machines."""

    name: str
    entry: Entry | None = None
    """None for one that is as it was, and for one that was left out."""
    problem: str = ""
    """Why it was left out, in one line."""
    ends: bool = False
    """Whether this ends the run: a full disk, an API key that is not set."""
    said: tuple[str, ...] = ()
    """What was sent to servers, and warnings, one line each."""


@dataclass
class _Part:
    """What of a batch is not written yet."""

    entries: list[Done] = field(default_factory=list)
    tables: list[pa.Table] = field(default_factory=list)
    size: int = 0


def cut_batch(batch: Sequence[Asked], parts: Parts, limits: RunLimits) -> Iterator[Done]:
    """Cut each document of a batch, and write what was cut to one part, or to several where it is
    much. A part's name is a hash of the keys of its documents, so a batch that is done again writes
    the same."""
    if limits:
        table_of((), skips=parts.skips)  # what it loads (pyarrow) is not a document's work
    part = _Part()
    for asked in batch:
        said: list[str] = []
        work = partial(_cut, asked, parts, said.append)
        try:
            made = within(limits, work)
        except BaseException as error:
            yield _left_out(error, asked.found)
            continue
        if made is None:
            yield Done(asked.found.name)
            continue
        entry, table, warnings = made
        told = (*said, *(f"{entry.document}: {each}" for each in warnings))
        part.entries.append(Done(entry.document, entry, said=told))
        part.tables.append(table)
        part.size += table.nbytes
        if part.size >= _FULL:
            yield from _write(part, parts)
            part = _Part()
    yield from _write(part, parts)


def _cut(asked: Asked, parts: Parts, say: Callable[[str], None]) -> tuple[Entry, pa.Table, Sequence[str]] | None:
    """A document's line, its records and its warnings; None where it is as it was."""
    found = asked.found
    if asked.known:
        found = replace(found, content=bytes_of(found))  # read once
        if parts.key(found.name, source_hash(bytes_of(found))) == asked.known:
            return None
    cut = cut_document(found, parts.config, make=tuple, proven=True, progress=None, say=say)
    return entry_of(cut, parts), table_of(cut.made, skips=parts.skips), cut.warnings


def table_of(records: Sequence[Record], *, skips: bool) -> pa.Table:
    """The rows of a document in a part that it shares."""
    return table(each for each in records if skips or each["type"] == "chunk")


def _left_out(error: BaseException, found: FoundFile) -> Done:
    try:
        return Done(found.name, problem=str(document_fault(error, found.place)))
    except ChunkscopeError as ending:
        return Done(found.name, problem=str(ending), ends=True)


def _write(part: _Part, parts: Parts) -> list[Done]:
    """Write a part; its documents with where it is."""
    entries = [each.entry for each in part.entries if each.entry]
    if not entries:
        return []
    name = sha256("\0".join(each.key for each in entries).encode()).hexdigest()
    place = parts.place(name)
    try:
        place.parent.mkdir(parents=True, exist_ok=True)
        with whole_file(place) as file:
            write_tables(part.tables, file)
        size = place.stat().st_size
    except (ChunkscopeError, OSError) as error:
        problem = f"{place}: cannot be written ({error}); give -o a folder that every worker can write to"
        return [Done(each.document, problem=problem, ends=True) for each in entries]
    where = place.relative_to(parts.folder).as_posix()
    return [replace(each, entry=replace(each.entry, size=size, part=where)) for each in part.entries if each.entry]
