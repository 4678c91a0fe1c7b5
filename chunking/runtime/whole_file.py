"""A file that is written whole, or stays as it was: the one way in which files are replaced."""

from __future__ import annotations

import ctypes
import os
import re
import secrets
import stat
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import IO

if sys.platform != "win32":
    import fcntl

_REST = re.compile(r"[0-9a-z_]{8,16}\.part")
"""What stands behind the target's name in the name of a part file."""
_LONGEST_NAME = 48
"""Characters of the target's name that a part file repeats; a file name has at most 255 bytes."""
_CREATE = os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0) | getattr(os, "O_NOFOLLOW", 0)
_AT_ONCE = sys.platform == "linux"
"""Whether all of a disk can be synced at once, with what goes wrong as an error."""
_UNLOCKED_AGE = 3600
"""Seconds after which a part file counts as left behind, on Windows, where it has no lock."""


@contextmanager
def replacing(target: Path, *, private: bool = False) -> Iterator[IO[bytes]]:
    """A file to write to that takes the place of `target` once all is written. Its `name` is the
    path where it is until then.

    Written beside it, synced, then renamed. It has the permissions that `target` has, or that a new
    file gets; `private` leaves it to its owner only. What a process that was killed left behind of
    the same target is removed first. Raises OSError.
    """
    _sweep(target)
    part = target.with_name(f"{_prefix(target)}{secrets.token_hex(8)}.part")
    lock = -1
    try:
        with _new(part) as file:
            # Held by a second descriptor until the file has its name: nobody takes it for one that
            # was left behind.
            lock = _second_descriptor(file)
            yield file
            file.flush()
            os.fsync(file.fileno())
        if not private:
            os.chmod(part, _mode(target))
        os.replace(part, target)
    finally:
        with suppress(OSError):
            os.unlink(part)
        if lock >= 0:
            os.close(lock)


@contextmanager
def adding(target: Path) -> Iterator[IO[bytes]]:
    """As `replacing`, for one of very many files of a folder that one program fills, and clears
    later: no lock, no look through the folder for what was left behind, and not on the disk for
    sure before `on_disk` has been called. Makes the folder."""
    part = f"{target.parent}{os.sep}{_prefix(target)}{secrets.token_hex(8)}.part"
    try:
        with _new_in_folder(part) as file:
            yield file
            if not _AT_ONCE:
                file.flush()
                os.fsync(file.fileno())
        os.replace(part, target)
    except BaseException:
        with suppress(OSError):
            os.unlink(part)
        raise


def held_alone(file: IO[bytes]) -> bool:
    """Whether no other program, nor another descriptor of this one, holds this file; then this one
    does from now on, until it is closed. Where there are no locks nobody is kept out."""
    if sys.platform != "win32":
        try:
            fcntl.flock(file.fileno(), fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            return False
        except OSError:
            pass  # a file system without locks
    return True


def on_disk(folder: Path) -> None:
    """Wait until all that was added to a folder is on its disk: at once in a hundredth of the time
    that it takes one by one. Raises OSError."""
    if not _AT_ONCE:
        return
    opened = os.open(folder, os.O_RDONLY)
    try:
        if ctypes.CDLL(None, use_errno=True).syncfs(opened):
            raise OSError(number := ctypes.get_errno(), os.strerror(number), str(folder))
    finally:
        os.close(opened)


def _new_in_folder(part: str) -> IO[bytes]:
    try:
        return open(part, "wb", opener=_created_for_all)
    except FileNotFoundError:
        os.makedirs(os.path.dirname(part), exist_ok=True)
        return open(part, "wb", opener=_created_for_all)


def _prefix(target: Path) -> str:
    return f".{target.name[:_LONGEST_NAME]}."


def _sweep(target: Path) -> None:
    """Remove the part files of this target that nobody writes to any more."""
    prefix = _prefix(target)
    with suppress(OSError), os.scandir(target.parent) as found:
        for entry in found:
            if entry.name.startswith(prefix) and _REST.fullmatch(entry.name, len(prefix)):
                with suppress(OSError):
                    _remove_left_behind(entry.path)


def _remove_left_behind(part: str) -> None:
    """Remove a part file whose writer is gone. Raises OSError where it is not, or where that cannot
    be known."""
    if sys.platform == "win32":
        if time.time() - os.stat(part).st_mtime > _UNLOCKED_AGE:
            os.unlink(part)
        return
    handle = os.open(part, os.O_RDWR | os.O_NOFOLLOW | os.O_NONBLOCK)
    try:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        os.unlink(part)
    finally:
        os.close(handle)


def _new(part: Path) -> IO[bytes]:
    """The part file, open and locked. The lock ends with the process, however that ends."""
    while True:
        file = open(part, "wb", opener=_created)  # noqa: SIM115  # closed by who asked for it
        if sys.platform != "win32":
            with suppress(OSError):  # a file system without locks: there nothing is swept either
                fcntl.flock(file.fileno(), fcntl.LOCK_EX)
        if sys.platform == "win32" or os.fstat(file.fileno()).st_nlink:
            return file
        file.close()  # swept in the moment before it was locked


def _created(part: str, _: int) -> int:
    return os.open(part, _CREATE, 0o600)


def _created_for_all(part: str, _: int) -> int:
    return os.open(part, _CREATE, 0o666)  # less what the umask takes


def _second_descriptor(file: IO[bytes]) -> int:
    """Keeps the lock of a file that is closed; -1 where there is none to keep."""
    return -1 if sys.platform == "win32" else os.dup(file.fileno())


def _mode(target: Path) -> int:
    """The permissions the file had, or those a new file gets; a temporary file's own are for its
    owner only."""
    if target.exists():
        return stat.S_IMODE(target.stat().st_mode)
    mask = os.umask(0)
    os.umask(mask)
    return 0o666 & ~mask
