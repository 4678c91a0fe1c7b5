"""Streamlit's own elements are named in one file."""

from __future__ import annotations

import re
from pathlib import Path

PAGES = Path(__file__).resolve().parents[3] / "pages"
FOREIGN = re.compile(r"data-testid|data-baseweb|data-tag|\[kind=|\.st[A-Z]|\.st-(?!key-)|emotion|\.token\b")
"""What in a selector is of Streamlit, or of what it draws with; `.st-key-` is what it promises for
our own keys."""


def test_one_style_sheet_alone_names_elements_of_streamlit() -> None:
    named = [path.name for path in PAGES.rglob("*.css") if FOREIGN.search(path.read_text(encoding="utf-8"))]
    scripts = [path.read_text(encoding="utf-8") for kind in ("js", "py") for path in PAGES.rglob(f"*.{kind}")]

    assert named == ["streamlit_dom.css"]
    assert not [script for script in scripts if "data-testid" in script or "data-baseweb" in script]
