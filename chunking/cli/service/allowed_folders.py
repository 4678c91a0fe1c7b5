"""The folders that `chunkscope mcp` was started with: nothing else is opened, whatever is asked.

A path is resolved first, with its links, and has to be below one of them; then it is opened part by
part without following a link, so that none that is put there in between leads out.
"""

from __future__ import annotations

import os
import stat
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Self

from chunking.document.archives import is_archive
from chunking.document.folders import FoundFile, Selection, find_files, reason
from chunking.document.loading import MAX_BYTES
from chunking.document.names import is_url
from chunking.errors import DocumentError
from chunking.text.display import shown_text

MOST_DOCUMENTS = 1000
"""Of one question."""
_LONGEST_PATH = 4096


@dataclass(frozen=True, slots=True)
class AllowedFolders:
    """Where documents may be read."""

    folders: tuple[str, ...]
    """Their real paths."""

    @classmethod
    def of(cls, given: Sequence[Path]) -> Self:
        """Raises DocumentError for what is no folder."""
        for each in given:
            if not each.is_dir():
                raise DocumentError(f"{shown_text(str(each), 200)}: is not a folder; name folders that may be read")
        return cls(tuple(dict.fromkeys(os.path.realpath(each) for each in given)))

    def documents(self, paths: Sequence[str], left_out: list[str] | None = None) -> list[FoundFile]:
        """The documents at some paths of files and folders, as `run PATH --root FOLDER` names them,
        not yet read; without archives. Raises DocumentError; `left_out` takes what a folder has
        that leads out of it."""
        found: dict[str, FoundFile] = {}
        for path in paths:
            folder, real = self._place(path)
            for each in find_files([real], Selection(root=Path(folder))):
                if isinstance(each, DocumentError) and not os.path.isdir(real):
                    raise each
                if isinstance(each, DocumentError):
                    (left_out if left_out is not None else []).append(str(each))
                elif not is_archive(each.path.name):
                    found.setdefault(str(each.path), each)
        if not found:
            raise DocumentError(f"{shown_text(', '.join(paths), 200)}: no document there that can be read")
        if len(found) > MOST_DOCUMENTS:
            raise DocumentError(f"{len(found):,} documents; at most {MOST_DOCUMENTS:,} at a time, so name fewer")
        return list(found.values())

    def document(self, path: str) -> FoundFile:
        """The only document at a path. Raises DocumentError."""
        found = self.documents([path])
        if len(found) != 1:
            raise DocumentError(f"{shown_text(path, 200)}: has {len(found):,} documents; name one of them")
        return found[0]

    def each_with_content(self, paths: Sequence[str], left_out: list[str]) -> Iterator[FoundFile]:
        """The documents at some paths with their bytes, read one after the other; `left_out` takes
        why one cannot be. Raises DocumentError."""
        for each in self.documents(paths, left_out):
            try:
                yield self.with_content(each)
            except DocumentError as error:
                left_out.append(str(error))

    def with_content(self, found: FoundFile) -> FoundFile:
        """A document with its bytes. Raises DocumentError."""
        return replace(found, content=self.content(str(found.path)))

    def content(self, path: str) -> bytes:
        """The bytes of a file. Raises DocumentError."""
        folder, real = self._place(path)
        label = shown_text(path, 200)
        try:
            with _opened(folder, os.path.relpath(real, folder)) as handle:
                status = os.fstat(handle)
                if not stat.S_ISREG(status.st_mode):
                    raise DocumentError(f"{label}: this is not a file")
                with open(handle, "rb", closefd=False) as file:
                    content = file.read(MAX_BYTES + 1)
        except (OSError, ValueError) as error:
            raise DocumentError(f"{label}: {reason(error)}") from None
        if len(content) > MAX_BYTES:
            raise DocumentError(f"{label}: more than {MAX_BYTES:,} bytes, which are read at most; split the file")
        return content

    def _place(self, path: str) -> tuple[str, str]:
        """The allowed folder that a path is below, and its real path. Says the same of what is not
        there and of what is elsewhere: nobody learns what other folders hold."""
        label = shown_text(path, 200)
        if is_url(path):
            raise DocumentError(f"{label}: pages of the web are not read here; name a file")
        if path and "\0" not in path and len(path) <= _LONGEST_PATH:
            for folder in self.folders:
                real = os.path.realpath(os.path.join(folder, path))
                below = os.path.relpath(real, folder)
                if below.split(os.sep)[0] == os.pardir or not os.path.exists(real):
                    continue
                if below != os.curdir and any(part.startswith(".") for part in below.split(os.sep)):
                    raise DocumentError(f"{label}: hidden files are not read")
                return folder, real
        allowed = ", ".join(shown_text(each, 80) for each in self.folders)
        raise DocumentError(f"{label}: is not in a folder that may be read; there are: {allowed}")


@contextmanager
def _opened(folder: str, below: str) -> Iterator[int]:
    """A file below a folder, opened without following any link. Raises OSError."""
    flags = os.O_RDONLY | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0)
    *parents, name = below.split(os.sep)
    handle = os.open(folder, os.O_RDONLY)
    try:
        for each in parents:
            inner = os.open(each, flags | getattr(os, "O_DIRECTORY", 0), dir_fd=handle)
            os.close(handle)
            handle = inner
        inner = os.open(name, flags, dir_fd=handle)
        os.close(handle)
        handle = inner
        yield handle
    finally:
        os.close(handle)
