"""The tabs over the right side of Inspect, with what is to be known of each panel. No Streamlit."""

from __future__ import annotations

from collections.abc import Sequence

from chunking.analysis import Check
from chunking.text import counted
from pages.ui.components.panel_tabs import Tab
from pages.ui.components.source_view import Mark

_EXPORT = Tab("exported", "Export", also="download save YAML config commands program")


def tabs(checks: Sequence[Check], marks: Sequence[Mark], *, pages: bool = False) -> tuple[Tab, ...]:
    """Chunk, Page where the document has some that can be drawn, Health, Marks and Export, in the
    order of layout.PANELS."""
    page = (Tab("paged", "Page"),) if pages else ()
    return Tab("chunk", "Chunk"), *page, _health(checks), _marks(marks), _EXPORT


def _health(checks: Sequence[Check]) -> Tab:
    failed = sum(check.verdict == "fail" for check in checks)
    warnings = sum(check.verdict == "warn" for check in checks)
    if failed:
        return Tab("checked", "Health", f"{failed} failed", "bad")
    return Tab("checked", "Health", counted(warnings, "warning"), "warn") if warnings else Tab("checked", "Health")


def _marks(marks: Sequence[Mark]) -> Tab:
    cut = sum(mark.cut for mark in marks)
    if cut:
        return Tab("marked", "Marks", f"{cut} cut", "bad")
    return Tab("marked", "Marks", f"{len(marks):,}" if marks else "")
