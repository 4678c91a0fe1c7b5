"""Which Chunkscope this is: said in pyproject.toml, read from what is installed."""

from __future__ import annotations

from functools import cache


@cache
def engine_version() -> str:
    """Chunkscope's version; `unknown` when it runs from a folder that was never installed."""
    # Reading what is installed takes 20 ms to import, which most commands do without.
    from importlib.metadata import PackageNotFoundError, version

    try:
        return version("chunkscope")
    except PackageNotFoundError:
        return "unknown"
