"""The garbage collector, held back while many objects are made that are all kept: it would only look at them again.

The collector is the whole program's: only a program that is ours, the command line and its worker processes, holds it
back. A library call never touches that of its host.
"""

from __future__ import annotations

import gc
from collections.abc import Iterator
from contextlib import contextmanager
from threading import Lock

_MANY = 5_000
"""New objects that are worth the two calls of `_grown_old`."""


class _Collector:
    """Who holds the collector back at the moment."""

    def __init__(self) -> None:
        self.ours = False
        self.lock = Lock()
        self.holders = 0
        self.was_on = True


_collector = _Collector()


def this_program_is_ours() -> None:
    """From here on `uncollected` holds the collector back: for the command line and its workers, never in a library."""
    _collector.ours = True


@contextmanager
def our_program() -> Iterator[None]:
    """The same for as long as it lasts: a command may be called from a program that is somebody else's."""
    before = _collector.ours
    this_program_is_ours()
    try:
        yield
    finally:
        _collector.ours = before


@contextmanager
def uncollected() -> Iterator[None]:
    """No garbage collection inside, where the program is ours; as before when the last thread has left.

    A third of the time of building a large document.
    """
    if not _collector.ours:
        yield
        return
    with _collector.lock:
        if not _collector.holders:
            _collector.was_on = gc.isenabled()
            gc.disable()
        _collector.holders += 1
    try:
        yield
    finally:
        with _collector.lock:
            _collector.holders -= 1
            if not _collector.holders and _collector.was_on:
                _grown_old()
                gc.enable()


def _grown_old() -> None:
    """Put many new objects among the old ones without looking at each: they are kept, and later collections see them.

    Not where a program has frozen objects of its own: they would thaw.
    """
    if gc.get_count()[0] > _MANY and not _others_froze():
        gc.freeze()
        gc.unfreeze()


_froze: list[bool] = []
"""Not empty once a program was found to have frozen objects of its own."""


def _others_froze() -> bool:
    """Asked until it is so: the interpreter counts frozen objects one by one, a hundred milliseconds for a million."""
    if not _froze and gc.get_freeze_count():
        _froze.append(True)
    return bool(_froze)
