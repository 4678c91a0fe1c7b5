"""The version of Chunkscope, from the metadata of the installed package."""

from __future__ import annotations

from functools import cache


@cache
def engine_version() -> str:
    """Chunkscope's version; `unknown` when it runs from a folder that was never installed."""
    # Imported here because it takes 20 ms, and most commands do not need it.
    from importlib.metadata import PackageNotFoundError, version

    try:
        return version("chunkscope")
    except PackageNotFoundError:
        return "unknown"
