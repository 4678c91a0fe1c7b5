"""A file that is written whole, or stays as it was: the one way in which files are replaced."""

from __future__ import annotations

import os
import stat
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import IO


@contextmanager
def replacing(target: Path, *, private: bool = False) -> Iterator[IO[bytes]]:
    """A file to write to that takes the place of `target` once all is written.

    Written beside it, synced, then renamed. It has the permissions that `target` has, or that a new
    file gets; `private` leaves it to its owner only. Raises OSError.
    """
    handle, name = tempfile.mkstemp(prefix=f".{target.name[:64]}.", suffix=".part", dir=target.parent)
    try:
        with os.fdopen(handle, "wb") as file:
            yield file
            file.flush()
            os.fsync(file.fileno())
        if not private:
            os.chmod(name, _mode(target))
        os.replace(name, target)
    finally:
        with suppress(FileNotFoundError):
            os.unlink(name)


def _mode(target: Path) -> int:
    """The permissions the file had, or those a new file gets; a temporary file's own are for its
    owner only."""
    if target.exists():
        return stat.S_IMODE(target.stat().st_mode)
    mask = os.umask(0)
    os.umask(mask)
    return 0o666 & ~mask
