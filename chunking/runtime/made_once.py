"""A thread-safe `functools.cache`: each value is computed once per process."""

from __future__ import annotations

import os
from collections.abc import Callable
from functools import cache, wraps
from threading import RLock
from typing import ParamSpec, TypeVar

Params = ParamSpec("Params")
Result = TypeVar("Result")


def once(make: Callable[Params, Result]) -> Callable[Params, Result]:
    """`functools.cache` under a lock: while one thread computes a value, the others wait for it.

    With `cache` alone, each thread would compute its own. Arguments are hashable, as for `cache`.
    To avoid a deadlock, `make` must not wait for another thread that calls the same function. An
    error is not remembered. A forked process gets a new lock, since the thread that held the old
    one is gone.
    """
    remembered = cache(make)
    lock = RLock()

    def anew() -> None:
        nonlocal lock
        lock = RLock()

    if hasattr(os, "register_at_fork"):
        os.register_at_fork(after_in_child=anew)

    @wraps(make)
    def locked(*args: Params.args, **kwargs: Params.kwargs) -> Result:
        with lock:
            return remembered(*args, **kwargs)  # type: ignore[arg-type]  # cache wants hashable ones

    return locked
