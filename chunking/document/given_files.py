"""Files that the app opens with: those of `chunkscope app FILE`, followed on disk with --watch.

The command line puts their paths into environment variables, which the app's server reads.
"""

from __future__ import annotations

import json
import os
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

from chunking.document.archives import is_archive
from chunking.document.folders import FoundFile
from chunking.document.loaders import text_of
from chunking.document.loading import bytes_of
from chunking.errors import DocumentError
from chunking.text.display import safe_name, shown_text

PATHS = "CHUNKSCOPE_FILES"
"""Environment variable with the paths, as a JSON list."""
WATCH = "CHUNKSCOPE_WATCH"
"""Environment variable: 1 where the files are followed on disk."""


class FileState(NamedTuple):
    """What tells one state of a file from another without reading it."""

    modified: int
    """In ns."""
    size: int


def variables_of(paths: Sequence[Path], *, watch: bool) -> Mapping[str, str]:
    """The environment variables that say which files to open."""
    return {PATHS: json.dumps([str(path.resolve()) for path in paths]), WATCH: "1" if watch else ""}


def files_to_open() -> tuple[Path, ...]:
    """The files to open, in the order of the command line."""
    paths = json.loads(os.environ.get(PATHS) or "[]")
    return tuple(Path(path) for path in paths)


def watched() -> bool:
    """Whether they are followed on disk."""
    return os.environ.get(WATCH) == "1"


def state_of(path: Path) -> FileState | None:
    """The file's present state; None where there is none."""
    try:
        status = path.stat()
    except OSError:
        return None
    return FileState(status.st_mtime_ns, status.st_size)


def read_given(path: Path) -> bytes:
    """The file's bytes. Raises DocumentError, one line, for what is no document's file."""
    return bytes_of(FoundFile(path, safe_name(path.name)))


def check_given(path: Path) -> None:
    """Raises DocumentError, one line, for what the app could not open."""
    if path.is_dir() or is_archive(path.name):
        kind = "a folder" if path.is_dir() else "an archive"
        raise DocumentError(f"{shown_text(str(path), 200)}: is {kind}; name files, or add it in the app")
    text_of(read_given(path), path.name, shown_text(str(path), 200))
