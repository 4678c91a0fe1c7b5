"""Storage of a person's marks: one JSON file for each text, in the user's data folder.

The file is named by the sha256 of the text, so a document keeps its marks when it is renamed or
moved; an edited text counts as another text. CHUNKSCOPE_DATA names another folder; with `off`,
marks are kept in memory only. Concurrent sessions do not overwrite each other: each change is
merged, under a lock, into what is on disk at that moment.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from threading import Lock

from chunking.document import Document
from chunking.errors import GoldError
from chunking.gold.mark_file import LARGEST, Edition, as_json, parsed, placed_again
from chunking.gold.marks import Annotations
from chunking.runtime.folders import user_folder
from chunking.runtime.made_once import once
from chunking.runtime.regular_file import opened_file
from chunking.runtime.whole_file import replacing

DATA_VARIABLE = "CHUNKSCOPE_DATA"
"""Environment variable that names the folder; `off` keeps marks in memory only."""
_MOST_READ = 64
"""Texts whose marks are held in memory as they were last read."""
_MOST_EDITIONS = 200
"""How many files, newest first, are searched for an earlier edition of a document."""


@dataclass(frozen=True, slots=True)
class _Read:
    stamp: tuple[int, int, int]
    """Modification time (ns), size and inode when it was read; it is read again when they
    change."""
    annotations: Annotations


class AnnotationStore:
    """The marks of all texts, in files in `folder`; in memory if it is None."""

    def __init__(self, folder: Path | None) -> None:
        self.folder = folder
        self._in_memory: dict[str, Annotations] = {}
        self._read: dict[str, _Read] = {}
        self._earlier: dict[str, tuple[Path, int, Edition | None]] = {}
        """By document name: its own file, the folder's modification time, and the marks found
        then."""
        self._lock = Lock()

    def read(self, document: Document) -> Annotations:
        """The marks of a text; none where there is no file yet. Raises GoldError for a malformed
        file."""
        key = document.text_hash
        if self.folder is None:
            stored = self._in_memory.get(key, Annotations())
        else:
            stored = self._from_file(self._file(self.folder, key), document)
        return _named(stored, document)

    def save(self, document: Document, before: Annotations, after: Annotations) -> Annotations:
        """Merge the change from `before` to `after` into the stored marks; returns the result.

        Raises GoldError for a malformed file, which is left as it is, and for one that cannot be
        written.
        """
        return self.change(document, lambda now: now.merged(document, before, after))

    def change(self, document: Document, changed: Callable[[Annotations], Annotations]) -> Annotations:
        """Replace the stored marks by `changed(marks)`, while no other session writes; returns
        them."""
        with self._lock:
            if self.folder is None:
                new = changed(self.read(document))
                self._in_memory[document.text_hash] = new
                return new
            file = self._file(self.folder, document.text_hash)
            try:
                file.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
                with _file_lock(file.with_suffix(".lock")):
                    new = changed(self.read(document))
                    with replacing(file, private=True) as part:
                        part.write(as_json(new, document))
            except OSError as error:
                raise GoldError(f"{file}: marks cannot be kept ({error.strerror}); {_ELSEWHERE}") from error
            return new

    def earlier(self, document: Document) -> Edition | None:
        """The marks of the newest other text of the same name, placed in this one by their quotes.

        None if there is no such text, or if most of its quotes are not found here: then it is not
        an earlier edition but another document. Raises GoldError if the folder cannot be read.
        """
        if self.folder is None:
            return None
        own = self._file(self.folder, document.text_hash)
        try:
            changed = own.parent.stat().st_mtime_ns
            if self._earlier.get(document.name, (own, 0))[:2] != (own, changed):
                others = [(file.stat().st_mtime_ns, file) for file in own.parent.glob("*.json") if file != own]
                newest = [file for _, file in sorted(others, reverse=True)[:_MOST_EDITIONS]]
                placed = (placed_again(file, document) for file in newest)
                found = next((each for each in placed if each is not None), None)
                if len(self._earlier) >= _MOST_READ:
                    self._earlier.clear()
                self._earlier[document.name] = (own, changed, found)
        except FileNotFoundError:
            return None
        except OSError as error:
            raise GoldError(f"{own.parent}: marks cannot be read ({error.strerror}); {_ELSEWHERE}") from error
        return self._earlier[document.name][2]

    def _file(self, folder: Path, key: str) -> Path:
        return folder / "marks" / f"{key}.json"

    def _from_file(self, file: Path, document: Document) -> Annotations:
        try:
            status = file.stat()
            stamp = (status.st_mtime_ns, status.st_size, status.st_ino)
            known = self._read.get(file.name)
            if known is None or known.stamp != stamp:
                with opened_file(file) as opened:
                    raw = opened.read(LARGEST + 1)
                if len(raw) > LARGEST:
                    raise GoldError(f"{file}: has more than {LARGEST} bytes; move it away to mark anew")
                known = _Read(stamp, parsed(raw, file, document))
                if len(self._read) >= _MOST_READ:
                    self._read.clear()
                self._read[file.name] = known
            return known.annotations
        except FileNotFoundError:
            return Annotations()
        except OSError as error:
            raise GoldError(f"{file}: marks cannot be read ({error.strerror}); {_ELSEWHERE}") from error


def store(owner: str = "") -> AnnotationStore:
    """This process's store, in the user's data folder; with `owner`, a name of letters and digits,
    that of one of several people, in a folder of its own there."""
    folder = data_folder()
    return _store(folder / "owners" / owner if folder and owner else folder, owner)


@once
def _store(folder: Path | None, owner: str) -> AnnotationStore:  # noqa: ARG001
    return AnnotationStore(folder)


_ELSEWHERE = f"name another folder in {DATA_VARIABLE}"


def data_folder() -> Path | None:
    """Where marks are: CHUNKSCOPE_DATA, else the platform's folder for data; None for `off` or
    without a home."""
    return user_folder("data", DATA_VARIABLE)


def _named(annotations: Annotations, document: Document) -> Annotations:
    """The marks under the document's present name: a file is found by the text, not by the name."""
    if all(each.document == document.name for each in (*annotations.questions, *annotations.rejected)):
        return annotations
    return Annotations().with_all(document, _renamed(annotations, document))


def _renamed(annotations: Annotations, document: Document) -> Annotations:
    questions = (replace(each, document=document.name) for each in annotations.questions)
    return Annotations(tuple(questions), annotations.whole, annotations.rejected)


@contextmanager
def _file_lock(path: Path) -> Iterator[None]:
    """Excludes other processes and threads with the same path. The lock ends with its process."""
    handle = os.open(path, os.O_RDWR | os.O_CREAT, 0o600)
    try:
        if sys.platform == "win32":
            import msvcrt

            msvcrt.locking(handle, msvcrt.LK_LOCK, 1)
        else:
            import fcntl

            fcntl.flock(handle, fcntl.LOCK_EX)
        yield
    finally:
        os.close(handle)
