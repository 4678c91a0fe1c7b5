"""What is made once for a whole process, also when many threads ask for it at the same moment."""

from __future__ import annotations

import os
from collections.abc import Callable
from functools import cache, wraps
from threading import RLock
from typing import ParamSpec, TypeVar

Asked = ParamSpec("Asked")
Made = TypeVar("Made")


def once(make: Callable[Asked, Made]) -> Callable[Asked, Made]:
    """`functools.cache` under a lock: while one thread makes the value, the others wait for the same one.

    `cache` alone lets each of them make its own. Arguments are hashable, as for `cache`; what is made must not ask for
    what waits for it. An error is not remembered. A forked process has a lock of its own: nobody is left to let go of
    one that was held.
    """
    remembered = cache(make)
    lock = RLock()

    def anew() -> None:
        nonlocal lock
        lock = RLock()

    if hasattr(os, "register_at_fork"):
        os.register_at_fork(after_in_child=anew)

    @wraps(make)
    def made(*args: Asked.args, **kwargs: Asked.kwargs) -> Made:
        with lock:
            return remembered(*args, **kwargs)  # type: ignore[arg-type]  # cache wants hashable ones

    return made
