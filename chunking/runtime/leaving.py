"""How this process ends while threads of a library, which Python does not know of, are at work in
it: such a thread aborts a process whose Python is taken down meanwhile."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress

_at_work: list[object] = []


@contextmanager
def threads_at_work() -> Iterator[None]:
    """Say that such threads are at work until this is left as usual; where it is left by an error
    or a signal, they may go on."""
    mark = object()
    _at_work.append(mark)
    yield
    _at_work.remove(mark)


def end_if_threads_are_at_work(code: int) -> None:
    """End this process at once, with this exit code, where they are; else do nothing."""
    if not _at_work:
        return
    for stream in (sys.stdout, sys.stderr):
        with suppress(OSError, ValueError):  # its reader is gone, or it is closed
            stream.flush()
    os._exit(code)
