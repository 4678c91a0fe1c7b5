"""What one run in the app may take, so that no document keeps the others waiting."""

from __future__ import annotations

import os

from chunking import RunLimits
from chunking.errors import ConfigError

SECONDS = "CHUNKSCOPE_RUN_SECONDS"
MEGABYTES = "CHUNKSCOPE_RUN_MEMORY_MB"
_DEFAULTS = {SECONDS: 60, MEGABYTES: 2048}


def run_limits() -> RunLimits:
    """60 s of CPU time and 2 GB, or what the environment says; 0 there is no limit.

    Raises ConfigError for a value that is not a whole number.
    """
    return RunLimits(_limit(SECONDS), _limit(MEGABYTES), SECONDS, MEGABYTES)


def _limit(variable: str) -> int | None:
    given = os.environ.get(variable, "").strip()
    if not given:
        return _DEFAULTS[variable]
    if not given.isdecimal():
        raise ConfigError(f"{variable}: {given!r} is not a whole number; set it to one, or to 0 for no limit")
    return int(given) or None
