"""Files that the app opens with: those of `chunkscope app FILE` or `chunkscope app FOLDER`,
followed on disk with --watch.

The command line puts their paths into environment variables, which the app's server reads.
"""

from __future__ import annotations

import json
import os
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

from chunking.document.archives import is_archive
from chunking.document.folders import FoundFile, PassedOver, Selection, find_files
from chunking.document.loaders import extension_of, text_of
from chunking.document.loading import bytes_of
from chunking.errors import DocumentError
from chunking.text.display import safe_name, shown_text

PATHS = "CHUNKSCOPE_FILES"
"""Environment variable with the paths, as a JSON list."""
WATCH = "CHUNKSCOPE_WATCH"
"""Environment variable: 1 where the files are followed on disk."""
WEB_PAGES = "CHUNKSCOPE_WEB_PAGES"
"""Environment variable: 1 where pages of the web may be added in the app, by this machine's
asking."""


class FileState(NamedTuple):
    """What tells one state of a file from another without reading it."""

    modified: int
    """In ns."""
    size: int


def variables_of(paths: Sequence[Path], *, watch: bool) -> Mapping[str, str]:
    """The environment variables that say which files to open."""
    return {PATHS: json.dumps([str(path.resolve()) for path in paths]), WATCH: "1" if watch else ""}


def files_to_open(passed_over: PassedOver | None = None) -> tuple[FoundFile, ...]:
    """The files to open, in the order of the command line, those of a folder by name, which begins
    in it. What a folder has that cannot be opened is left out, archives too; `passed_over` counts
    it."""
    found: list[FoundFile] = []
    passed_over = PassedOver() if passed_over is None else passed_over
    for path in map(Path, json.loads(os.environ.get(PATHS) or "[]")):
        if path.is_dir():
            for each in find_files([path], Selection(root=path), passed_over):
                if not isinstance(each, FoundFile):
                    passed_over.by_kind["that cannot be opened"] += 1
                elif is_archive(each.name):
                    passed_over.by_kind[extension_of(each.name)] += 1
                else:
                    found.append(each)
        else:
            found.append(FoundFile(path, safe_name(path.name)))
    return tuple(found)


def watched() -> bool:
    """Whether they are followed on disk."""
    return os.environ.get(WATCH) == "1"


def web_pages_allowed() -> bool:
    """Whether the server's owner lets pages of the web be added."""
    return os.environ.get(WEB_PAGES) == "1"


def state_of(path: Path) -> FileState | None:
    """The file's present state; None where there is none."""
    try:
        status = path.stat()
    except OSError:
        return None
    return FileState(status.st_mtime_ns, status.st_size)


def read_given(path: Path) -> bytes:
    """The file's bytes. Raises DocumentError, one line, for what is not a document's file."""
    return bytes_of(FoundFile(path, safe_name(path.name)))


def check_given(path: Path) -> None:
    """Raises DocumentError, one line, for what the app could not open."""
    if path.is_dir():
        for found in find_files([path], Selection(root=path)):
            if isinstance(found, DocumentError):
                raise found
            return
    if is_archive(path.name):
        raise DocumentError(f"{shown_text(str(path), 200)}: is an archive; unpack it, or add it in the app")
    text_of(read_given(path), path.name, shown_text(str(path), 200))
