"""Where a person's data is kept, and what can be made again: the platform's folders, or those the
environment names."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Literal

_NAME = "chunkscope"
CACHE_VARIABLE = "CHUNKSCOPE_CACHE"
"""Environment variable that names the cache's folder; `off` keeps everything in memory only."""


def user_folder(kind: Literal["cache", "data"], variable: str) -> Path | None:
    """The folder that the environment variable names, else the platform's own for this kind.

    None where the variable is `off`, or where the user has no home.
    """
    named = os.environ.get(variable, "")
    if named:
        return None if named == "off" else Path(named).expanduser()
    import platformdirs

    if kind == "cache":
        folder = platformdirs.user_cache_path(_NAME, appauthor=False, opinion=False)
    else:
        folder = platformdirs.user_data_path(_NAME, appauthor=False)
    try:
        return folder.expanduser()
    except RuntimeError:
        return None
