"""Documents that an engine reads: files at URLs such as s3://bucket/docs/, and the rows of Parquet
there."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from pathlib import Path

from chunking.cli.daft_engine import DaftEngine
from chunking.cli.terminal import ErrorLog, print_error
from chunking.document.archives import is_archive
from chunking.document.folders import FoundFile, PassedOver, Selection
from chunking.document.loaders import extension_of
from chunking.document.loading import MAX_BYTES
from chunking.document.text_rows import ENDINGS as TABLES
from chunking.document.text_rows import parquet_documents
from chunking.errors import ChunkscopeError, DocumentError
from chunking.text.display import safe_name, shown_text

_WILD = re.compile(r"[*?\[{]")
_WEB = ("http://", "https://")


def is_remote(url: str) -> bool:
    """Whether this is a place that an engine reads, and not a page of the web."""
    return not url.lower().startswith(_WEB)


def remote_documents(
    engine: DaftEngine, urls: Sequence[str], wanted: Selection, errors: ErrorLog
) -> Iterator[FoundFile]:
    """The documents at some URLs of files, of folders, or with wildcards; what cannot be had is
    reported.

    Names begin behind the last folder that has no wildcard. Each row of a Parquet file is a
    document where the column of the texts is known.
    """
    passed_over = PassedOver()
    taken: dict[str, str] = {}
    for url in urls:
        try:
            for found in _below(engine, url, wanted, passed_over):
                if isinstance(found, DocumentError):
                    errors.report(found)
                elif found.name not in taken:
                    taken[found.name] = found.url
                    yield found
                elif taken[found.name] != found.url:  # the same one comes once
                    called = f"{taken[found.name]} is called {shown_text(found.name)} too"
                    errors.report(DocumentError(f"{found.url}: {called}; give the folder above both"))
        except ChunkscopeError as error:
            errors.report(error)
    if passed_over.by_kind:
        print_error(f"{passed_over}; a file that is named is read, and --include PATTERN brings a type")


def _below(
    engine: DaftEngine, url: str, wanted: Selection, passed_over: PassedOver
) -> Iterator[FoundFile | DocumentError]:
    files = engine.files(url)
    named = [each for each, _ in files] == [url]
    if not named and not _WILD.search(url):
        files = engine.files(f"{url.rstrip('/')}/**")
    if not files:
        yield DocumentError(f"{shown_text(url, 200)}: there is no such file or folder")
    start = len(_root(url, named=named))
    for place, size in files:
        name = safe_name(place[start:])
        base, extension = name.rpartition("/")[2], extension_of(name)
        if is_archive(base):
            yield DocumentError(f"{shown_text(place, 200)}: an archive is not read there; unpack it first")
        elif not named and not wanted.reads(base):
            passed_over.by_kind[extension or "without an extension"] += 1
        elif wanted.text_column and extension in TABLES:
            yield from _rows(engine, place, name, wanted.text_column)
        elif not wanted.wants(name):
            continue
        elif size is not None and size > MAX_BYTES:
            yield DocumentError(f"{shown_text(place, 200)}: {size} bytes; at most {MAX_BYTES} are read, split the file")
        else:
            yield FoundFile(Path(name), name, url=place)


def _root(url: str, *, named: bool) -> str:
    """What stands before the names: the folder of a file, a folder itself, or the last folder
    before a wildcard."""
    if named:
        return url[: url.rfind("/") + 1]
    wild = _WILD.search(url)
    return url[: url.rfind("/", 0, wild.start()) + 1] if wild else f"{url.rstrip('/')}/"


def _rows(engine: DaftEngine, place: str, name: str, column: str) -> Iterator[FoundFile | DocumentError]:
    called = shown_text(place, 200)
    if extension_of(name) != ".parquet":
        yield DocumentError(f"{called}: of tables only Parquet is read there; fetch it first")
        return
    try:
        with engine.opened(place) as file:
            for each in parquet_documents(file, column, called):
                if isinstance(each, DocumentError):
                    yield each
                else:
                    yield FoundFile(Path(name), f"{name}/{each.name}", each.name, each.content, url=place)
    except OSError as error:
        yield DocumentError(f"{called}: cannot be read ({shown_text(str(error), 200)})")
