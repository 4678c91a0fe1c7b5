"""A worker process ends when its parent ends, in whatever way: also by kill -9, which no handler
hears."""

from __future__ import annotations

import os
import signal
import sys
from collections.abc import Callable
from contextlib import suppress
from multiprocessing import parent_process
from multiprocessing.connection import wait
from threading import Thread


def end_with_parent_process() -> None:
    """End this `multiprocessing` child as soon as its parent is gone; returns at once.

    On Linux the kernel ends it, even where a library holds the interpreter's lock; everywhere a
    thread waits for the parent. The thread that started this child has to live as long as the
    parent.
    """
    parent = parent_process()
    if parent is None:
        return
    if sys.platform == "linux":
        with suppress(OSError, AttributeError):  # a C library without prctl
            import ctypes

            set_parent_death_signal = 1  # PR_SET_PDEATHSIG, see prctl(2)
            ctypes.CDLL(None).prctl(set_parent_death_signal, signal.SIGKILL)
    sentinel = parent.sentinel
    _end_after(lambda: wait([sentinel]))


def end_with_pipe(descriptor: int) -> None:
    """End this process as soon as the other end of a pipe is closed, which the end of its owner
    does; returns at once. Nothing else may read from the pipe any more."""

    def closed() -> None:
        while os.read(descriptor, 1):
            pass

    _end_after(closed)


def _end_after(gone: Callable[[], object]) -> None:
    def watch() -> None:
        with suppress(OSError):
            gone()
        os._exit(1)  # nobody is left to hear of it

    Thread(target=watch, name="ends with the parent", daemon=True).start()
