"""Frees large values piece by piece, beside other work.

The last reference to a value frees all that it holds in one call of C, which keeps the
interpreter's lock: 0.1 s for a parsed document of 1 MB with its run. Here the pieces are taken out
of a value before it goes, so that each call frees one of them.
"""

from __future__ import annotations

import gc
import sys
import time
from collections import deque
from collections.abc import Callable
from threading import Lock, Thread

_AT_A_TIME = 2000
"""Pieces that are taken apart from one pause to the next: half a millisecond."""
_PAUSE = 0.001
"""Seconds."""


def _counted() -> int:
    alone = object()
    return sys.getrefcount(alone)


_OURS = _counted()
"""What `getrefcount` says of a value that one local name has and nobody else."""


def _let_others() -> None:
    time.sleep(_PAUSE)


def take_apart(values: list[object], pause: Callable[[], None] = _let_others) -> None:
    """Free the values of a list, which must be their only owner, and empty it; `pause` is called
    now and then.

    What somebody else has too stays as it is. Takes about half a second for a million pieces; texts
    and numbers go with what holds them.
    """
    taken = 0
    while values:
        each = values.pop()
        if sys.getrefcount(each) == _OURS and gc.is_tracked(each):
            values += filter(gc.is_tracked, gc.get_referents(each))
        taken += 1
        if not taken % _AT_A_TIME:
            pause()


class Freeing:
    """Frees what is given to it in a thread, which is there only while there is something."""

    def __init__(self, delay: float = 0.5) -> None:
        self._delay = delay
        """Seconds for which a value waits, so that whoever had it just now has let go of it."""
        self._waiting: deque[object] = deque()
        self._lock = Lock()
        self._running = False

    def __call__(self, value: object) -> None:
        """Take a value over. Returns at once."""
        with self._lock:
            self._waiting.append(value)
            if self._running:
                return
            self._running = True
        Thread(target=self._free, name="freeing", daemon=True).start()

    def _free(self) -> None:
        while True:
            time.sleep(self._delay)
            values = list[object]()
            with self._lock:
                while self._waiting:
                    values.append(self._waiting.popleft())
                if not values:
                    self._running = False
                    return
            take_apart(values)
