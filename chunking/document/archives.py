"""Zip and tar archives of documents, read in memory: nothing of them is ever written to disk.

Members whose extension folders take are documents, in the archive's order. Refused, in one line
each, while the others go on: names that lead out of the archive, links, devices, encrypted members,
archives in archives, a second member of the same name. What is hidden (`.git`, `__MACOSX/._a.md`)
or has another extension is passed over, as in folders.

The limits hold for the bytes that come out, whatever the archive says of itself.
"""

from __future__ import annotations

import bz2
import gzip
import io
import lzma
import re
import stat
import struct
import tarfile
import zipfile
import zlib
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from typing import IO

from chunking.document.loaders import extension_of, is_read
from chunking.errors import DocumentError
from chunking.text.display import counted, safe_name, shown_text

SUFFIXES = (".zip", ".tar", ".tar.gz", ".tgz", ".tar.bz2", ".tbz2", ".tar.xz", ".txz")

_DAMAGE = (
    zipfile.BadZipFile,
    tarfile.TarError,
    zlib.error,
    lzma.LZMAError,
    struct.error,
    EOFError,
    OSError,
    ValueError,
    LookupError,
    ArithmeticError,
    RuntimeError,
)
"""What the standard library raises for archives that are cut off, altered or nonsense."""

_LEAST = 1 << 20
"""Bytes that may always come out, whatever the ratio: a page of one letter packs to nothing."""
_PIECE = 1 << 20
_LONGEST_NAME = 1024
_MOST_LINES = 20
"""Members that are refused in a line of their own; of the others the last line has the number."""
_LARGEST_HEADER = 1 << 16
_XZ_MEMORY = 128 << 20
_XZ_PIECE = 1 << 13
_ENCRYPTED = 0x1
_DRIVE = re.compile(r"[A-Za-z]:")
_PAX_FIELDS = frozenset((b"path", b"size", b"GNU.sparse.name"))
_LONGEST_NUMBER = 10
_ABOUT_THE_NEXT = frozenset(
    (
        tarfile.XHDTYPE,
        tarfile.XGLTYPE,
        tarfile.SOLARIS_XHDTYPE,
        tarfile.GNUTYPE_LONGNAME,
        tarfile.GNUTYPE_LONGLINK,
    )
)


class _EndedError(DocumentError):
    """Nothing more of the archive is read."""


@dataclass(frozen=True, slots=True)
class Limits:
    """How much is read of one archive. All in bytes after unpacking, unless said."""

    member: int
    total: int
    members: int = 10_000
    """Entries of every kind, folders too."""
    ratio: int = 200
    """How many times larger than packed a member, and the whole, may be. Text packs to a tenth."""


@dataclass(frozen=True, slots=True)
class Member:
    """A document in an archive."""

    name: str
    """Its path in the archive, with `/`."""
    content: bytes


@dataclass(frozen=True, slots=True)
class _Entry:
    """One entry of an archive, not yet read."""

    name: str
    refused: str
    """Why it cannot be a document; empty for a file."""
    size: int
    """As the archive says."""
    packed: int
    """Bytes that it takes in the archive; 0 where they are not known."""
    open: Callable[[], IO[bytes]]


def is_archive(name: str) -> bool:
    """Whether a file of this name is read as an archive."""
    return name.lower().endswith(SUFFIXES) and not name.startswith(".")


def members(raw: bytes, name: str, called: str, limits: Limits) -> Iterator[Member | DocumentError]:
    """The documents of an archive by its bytes; in a member's place, why it is not read.

    `name` has the suffix that says what it is, `called` opens the messages. An archive that cannot
    be read further ends with one line about it: what came before was read.
    """
    lines = documents = 0
    try:
        for each in _members(raw, name, called, limits):
            lines += isinstance(each, DocumentError)
            documents += isinstance(each, Member)
            if isinstance(each, Member) or lines <= _MOST_LINES:
                yield each
    except DocumentError as error:
        yield error
        lines += 1
    except _DAMAGE as error:
        yield DocumentError(f"{called}: the archive is damaged or cut off ({_reason(error)}); pack it again")
        lines += 1
    if lines > _MOST_LINES:
        yield DocumentError(f"{called}: {counted(lines - _MOST_LINES, 'more member')} not read for such reasons")
    if not lines and not documents:
        yield DocumentError(f"{called}: no document in this archive")


def _members(raw: bytes, name: str, called: str, limits: Limits) -> Iterator[Member | DocumentError]:
    entries = _zip_entries(raw, called, limits) if name.lower().endswith(".zip") else _tar_entries(raw, called, limits)
    taken: set[str] = set()
    total = 0
    for number, entry in enumerate(entries, start=1):
        if number > limits.members:
            raise _too_many(called, limits)
        place = f"{called}/{shown_text(entry.name, 200)}"
        if problem := bad_name(entry.name):
            yield DocumentError(f"{place}: {problem}; it is not read")
            continue
        path = "/".join(part for part in entry.name.split("/") if part not in ("", "."))
        if not _is_wanted(path):
            continue
        path = safe_name(path)
        if problem := entry.refused or _refusal(path, entry, taken, limits):
            yield DocumentError(f"{place}: {problem}")
            continue
        taken.add(path)
        try:
            content = _read(entry, limits)
        except _EndedError:
            raise
        except DocumentError as error:
            yield DocumentError(f"{place}: {error}")
            continue
        except (zipfile.BadZipFile, zlib.error, EOFError) as error:
            if not entry.packed:  # of a tar, which is one stream
                raise
            yield DocumentError(f"{place}: damaged or cut off ({_reason(error)}); pack it again")
            continue
        total += len(content)
        if total > limits.total:
            raise _too_much(called, limits)
        if total > limits.ratio * len(raw) + _LEAST:
            raise _too_dense(called, limits)
        yield Member(path, content)


def _is_wanted(path: str) -> bool:
    """Whether a member is a document, or an archive, which is to be refused aloud."""
    *folders, base = path.split("/")
    if any(part.startswith(".") for part in (*folders, base)):
        return False
    return is_read(extension_of(base)) or is_archive(base)


def bad_name(name: str) -> str:
    """Why a name is not that of a file inside an archive or a folder; empty for a good one."""
    if name.startswith("/") or _DRIVE.match(name):
        return "a path from the root of a disk"
    if "\\" in name:
        return "a name with a backslash"
    if ".." in name.split("/"):
        return "a path that leads out of the archive"
    if "\0" in name or len(name) > _LONGEST_NAME:
        return "a name that no file has"
    return ""


def _refusal(path: str, entry: _Entry, taken: set[str], limits: Limits) -> str:
    """Why a file is refused before any of it is read; empty for one that is read."""
    if is_archive(path.rpartition("/")[2]):
        return "an archive in an archive is not read; unpack the outer one"
    if path in taken:
        return "the second of this name in the archive; only the first is read"
    return _size_problem(entry.size, limits) if entry.size > limits.member else ""


def _read(entry: _Entry, limits: Limits) -> bytes:
    """What is in a member. Raises DocumentError, without its name, over a limit."""
    most = min(limits.member, limits.ratio * entry.packed + _LEAST) if entry.packed else limits.member
    pieces, size = [], 0
    with entry.open() as file:
        while piece := file.read(_PIECE):
            pieces.append(piece)
            size += len(piece)
            if size > limits.member:
                raise DocumentError(_size_problem(size, limits))
            if size > most:
                raise DocumentError(f"unpacks to more than {limits.ratio} times its size; give the file itself")
    return b"".join(pieces)


def _size_problem(size: int, limits: Limits) -> str:
    return f"{size} bytes or more; at most {limits.member} are read, so split the file"


def _too_many(called: str, limits: Limits) -> _EndedError:
    return _EndedError(f"{called}: more than {limits.members} members; make several archives of it")


def _too_much(called: str, limits: Limits) -> _EndedError:
    return _EndedError(f"{called}: unpacks to more than {limits.total} bytes; make several archives of it")


def _too_dense(called: str, limits: Limits) -> _EndedError:
    return _EndedError(f"{called}: unpacks to more than {limits.ratio} times its size; give the files themselves")


def _reason(error: Exception) -> str:
    return shown_text(str(error) or type(error).__name__, 80)


# Zip


def _zip_entries(raw: bytes, called: str, limits: Limits) -> Iterator[_Entry]:
    # A bound on the entries of the table of contents, before any of them is made an object.
    if raw.count(b"PK\x01\x02") > 2 * limits.members:
        raise _too_many(called, limits)
    with zipfile.ZipFile(io.BytesIO(raw)) as archive:
        if len(archive.infolist()) > limits.members:
            raise _too_many(called, limits)
        for each in archive.infolist():
            if not each.is_dir():
                packed = max(1, min(each.compress_size, len(raw)))
                name = each.orig_filename
                yield _Entry(name, _zip_refusal(each), each.file_size, packed, partial(archive.open, each))


def _zip_refusal(entry: zipfile.ZipInfo) -> str:
    if kind := _kind(entry.external_attr >> 16):
        return kind
    if entry.flag_bits & _ENCRYPTED:
        return "it is encrypted; pack it without a password"
    if entry.compress_type not in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED):
        return "packed in a way that is not read; pack it with deflate, which every program has"
    return ""


def _kind(mode: int) -> str:
    """Why an entry is not a plain file, by its Unix mode; an archive made elsewhere has none."""
    kind = stat.S_IFMT(mode)
    if kind == stat.S_IFLNK:
        return "a link is not followed"
    return "" if kind in (0, stat.S_IFREG) else "this is not a file"


# Tar


def _tar_entries(raw: bytes, called: str, limits: Limits) -> Iterator[_Entry]:
    stream = _Counted(_unpacked(raw), len(raw), called, limits)
    # As a stream ("r|"): from the first byte to the last, nothing is sought or read twice.
    with tarfile.open(fileobj=stream, mode="r|", tarinfo=_Header, encoding="utf-8") as archive:
        for each in archive:
            archive.members = []  # type: ignore[attr-defined]  # which tarfile would keep
            if not each.isdir():
                yield _Entry(each.name, _tar_refusal(each), each.size, 0, partial(_open, archive, each))


def _open(archive: tarfile.TarFile, header: tarfile.TarInfo) -> IO[bytes]:
    file = archive.extractfile(header)
    if file is None:
        raise tarfile.ReadError("no file")
    return file


def _tar_refusal(header: tarfile.TarInfo) -> str:
    if header.issym() or header.islnk():
        return "a link is not followed"
    if header.issparse():
        return "a file with holes is not read; pack it without --sparse"
    return "" if header.isreg() else "this is not a file"


class _Header(tarfile.TarInfo):
    """A header of a tar. One that is damaged ends the archive aloud, where tarfile takes it for the
    end."""

    @classmethod
    def fromtarfile(cls, tarfile_: tarfile.TarFile) -> _Header:
        try:
            return super().fromtarfile(tarfile_)
        except tarfile.HeaderError as error:
            if isinstance(error, tarfile.EOFHeaderError):  # type: ignore[attr-defined]  # zeros: the end
                raise
            raise tarfile.ReadError(str(error)) from error

    @classmethod
    def frombuf(cls, buf: bytes | bytearray, encoding: str, errors: str) -> _Header:
        header = super().frombuf(buf, encoding, errors)
        if header.type in _ABOUT_THE_NEXT and header.size > _LARGEST_HEADER:
            raise tarfile.ReadError(f"a header of {header.size} bytes")
        if header.size < 0:
            raise tarfile.ReadError("a negative size")
        return header

    def _proc_pax(self, tarfile_: tarfile.TarFile) -> tarfile.TarInfo:
        """The next entry, as a pax header says of it: its name and its size.

        tarfile's own keeps every field of global headers and copies them for each entry, reads the
        table of a file with holes into memory, and looks for a charset in time that is the square
        of a run of digits, all within one call.
        """
        header = tarfile_.fileobj.read(self._block(self.size))[: self.size]  # type: ignore[attr-defined]
        lasting = tarfile_.pax_headers
        fields = dict(lasting)
        has_holes = False
        for key, value in _pax_records(header):
            has_holes |= key.startswith(b"GNU.sparse.")
            if key in _PAX_FIELDS:
                fields[key.decode()] = value.decode("utf-8", "surrogateescape")
        if self.type == tarfile.XGLTYPE:
            lasting.update(fields)  # type: ignore[attr-defined]
        entry = self.fromtarfile(tarfile_)
        if has_holes:
            entry.sparse = []  # type: ignore[assignment]
        if self.type != tarfile.XGLTYPE:
            entry._apply_pax_info(fields, "utf-8", "surrogateescape")  # type: ignore[attr-defined]
            if "size" in fields:
                has_data = entry.isreg() or entry.type not in tarfile.SUPPORTED_TYPES
                data = entry._block(entry.size) if has_data else 0  # type: ignore[attr-defined]
                tarfile_.offset = entry.offset_data + data
        return entry

    def _proc_sparse(self, tarfile_: tarfile.TarFile) -> tarfile.TarInfo:
        """A file with holes, which is refused: the blocks of its table are passed over."""
        _, more, _ = self._sparse_structs  # type: ignore[attr-defined]
        while more:
            more = bool(tarfile_.fileobj.read(tarfile.BLOCKSIZE)[504])
        self.sparse = []  # type: ignore[assignment]
        self.offset_data = tarfile_.fileobj.tell()
        tarfile_.offset = self.offset_data + self._block(self.size)  # type: ignore[attr-defined]
        return self


def _pax_records(header: bytes) -> Iterator[tuple[bytes, bytes]]:
    """The keys and values of a pax header, of lines such as `16 path=guide.md`, where 16 is the
    line's length in bytes."""
    at = 0
    while header[at : at + 1].strip(b"\0"):
        number, blank, _ = header[at : at + _LONGEST_NUMBER].partition(b" ")
        end = at + int(number) if blank and number.isdigit() else 0
        if not at + len(number) + 1 < end <= len(header):
            raise tarfile.ReadError("a damaged header")
        key, _, value = header[at + len(number) + 1 : end - 1].partition(b"=")
        yield key, value
        at = end


def _unpacked(raw: bytes) -> io.BufferedIOBase:
    """The tar in these bytes, by what they begin with."""
    if raw.startswith(b"\x1f\x8b"):
        return gzip.GzipFile(fileobj=io.BytesIO(raw))
    if raw.startswith(b"BZh"):
        return bz2.BZ2File(io.BytesIO(raw))
    if raw.startswith(b"\xfd7zXZ\x00"):
        return io.BufferedReader(_Xz(raw))
    return io.BytesIO(raw)


class _Xz(io.RawIOBase):
    """An xz file, with a bound on the memory that its header asks for: LZMAFile has none."""

    def __init__(self, raw: bytes) -> None:
        self._file = io.BytesIO(raw)
        self._left = b""
        """Read of the file, not yet unpacked: what is behind a stream's end is copied each time."""
        self._made = lzma.LZMADecompressor(memlimit=_XZ_MEMORY)

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: bytearray | memoryview) -> int:  # type: ignore[override]
        piece = b""
        while not piece:
            if self._made.eof:
                self._left = self._made.unused_data.lstrip(b"\0")
                while not self._left:
                    packed = self._file.read(_XZ_PIECE)
                    if not packed:
                        return 0
                    self._left = packed.lstrip(b"\0")
                self._made = lzma.LZMADecompressor(memlimit=_XZ_MEMORY)
            elif self._made.needs_input and not self._left:
                self._left = self._file.read(_XZ_PIECE)
                if not self._left:
                    raise EOFError("ends in the middle")
            piece = self._made.decompress(self._left, len(buffer))
            self._left = b""
        buffer[: len(piece)] = piece
        return len(piece)


class _Counted(io.RawIOBase):
    """What comes out of an archive, counted: over a limit it ends in a DocumentError."""

    def __init__(self, source: io.BufferedIOBase, packed: int, called: str, limits: Limits) -> None:
        self._source, self._called, self._limits = source, called, limits
        self._dense = limits.ratio * packed + _LEAST
        # Each member has a header and is filled up to a whole block.
        self._most = limits.total + 4 * tarfile.BLOCKSIZE * limits.members
        self._count = 0

    def read(self, size: int = -1) -> bytes:
        piece = self._source.read(size)
        self._count += len(piece)
        if self._count > self._dense:
            raise _too_dense(self._called, self._limits)
        if self._count > self._most:
            raise _too_much(self._called, self._limits)
        return piece
