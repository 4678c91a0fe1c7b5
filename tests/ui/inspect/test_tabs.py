"""The tabs over the right side of Inspect: what each says of its panel."""

from __future__ import annotations

from typing import Literal

from app_pages import open_page

from chunking import Span
from chunking.analysis import Check
from pages.ui.components.panel_tabs import Tab
from pages.ui.components.source_view import Mark
from pages.ui.inspect.layout import PANELS
from pages.ui.inspect.tabs import tabs


def check(verdict: Literal["ok", "warn", "fail"]) -> Check:
    return Check("a", "", "", verdict, "")


def test_the_tabs_are_in_the_order_of_their_panels() -> None:
    assert tuple(tab.panel for tab in tabs((), (), pages=True)) == PANELS
    assert [tab.panel for tab in tabs((), ())] == [panel for panel in PANELS if panel != "paged"]


def test_what_failed_is_said_before_what_warns() -> None:
    assert tabs([check("fail"), check("warn"), check("ok")], ())[1] == Tab("checked", "Health", "1 failed", "bad")
    assert tabs([check("warn"), check("warn")], ())[1] == Tab("checked", "Health", "2 warnings", "warn")
    assert tabs([check("ok")], ())[1] == Tab("checked", "Health")


def test_marks_are_counted_and_those_that_are_cut_before_all() -> None:
    whole, cut = (Mark(Span(0, 4), "whole", "", is_cut) for is_cut in (False, True))

    assert tabs((), [whole, whole])[2] == Tab("marked", "Marks", "2")
    assert tabs((), [whole, cut])[2] == Tab("marked", "Marks", "1 cut", "bad")
    assert tabs((), ())[2].count == ""


def test_an_empty_document_has_its_tabs() -> None:
    app = open_page(document="sample:02-a-huge-table.md")

    assert not app.exception
