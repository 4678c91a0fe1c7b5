"""Files, folders and uploads -> Documents. A document that cannot be read is one line, and the
others go on.

Everything is read as Markdown, plain text too: a `.txt` without Markdown in it is one paragraph
after another. In a folder, files with a known extension are read; a file that is named is read
whatever its extension. Hidden files and folders are passed over, links out of a folder are not
followed. Other packages' loaders read other formats (loaders.py); the documents in a zip or tar are
read in their archive's place (archives.py).
"""

from __future__ import annotations

import os
import re
import stat
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path

from chunking.document.archives import Limits, Member, is_archive, members
from chunking.document.loaders import EXTENSIONS, extension_of, is_read, loaders, text_of
from chunking.document.model import Document
from chunking.document.parser import parse
from chunking.errors import DocumentError
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


@dataclass(frozen=True, slots=True)
class FoundFile:
    """A document's place, not yet read."""

    path: Path
    name: str
    """Relative to the folder that was given, with `/`; the base name for a single file. In an
    archive, the archive's name and the path in it."""
    member: str = ""
    """The path in the archive that `path` is; empty for a file."""
    content: bytes | None = field(default=None, repr=False)
    """What is in a member, which was read with its archive."""

    @property
    def place(self) -> str:
        """Where it is, for messages."""
        return f"{self.path}/{self.member}" if self.member else str(self.path)


def bytes_of(found: FoundFile) -> bytes:
    """The bytes of a document, in a file or in an archive. Raises DocumentError: missing, no file,
    too large."""
    return _bytes_at(found.path) if found.content is None else found.content


def load(path: str | Path, encoding: str = "") -> Document | list[Document]:
    """One Document for a file; for a folder its documents, sorted by name, and for an archive its
    documents in its order. Raises DocumentError at a bad one."""
    if os.path.isdir(path) or is_archive(Path(path).name):
        return load_folder(path, encoding)
    return load_file(path, encoding)


def load_file(path: str | Path, encoding: str = "") -> Document:
    """The document in a file, whatever its extension."""
    return read(FoundFile(Path(path), safe_name(Path(path).name)), encoding)


def load_folder(path: str | Path, encoding: str = "") -> list[Document]:
    """The documents of a folder and the folders in it, sorted by name, or of an archive. Raises
    DocumentError at the first bad one."""
    documents = []
    for loaded in load_all([path], encoding):
        if isinstance(loaded, DocumentError):
            raise loaded
        documents.append(loaded)
    return documents


def load_all(paths: Iterable[str | Path], encoding: str = "") -> Iterator[Document | DocumentError]:
    """Every document of some files and folders, in their order; in a document's place, why it
    cannot be read."""
    for found in find(paths):
        if isinstance(found, DocumentError):
            yield found
            continue
        try:
            yield read(found, encoding)
        except DocumentError as error:
            yield error


def find(paths: Iterable[str | Path]) -> Iterator[FoundFile | DocumentError]:
    """Where the documents of some files, folders and archives are. A file reached twice comes once;
    two of one name clash."""
    for found in find_files(paths):
        if isinstance(found, DocumentError) or not is_archive(found.path.name):
            yield found
        else:
            yield from _in_archive(found)


def find_files(paths: Iterable[str | Path]) -> Iterator[FoundFile | DocumentError]:
    """As `find`, with an archive as the one file that it is."""
    taken: dict[str, Path] = {}
    for path in map(Path, paths):
        for found in _find_one(path):
            if isinstance(found, DocumentError):
                yield found
                continue
            before = taken.setdefault(found.name, found.path)
            if before is found.path:
                yield found
            elif not _same(before, found.path):
                yield DocumentError(
                    f"{shown_text(str(found.path), 200)}: {shown_text(str(before), 200)} is called "
                    f"{shown_text(found.name)} too; give the folder above both instead"
                )


def _in_archive(archive: FoundFile) -> Iterator[FoundFile | DocumentError]:
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
        else:
            yield FoundFile(archive.path, f"{archive.name}/{each.name}", each.name, each.content)


def read(found: FoundFile, encoding: str = "") -> Document:
    """The document at a place. Raises DocumentError: missing, no file, too large, or not text."""
    return read_from(bytes_of(found), found, encoding)


def read_from(raw: bytes, found: FoundFile, encoding: str = "") -> Document:
    """As `read`, of bytes that were read already. Raises DocumentError for what is not text."""
    return _document(raw, found.name, shown_text(found.place, 200), encoding)


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
    if extension and not is_read(extension):
        raise DocumentError(f"{shown_text(base)}: {shown_text(extension)} files are not supported. {_readable()}")
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


def _document(raw: bytes, name: str, called: str, encoding: str) -> Document:
    return parse(text_of(raw, name, called, encoding), name=name)


def _find_one(path: Path) -> Iterator[FoundFile | DocumentError]:
    if not os.path.isdir(path):
        yield FoundFile(path, safe_name(path.name))
        return
    empty = True
    for found in sorted(_walk(path), key=_order):
        empty = False
        yield found
    if empty:
        yield DocumentError(f"{shown_text(str(path), 200)}: no document in this folder. {_readable()}")


def _order(found: FoundFile | DocumentError) -> tuple[str, str]:
    return (found.name, "") if isinstance(found, FoundFile) else ("", str(found))


def _walk(root: Path) -> Iterator[FoundFile | DocumentError]:
    """The documents below a folder, unsorted. Linked folders are not entered: they lead out, or
    round in a circle."""
    problems: list[OSError] = []
    inside = os.path.realpath(root)
    for folder, folders, files in os.walk(root, onerror=problems.append):
        folders[:] = [each for each in folders if not each.startswith(".")]
        for each in files:
            path = Path(folder, each)
            if each.startswith(".") or not (is_read(extension_of(each)) or is_archive(each)):
                continue
            if _leads_out(path, inside):
                yield DocumentError(f"{shown_text(str(path), 200)}: a link out of the folder; name the file itself")
            else:
                yield FoundFile(path, safe_name(path.relative_to(root).as_posix()))
        for each in folders:
            if _leads_out(path := Path(folder, each), inside):
                yield DocumentError(f"{shown_text(str(path), 200)}: a link out of the folder; name its target too")
    for problem in problems:
        yield DocumentError(f"{shown_text(str(problem.filename), 200)}: {_reason(problem)}")


def _leads_out(path: Path, inside: str) -> bool:
    """Whether a link's target is outside the folder, by its real path."""
    return path.is_symlink() and not Path(os.path.realpath(path)).is_relative_to(inside)


def _same(first: Path, second: Path) -> bool:
    try:
        return os.path.samefile(first, second)
    except (OSError, ValueError):
        return first == second


def _bytes_at(path: Path) -> bytes:
    """The bytes of a document's file. Raises DocumentError: missing, no file, too large."""
    called = shown_text(str(path), 200)
    try:
        # Not blocking: a pipe that nobody writes to would hold us for ever.
        with open(path, "rb", opener=lambda name, flags: os.open(name, flags | getattr(os, "O_NONBLOCK", 0))) as file:
            status = os.fstat(file.fileno())
            if not stat.S_ISREG(status.st_mode):
                raise DocumentError(f"{called}: this is not a file; give a file or a folder")
            if status.st_size > MAX_BYTES:
                raise DocumentError(f"{called}: {_too_large(status.st_size)}")
            raw = file.read(MAX_BYTES + 1)
    except (OSError, ValueError) as error:
        raise DocumentError(f"{called}: {_reason(error)}") from None
    if len(raw) > MAX_BYTES:
        raise DocumentError(f"{called}: {_too_large(len(raw))}")
    return raw


def _reason(error: OSError | ValueError) -> str:
    if isinstance(error, FileNotFoundError):
        return "there is no such file or folder"
    reason = error.strerror if isinstance(error, OSError) and error.strerror else str(error)
    return f"cannot be read ({shown_text(reason)})"


def _too_large(size: int) -> str:
    return f"{size} bytes; at most {MAX_BYTES} are read, so split the file"


def _readable() -> str:
    return f"Supported: {' '.join((*EXTENSIONS, *loaders()))}, also in a zip or tar"
