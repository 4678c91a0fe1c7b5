"""What `run` writes to one file or to standard output, one document after another.

Made of a document's records where it was cut, so that with several workers only the writing is left
to the command's own process.
"""

from __future__ import annotations

import shutil
import sqlite3
from collections.abc import Iterable, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import IO, TYPE_CHECKING, cast

from chunking.cli.pipeline import CutDocument
from chunking.cli.terminal import flush, note, print_error, print_line
from chunking.config.config import Config
from chunking.core import arrow_table
from chunking.core.records import Record
from chunking.errors import OutputError
from chunking.export.formats import TEXT_FORMATS, to_bytes, whole_file, write_rows
from chunking.export.stored_chunks import StoredChunk, rows_of
from chunking.text.display import counted, shown_text

if TYPE_CHECKING:
    from chunking.export.store_filling import Stored


def made_of(records: Sequence[Record], format: str, *, skips: bool) -> object:
    """A document's records as this format has them: a text, rows of a store, or rows of Parquet,
    whose tables are made for many documents at once. What was left out only with `skips`."""
    wanted = [each for each in records if skips or each["type"] == "chunk"]
    if format == "parquet":
        return arrow_table.rows(wanted)
    return rows_of(wanted) if format == "sqlite" else "".join(map(TEXT_FORMATS[format].piece, wanted))


def write(cuts: Iterable[CutDocument[object]], format: str, output: Path | None, config: Config) -> None:
    """Write what `made_of` made of each document: to standard output without an `output`, and then
    handed over at each document's end, as readers see records as they come."""
    if output is None:
        print_line(TEXT_FORMATS[format].header, end="")
        for cut in cuts:
            # Not at once: where Python does not buffer (PYTHONUNBUFFERED), what a pipe does not
            # take of a large write is lost without a word.
            for line in cast(str, cut.made).splitlines(keepends=True):
                print_line(line, end="")
            flush()
        return
    with whole_file(output) as file:
        if format == "parquet":
            write_rows((cast("list[arrow_table.Row]", cut.made) for cut in cuts), file)
        elif format == "sqlite":
            announce_store(str(output), config)
            rows = (row for cut in cuts for row in cast("list[StoredChunk]", cut.made))
            for warning in _store(rows, file, output, config).notes:
                print_error(shown_text(warning, 1000))
        else:
            file.write(to_bytes(TEXT_FORMATS[format].header))
            for cut in cuts:
                file.write(to_bytes(cast(str, cut.made)))


def _store(rows: Iterable[StoredChunk], file: IO[bytes], output: Path, config: Config) -> Stored:
    """Write a store to a file that is open: where it is, or, for a pipe, from a temporary one."""
    from chunking.export.sqlite_store import write_store  # stores, with models, for those who want one

    place = getattr(file, "name", None)
    try:
        if isinstance(place, Path) and place.is_file():
            return write_store(rows, place, config, folder=output.parent)
        with TemporaryDirectory() as folder:
            store = Path(folder, "store")
            made = write_store(rows, store, config, folder=output.parent)
            with store.open("rb") as whole:
                shutil.copyfileobj(whole, file)
        return made
    except sqlite3.Error as error:
        raise OutputError(f"{output}: cannot be written ({error}); choose another place with -o") from error


def write_to_store(cuts: Iterable[CutDocument[object]], address: str, config: Config) -> None:
    """Put what `made_of` made of each document, as rows of a store, into the store at an
    address."""
    from chunking.export.open_stores import opened  # as in `_store`
    from chunking.export.store_filling import fill

    with opened(address) as store:
        announce_store(store.shown, config)
        made = fill(store, ((cut.name, cast("list[StoredChunk]", cut.made)) for cut in cuts), config)
        holds = store.count() if made.chunks else 0
    for warning in made.notes:
        print_error(shown_text(warning, 1000))
    said = f"{counted(made.chunks, 'chunk')} of {counted(made.documents, 'document')} stored"
    said += f", {counted(made.removed, 'former one')} removed" if made.removed else ""
    note(f"{store.shown}: {said}; it holds {counted(holds, 'chunk')}")


def announce_store(store: str, config: Config) -> None:
    """Say where the chunks go to be embedded, where that is a server."""
    from chunking.export.store_facts import embedding_of  # as in `_store`
    from chunking.models.requests import server_of

    embedding = embedding_of(config.strategy)
    if embedding.provider != "local":
        print_error(
            f"{store}: the text of every chunk is sent to {embedding.provider} at {server_of(embedding.provider)} "
            "to embed; what is remembered is not"
        )
