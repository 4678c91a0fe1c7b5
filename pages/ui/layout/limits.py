"""What one piece of work in the app may take, so that no document keeps the others waiting: a cut,
a page or a part of it, a download."""

from __future__ import annotations

import os
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from math import inf
from typing import TypeVar

from chunking import RunLimits
from chunking.errors import ConfigError
from chunking.runtime import in_megabytes, memory, within
from pages.ui.server import downloads, sessions
from pages.ui.server.owners import owner

T = TypeVar("T")

SECONDS = "CHUNKSCOPE_RUN_SECONDS"
MEGABYTES = "CHUNKSCOPE_RUN_MEMORY_MB"
_DEFAULTS = {SECONDS: 60, MEGABYTES: 2048}


def run_limits() -> RunLimits:
    """60 s of CPU time and 2 GB, or what the environment says, where 0 is no limit.

    Raises ConfigError for a value that is not a whole number.
    """
    return RunLimits(_limit(SECONDS), _limit(MEGABYTES), SECONDS, MEGABYTES)


def limited(work: Callable[[], T]) -> T:
    """What `work` returns. Raises RunLimitError once it has gone past the app's limits."""
    return within(run_limits(), work)


def download(make: Callable[[], bytes]) -> Callable[[], bytes]:
    """The content of a download that is made when it is asked for, within the app's limits; past
    them, the reason is shown beside the button."""
    return downloads.telling(partial(limited, make))


def cancellable(work: Callable[[], T]) -> T:
    """`limited` in memory only: for work that tells how far it is and ends when somebody cancels
    it."""
    return within(replace(run_limits(), seconds=inf), work)


def memory_limit() -> int:
    """Bytes of documents that are remembered at most. Raises ConfigError for a value that is not a
    whole number."""
    return memory.limit


def remembered() -> str:
    """What is remembered of documents, against the limit; where others use the server too, only of
    those that this session uses."""
    alone = owner().kind == "machine"
    used = memory.used() if alone else memory.used_by(sessions.session_id() or "")
    return in_megabytes(used, memory_limit())


def _limit(variable: str) -> int | None:
    given = os.environ.get(variable, "").strip()
    if not given:
        return _DEFAULTS[variable]
    if not given.isdecimal():
        raise ConfigError(f"{variable}: {given!r} is not a whole number; set it to one, or to 0 for no limit")
    return int(given) or None
