"""What the pages say fits a finger, a mouse and the keyboard."""

from __future__ import annotations

import re
from pathlib import Path

PAGES = Path(__file__).resolve().parents[2] / "pages"
TELLS = re.compile(r"""["'`](?:[^"'`\n]*[ (;:,])?[Cc]lick (?:a|the|an)\b""")
"""A text that tells somebody to click something."""


def test_no_text_of_tune_retrieve_and_compare_tells_a_finger_to_click() -> None:
    folders = ("tune", "retrieve", "compare", "components/ribbon")
    files = [path for folder in folders for path in (PAGES / "ui" / folder).rglob("*") if path.suffix in (".py", ".js")]
    telling = [
        path.name for path in files for line in path.read_text(encoding="utf-8").splitlines() if TELLS.search(line)
    ]

    assert files
    assert telling == []
