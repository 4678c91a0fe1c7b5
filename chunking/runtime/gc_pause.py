"""Pausing Python's garbage collector while many objects are created that will all be kept.

The collector belongs to the whole process, so only our own programs (the command line and its
worker processes) pause it; when Chunkscope is used as a library, the host's collector is left
alone.
"""

from __future__ import annotations

import gc
from collections.abc import Iterator
from contextlib import contextmanager
from threading import Lock

_MANY = 5_000
"""Minimum number of new objects for which `_promote` is worth its two calls."""
_SOME = 10_000
"""New objects after which our programs look for garbage: a small document's are gone before."""


class _Collector:
    """How many threads are pausing the collector at the moment, and its state before the first
    did."""

    def __init__(self) -> None:
        self.ours = False
        self.lock = Lock()
        self.holders = 0
        self.was_on = True


_collector = _Collector()


def this_program_is_ours() -> None:
    """Let `gc_paused` pause the collector from here on, which looks for garbage more seldom.
    Called by the command line and its workers."""
    _collector.ours = True
    gc.set_threshold(_SOME)


@contextmanager
def our_program() -> Iterator[None]:
    """Let `gc_paused` pause the collector within this context only.

    For commands, which another program may call as functions.
    """
    before, threshold = _collector.ours, gc.get_threshold()
    this_program_is_ours()
    try:
        yield
    finally:
        _collector.ours = before
        gc.set_threshold(*threshold)


@contextmanager
def gc_paused() -> Iterator[None]:
    """Pause garbage collection within this context, until the last thread has left it.

    Does nothing unless the program is ours (`this_program_is_ours`). Collection would otherwise
    take a third of the time of building a large document.
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
                _promote()
                gc.enable()


def _promote() -> None:
    """Move many new objects to the oldest generation without traversing them; later collections do.

    Does nothing if the program has frozen objects of its own (`gc.freeze`): they would be unfrozen.
    """
    if gc.get_count()[0] > _MANY and not _others_froze():
        gc.freeze()
        gc.unfreeze()


_froze: list[bool] = []
"""Not empty once the program was found to have frozen objects of its own."""


def _others_froze() -> bool:
    """Whether the program has frozen objects of its own.

    A positive answer is remembered: counting a million frozen objects takes 100 ms.
    """
    if not _froze and gc.get_freeze_count():
        _froze.append(True)
    return bool(_froze)
