"""A file that is read, where something else may lie in its place."""

from __future__ import annotations

import errno
import os
import stat
from pathlib import Path
from typing import BinaryIO


def opened_file(file: Path, *, links: bool = True) -> BinaryIO:
    """A file to read, where it is one: no pipe or device is waited for, and without `links` no link
    is followed. Raises OSError."""
    flags = os.O_RDONLY | getattr(os, "O_BINARY", 0) | getattr(os, "O_NONBLOCK", 0)
    handle = os.open(file, flags | (0 if links else getattr(os, "O_NOFOLLOW", 0)))
    if not stat.S_ISREG(os.fstat(handle).st_mode):
        os.close(handle)
        raise OSError(errno.EINVAL, "it is not a file")
    return open(handle, "rb")
