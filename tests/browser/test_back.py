"""The browser's Back and Forward between pages, in real Chromium: one press for each page."""

from __future__ import annotations

import re
from collections.abc import Callable

from one_run import PATIENCE
from playwright.sync_api import Page, expect


def test_one_press_of_back_leaves_a_page_and_one_of_forward_returns(inspect: Callable[..., Page]) -> None:
    page = inspect("&strategy=fixed")
    page.wait_for_url(re.compile("was.strategy="), timeout=PATIENCE)  # it says all that is shown
    whole = {"Inspect": page.url}
    entries = page.evaluate("history.length")
    for title in ("Compare", "Tune"):
        page.locator(".st-key-nav").get_by_role("link", name=title).click()
        page.wait_for_url(re.compile(rf"/{title.lower()}[?].*document="), timeout=PATIENCE)
        expect(page.get_by_role("heading", level=1, name=title)).to_have_count(1, timeout=PATIENCE)
        whole[title] = page.url
    assert page.evaluate("history.length") == entries + 2

    for title in ("Compare", "Inspect"):
        page.go_back()
        expect(page.get_by_role("heading", level=1, name=title)).to_have_count(1, timeout=PATIENCE)
        assert page.url == whole[title]
    expect(page.get_by_role("combobox", name="Strategy")).to_have_value(re.compile("^Fixed size"), timeout=PATIENCE)
    page.go_forward()
    expect(page.get_by_role("heading", level=1, name="Compare")).to_have_count(1, timeout=PATIENCE)
    assert page.url == whole["Compare"]


def test_a_page_opened_without_a_query_is_one_entry_with_what_it_shows(page: Page, serve: Callable[[str], str]) -> None:
    page.goto(serve("app.py"))
    entries = page.evaluate("history.length")
    page.wait_for_url(re.compile("[?]document="), timeout=PATIENCE)

    assert page.evaluate("history.length") == entries
