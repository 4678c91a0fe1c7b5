"""Where a Chromium is, and what keeps it from drawing for nothing, for what runs in one."""

from __future__ import annotations

import shutil

_NAMES = ("chromium-headless-shell", "chromium", "chromium-browser", "google-chrome")
"""The shell first: the same engine without a window of its own, at half the cost."""

STILL = """{
    const still = new CSSStyleSheet();
    still.replaceSync('[data-testid^="stSkeleton"] { animation: none !important; }');
    document.adoptedStyleSheets.push(still);
}"""
"""For a page's beginning: what Streamlit shows until the page is there does not pulse. Without a
graphics card the processor draws that sixty times a second; on a machine at rest a page takes as
long with it (median 3.07 s of CPU either way)."""


def chromium_path() -> str:
    """The first one on the PATH; "" for none."""
    return next(filter(None, map(shutil.which, _NAMES)), "")
