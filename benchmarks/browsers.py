"""Where a Chromium is, for what measures in one."""

from __future__ import annotations

import shutil

_NAMES = ("chromium-headless-shell", "chromium", "chromium-browser", "google-chrome")
"""The shell first: the same engine without a window of its own, at half the cost."""


def chromium_path() -> str:
    """The first one on the PATH; "" for none."""
    return next(filter(None, map(shutil.which, _NAMES)), "")
