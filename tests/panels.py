"""The panels of Inspect's right side in Chromium, of which one is seen at a time."""

from __future__ import annotations

import re

from playwright.sync_api import Page


def open_panel(page: Page, name: str) -> None:
    """Open the panel with this name on its tab, as soon as it is there."""
    page.get_by_role("tab", name=re.compile(f"^{name}")).click(timeout=60_000)
