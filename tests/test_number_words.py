"""How numbers are written for people: a count as 1,234, a share as 12.5%, each by one function."""

from __future__ import annotations

import re
from pathlib import Path

from chunking import Config
from chunking.analysis.metric_table import metric, share_text
from pages.ui.layout.change_messages import shown
from pages.ui.tune import markup

PAGES = Path(__file__).parents[1] / "pages"
OWN_PERCENT = re.compile(r":\.\d%\}|%\.\df ?%%|[\d}] %[^ \w(]")
"""A format of Python's or printf's for a share; a blank before the sign, in text."""


def test_no_page_writes_a_share_in_a_way_of_its_own() -> None:
    found = [
        f"{path.relative_to(PAGES)}: {line.strip()}"
        for path in sorted(PAGES.rglob("*.py"))
        for line in path.read_text(encoding="utf-8").splitlines()
        if OWN_PERCENT.search(line)
    ]

    assert found == []


def test_a_share_has_as_many_decimals_as_it_takes_and_coverage_is_the_same_in_every_place() -> None:
    assert [share_text(share, 1) for share in (0.0, 0.03, 0.125, 0.9999, 1.0)] == ["0%", "3%", "12.5%", "99.9%", "100%"]
    assert metric("coverage").value_text(0.9991) == share_text(0.9991, 1) == "99.9%"


def test_the_value_of_a_setting_has_its_thousands_apart_where_it_is_offered_and_where_it_differs() -> None:
    config = Config.of("heading-window", {"maxTokens": 7348})

    assert (shown(7348), shown(True), shown("keep")) == ("7,348", "True", "keep")
    assert markup.changed_words(config) == "Maximum: 7,348"
