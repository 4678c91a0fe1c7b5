"""What the names of windows stand for in the files of styles."""

from __future__ import annotations

import json
import re
from pathlib import Path

from pages.ui.server.stylesheets import PHONE, WIDE, stylesheet

UI = Path(__file__).parents[3] / "pages" / "ui"


def test_scripts_and_styles_mean_the_same_by_a_phone() -> None:
    script = (UI / "components" / "shared" / "phone.js").read_text(encoding="utf-8")

    assert json.dumps(PHONE) in script


def test_no_name_of_a_window_reaches_the_browser_and_no_file_writes_the_widths_itself() -> None:
    files = list(UI.rglob("*.css"))
    texts = {path.name: path.read_text(encoding="utf-8") for path in files}

    assert sum("(--phone)" in text for text in texts.values()) > 10
    assert not [path.name for path in files if re.search(r"\(--(?!cs|st)", stylesheet(path).replace("var(--", ""))]
    assert not [name for name, text in texts.items() if re.search(r"max-width: 800px|min-width: 801px", text)]


def test_every_window_is_a_phone_or_wide_and_none_is_both() -> None:
    def holds(query: str, width: int, height: int) -> bool:
        written = re.sub(r"\((m..)-(width|height): (\d+)px\)", r"(\2 \1 \3)", query)
        compared = re.sub(r"min (\d+)", r">= \1", re.sub(r"max (\d+)", r"<= \1", written))
        return bool(eval(compared, {"width": width, "height": height}))

    sizes = [(w, h) for w in (390, 800, 801, 844, 960, 961, 1440) for h in (360, 499, 500, 900)]

    assert all(holds(PHONE, *size) != holds(WIDE, *size) for size in sizes)
    assert [size for size in sizes if holds(PHONE, *size) and size[0] > 800] == [
        (width, height) for width in (801, 844, 960) for height in (360, 499)
    ]
