"""The worker processes of daft's native runner, where daft waits for ever or lets them go on."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from multiprocessing.connection import Connection, Listener, wait
from pathlib import Path
from typing import Any, cast

from chunking.runtime.leaving import threads_at_work
from chunking.runtime.parent import watch_parent
from chunking.runtime.processes import SAFE_PATH, safe_path, set_safe_path

_LOOK_EVERY = 0.5
"""Seconds between two looks at whether a worker that begins is there."""


@dataclass(frozen=True, slots=True)
class Begun:
    """What a worker is told by the command that begins it."""

    by: int
    """The command's process."""
    safe_path: str | None
    """The command's variable, for the programs that a worker begins."""

    def in_worker(self) -> None:
        """End this worker with the command, however that ends."""
        set_safe_path(self.safe_path)
        watch_parent(self.by)


def by_this_command() -> Begun:
    """What the workers of this process are told."""
    return Begun(os.getpid(), os.environ.get(SAFE_PATH))


@contextmanager
def native_workers(udf: Any) -> Iterator[None]:
    """Let the workers that daft begins meanwhile import nothing from the current folder, and miss
    one that ends before it has said anything. A query that is left in the middle goes on in threads
    of daft's. `udf` is its module `daft.execution.udf`."""
    # It has no other seam: it begins a worker and waits for it in one method.
    udf.Listener = _Listener
    with safe_path(), threads_at_work():
        yield


class _Listener(Listener):
    """Where daft waits for a worker that it has begun."""

    def accept(self) -> Connection:
        """As Python's. Raises EOFError for a worker that has ended, where /proc tells."""
        socket = cast(Any, self)._listener._socket
        while not wait([socket], _LOOK_EVERY):
            if not _is_run_with(cast(str, self.address)):
                raise EOFError("a worker process ended as it began")
        return super().accept()


def _is_run_with(argument: str) -> bool:
    """Whether a child of this process has the argument; True where nobody can say."""
    tasks = [*Path("/proc/self/task").glob("*/children")]
    children = [child for task in tasks for child in _read(task).split()]
    return not tasks or any(argument.encode() in _read(Path(f"/proc/{child.decode()}/cmdline")) for child in children)


def _read(file: Path) -> bytes:
    with suppress(OSError):  # it has ended
        return file.read_bytes()
    return b""
