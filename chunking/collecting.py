"""The garbage collector, held back while many objects are made that are all kept: it would only look at them again."""

from __future__ import annotations

import gc
from collections.abc import Iterator
from contextlib import contextmanager

_MANY = 5_000
"""New objects that are worth the two calls of `_grown_old`."""


@contextmanager
def uncollected() -> Iterator[None]:
    """No garbage collection inside; as before afterwards. A third of the time of building a large document."""
    was_on = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_on:
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
