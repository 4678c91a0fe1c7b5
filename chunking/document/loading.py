"""Files, folders and uploads -> Documents. A document that cannot be read is one line, and the
others go on.

Everything is read as Markdown, plain text too: a `.txt` without Markdown in it is one paragraph
after another. Which files of a folder are read is folders.py's to say, what they are called
names.py's. Loaders read other formats (loaders.py); the documents in a zip or tar
are read in their archive's place (archives.py).
"""

from __future__ import annotations

import os
import re
import stat
from collections.abc import Iterable, Iterator
from pathlib import Path

from chunking.document.archives import Limits, Member, is_archive, members
from chunking.document.folders import FoundFile, PassedOver, Selection, find_files, readable, reason
from chunking.document.loaders import extension_of, is_read, not_installed, text_of
from chunking.document.model import Document
from chunking.document.parser import parse
from chunking.document.source_files import SOURCE_EXTENSIONS
from chunking.document.text_rows import ENDINGS as TABLES
from chunking.document.text_rows import row_documents
from chunking.errors import DocumentError
from chunking.runtime.argument_types import require_type
from chunking.text.display import safe_name, shown_text

MAX_BYTES = 64 * 1024 * 1024
MAX_UNPACKED = 256 * 1024 * 1024
"""Bytes of all documents of one archive."""
MAX_UPLOADED = 1000
"""Members of an archive that is uploaded: each becomes a line to choose."""
MAX_NAME = 255
"""Characters of an upload's name; what file systems take."""

# "a.md:stream" names a hidden part of a.md on Windows; "Notes: today.md" is a name like any other.
_STREAM = re.compile(r"\.[^.:]+:")
_DRIVE = re.compile(r"[A-Za-z]:")


def _below(root: str | Path | None) -> Selection:
    return Selection(None if root is None else Path(root))


def bytes_of(found: FoundFile) -> bytes:
    """The bytes of a document, in a file or in an archive. Raises DocumentError: missing, no file,
    too large."""
    return _bytes_at(found.path) if found.content is None else found.content


def load(path: str | Path, encoding: str = "", *, root: str | Path | None = None) -> Document:
    """The document in a file, whatever its extension, or the only one of a folder or an archive.

    `root` is the folder where its name begins (names.py). Raises DocumentError: it cannot be read,
    or there are several.
    """
    require_type(path, (str, os.PathLike), "load takes a path, and parse(text) a text")
    found = list(find([path], _below(root)))
    if len(found) > 1:
        raise DocumentError(f"{shown_text(str(path), 200)}: {len(found)} documents; take load_all")
    if isinstance(found[0], DocumentError):
        raise found[0]
    return read(found[0], encoding)


def load_all(
    paths: str | Path | Iterable[str | Path], encoding: str = "", *, root: str | Path | None = None
) -> list[Document]:
    """The documents of a file, a folder or an archive, or of several: those of a folder sorted by
    name, those of an archive in its order. Raises DocumentError at the first bad one."""
    documents = []
    for loaded in load_each(paths, encoding, _below(root)):
        if isinstance(loaded, DocumentError):
            raise loaded
        documents.append(loaded)
    return documents


def load_each(
    paths: str | Path | Iterable[str | Path], encoding: str = "", selection: Selection | None = None
) -> Iterator[Document | DocumentError]:
    """As `load_all`, one after another; in a document's place, why it cannot be read."""
    for found in find([paths] if isinstance(paths, str | Path) else paths, selection):
        if isinstance(found, DocumentError):
            yield found
            continue
        try:
            yield read(found, encoding)
        except DocumentError as error:
            yield error


def find(
    paths: Iterable[str | Path], selection: Selection | None = None, passed_over: PassedOver | None = None
) -> Iterator[FoundFile | DocumentError]:
    """Where the documents of some files, folders and archives are. A file reached twice comes once;
    two of one name clash. `passed_over` counts what is not read of folders."""
    wanted = selection or Selection()
    for found in find_files(paths, wanted, passed_over):
        if isinstance(found, DocumentError):
            yield found
        elif is_archive(found.path.name):
            yield from _in_archive(found, wanted)
        elif wanted.text_column and extension_of(found.path.name) in TABLES:
            yield from _in_table(found, wanted)
        else:
            yield found


def _in_table(table: FoundFile, wanted: Selection) -> Iterator[FoundFile | DocumentError]:
    """The documents of a table, one for each row, each with its bytes."""
    try:
        raw = _bytes_at(table.path)
    except DocumentError as error:
        yield error
        return
    called, extension = shown_text(str(table.path), 200), extension_of(table.path.name)
    for each in row_documents(raw, extension, wanted.text_column, called, MAX_UNPACKED):
        if isinstance(each, DocumentError):
            yield each
        else:
            yield FoundFile(table.path, f"{table.name}/{each.name}", each.name, each.content)


def _in_archive(archive: FoundFile, wanted: Selection) -> Iterator[FoundFile | DocumentError]:
    """The documents of an archive, each with its bytes: it is unpacked once, as its documents are
    asked for."""
    try:
        raw = _bytes_at(archive.path)
    except DocumentError as error:
        yield error
        return
    called = shown_text(str(archive.path), 200)
    for each in members(raw, archive.path.name, called, Limits(MAX_BYTES, MAX_UNPACKED)):
        if isinstance(each, DocumentError):
            yield each
        elif wanted.wants(name := f"{archive.name}/{each.name}"):
            yield FoundFile(archive.path, name, each.name, each.content)


def read(found: FoundFile, encoding: str = "") -> Document:
    """The document at a place. Raises DocumentError: missing, no file, too large, or not text."""
    return read_from(bytes_of(found), found, encoding)


def read_from(raw: bytes, found: FoundFile, encoding: str = "") -> Document:
    """As `read`, of bytes that were read already. Raises DocumentError for what is not text."""
    return _document(raw, found.name, shown_text(found.place, 200), encoding, found.web_type)


def load_bytes(raw: bytes, name: str, encoding: str = "") -> Document:
    """The document in an upload. Its name is cut to the base name; its extension must be known, or
    absent."""
    called = upload_name(name)
    if len(raw) > MAX_BYTES:
        raise DocumentError(f"{shown_text(called)}: {_too_large(len(raw))}")
    return _document(raw, called, called, encoding)


def upload_name(name: str) -> str:
    """A stranger's file name, reduced to its last part and made printable. Raises DocumentError
    when nothing is left.

    Nothing is decoded (`%2e` stays) and nothing normalised. No extension (`README`, `.md`) is read
    as Markdown.
    """
    base = _base_name(name)
    if is_archive(base):
        raise DocumentError(f"{shown_text(base)}: an archive is not one document; unpack it and give one of its files")
    extension = extension_of(base)
    if extension and not is_read(extension) and extension not in SOURCE_EXTENSIONS:
        absent = not_installed(extension) or f"{shown_text(extension)} files are not supported. {readable()}"
        raise DocumentError(f"{shown_text(base)}: {absent}")
    return safe_name(base)


def archive_upload(raw: bytes, name: str, most: int) -> Iterator[Member | DocumentError] | None:
    """The documents of an upload that is an archive by its name, named as `find` names them and at
    most `most` bytes together; None for another. Raises DocumentError for a name that is none."""
    base = _base_name(name)
    if not is_archive(base):
        return None
    called = safe_name(base)
    found = members(raw, base, shown_text(base, 200), Limits(most, most, MAX_UPLOADED))
    return (
        each if isinstance(each, DocumentError) else Member(f"{called}/{each.name}", each.content) for each in found
    )


def _base_name(name: str) -> str:
    base = re.split(r"[/\\]", name)[-1]
    base = base[2:] if _DRIVE.match(base) else base
    if base in ("", ".", ".."):
        raise DocumentError(f"'{shown_text(name)}' is not the name of a file")
    if "\0" in base or _STREAM.search(base):
        raise DocumentError(f"'{shown_text(name)}' is not a name that every system allows; rename the file")
    if len(base) > MAX_NAME:
        raise DocumentError(f"{shown_text(base)}: a name of {len(base)} characters; at most {MAX_NAME} are taken")
    return base


def _document(raw: bytes, name: str, called: str, encoding: str, web_type: str | None = None) -> Document:
    text, conversion = text_of(raw, name, called, encoding, web_type)
    return parse(text, name, conversion)


def _bytes_at(path: Path) -> bytes:
    """The bytes of a document's file. Raises DocumentError: missing, no file, too large."""
    try:
        # Not blocking: a pipe that nobody writes to would hold us for ever.
        with open(path, "rb", opener=lambda name, flags: os.open(name, flags | getattr(os, "O_NONBLOCK", 0))) as file:
            status = os.fstat(file.fileno())
            if not stat.S_ISREG(status.st_mode):
                raise DocumentError(f"{_called(path)}: this is not a file; give a file or a folder")
            if status.st_size > MAX_BYTES:
                raise DocumentError(f"{_called(path)}: {_too_large(status.st_size)}")
            raw = file.read(status.st_size + 1)  # memory for MAX_BYTES would take longer than to read
            if len(raw) > status.st_size:
                raw += file.read(MAX_BYTES + 1 - len(raw))
    except (OSError, ValueError) as error:
        raise DocumentError(f"{_called(path)}: {reason(error)}") from None
    if len(raw) > MAX_BYTES:
        raise DocumentError(f"{_called(path)}: {_too_large(len(raw))}")
    return raw


def _called(path: Path) -> str:
    return shown_text(str(path), 200)


def _too_large(size: int) -> str:
    return f"{size} bytes; at most {MAX_BYTES} are read, so split the file"
