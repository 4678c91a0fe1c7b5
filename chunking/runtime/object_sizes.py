"""How many bytes values take, with all that they hold: each object once."""

from __future__ import annotations

import gc
import sys
from collections.abc import Callable, Iterable
from types import ModuleType

_AT_A_TIME = 4096
"""Objects looked at in one step, so that other threads go on between two."""
_LARGE = 500
"""Objects whose step is worth a pause."""


def _at_once() -> None:
    return None


def bytes_of(
    values: Iterable[object],
    seen: set[int],
    beside: frozenset[int] = frozenset(),
    pause: Callable[[], None] = _at_once,
) -> int:
    """Bytes of the values and of all that they hold, but for what is in `seen` or `beside`, by
    identity; adds to `seen` what it counts. `pause` is called between two steps of some
    milliseconds.

    Left out is what a process has one of: classes, modules, and everything that can be called (a
    function, a counter, a model). Takes about a second for a million objects.
    """
    total, batches = 0, [list(values)]
    while batches:
        batch = batches.pop()
        for start in range(0, len(batch), _AT_A_TIME):
            fresh = {id(each): each for each in batch[start : start + _AT_A_TIME]}
            for known in (*seen.intersection(fresh), *beside.intersection(fresh)):
                fresh.pop(known, None)
            seen.update(fresh)
            counted = [each for each in fresh.values() if not callable(each) and not isinstance(each, ModuleType)]
            total += sum(map(sys.getsizeof, counted))
            further = gc.get_referents(*counted)
            if further:
                batches.append(further)
            if len(batch) > _LARGE:
                pause()
    return total
