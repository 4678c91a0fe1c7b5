"""The files of styles; two names stand in them for kinds of windows: `(--phone)`, `(--wide)`."""

from __future__ import annotations

from pathlib import Path

PHONE = "((max-width: 800px) or ((max-width: 960px) and (max-height: 499px)))"
"""A phone, held upright or on its side, or a page zoomed as far; the same as shared/phone.js."""
WIDE = "((min-width: 961px) or ((min-width: 801px) and (min-height: 500px)))"
"""Every other window."""


def stylesheet(path: Path) -> str:
    """The text of a file of styles, for the browser. Raises OSError."""
    return path.read_text(encoding="utf-8").replace("(--phone)", PHONE).replace("(--wide)", WIDE)
