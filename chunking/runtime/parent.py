"""A worker process ends when its parent ends, in whatever way: also by kill -9, which no handler
hears."""

from __future__ import annotations

import os
import signal
import sys
import time
from contextlib import suppress
from threading import Thread

_LOOK_EVERY = 0.5
"""Seconds between two looks at whose child this is."""


def end_with_parent(parent: int) -> None:
    """End this process as soon as its parent, by its number, is gone; returns at once.

    On Linux the kernel ends it, even where a library holds the interpreter's lock; everywhere a
    thread looks. The thread that started this child has to live as long as it.
    """
    if sys.platform == "linux":
        with suppress(OSError, AttributeError):  # a C library without prctl
            import ctypes

            set_parent_death_signal = 1  # PR_SET_PDEATHSIG, see prctl(2)
            ctypes.CDLL(None).prctl(set_parent_death_signal, signal.SIGKILL)
    watch_parent(parent)


def watch_parent(parent: int) -> None:
    """As `end_with_parent`, by the thread alone: whichever thread started this child may end."""
    Thread(target=_watch, args=(parent,), name="ends with the parent", daemon=True).start()


def _watch(parent: int) -> None:
    while os.getppid() == parent:
        time.sleep(_LOOK_EVERY)
    os._exit(1)  # nobody is left to hear of it
