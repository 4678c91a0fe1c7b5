"""One writer at a time for a folder whose engine lets two of them store one chunk twice."""

from __future__ import annotations

import os
import sys
from pathlib import Path

from chunking.errors import StoreError

if sys.platform != "win32":
    import fcntl

_NAME = ".chunkscope.lock"


class FolderLock:
    """Taken with the first write, and held until it is released or the process ends, in whatever
    way. On Windows there is none."""

    def __init__(self, folder: Path, shown: str) -> None:
        self._folder = folder
        self._shown = shown
        self._handle = -1

    def take(self) -> None:
        """Raises StoreError where another process writes."""
        if self._handle >= 0 or sys.platform == "win32":
            return
        self._folder.mkdir(parents=True, exist_ok=True)
        handle = os.open(self._folder / _NAME, os.O_RDWR | os.O_CREAT, 0o666)
        try:
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError as error:
            os.close(handle)
            raise StoreError(
                f"{self._shown}: is being written by another process; try again when that is done"
            ) from error
        self._handle = handle

    def release(self) -> None:
        """Let others write."""
        if self._handle >= 0:
            os.close(self._handle)
            self._handle = -1
