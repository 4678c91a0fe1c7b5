"""Text is selected and marked by keyboard alone: where a selection begins, and who has the keys
after each step. Real Chromium."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from marking import opened
from playwright.sync_api import Locator, Page, expect
from waiting import until_on

PATIENCE = 45_000
TABLE = "?document=sample:02-a-huge-table.md&strategy=heading-window"
SELECTED = "scroller => scroller.getRootNode().getSelection().toString()"


@pytest.fixture
def source(page: Page, serve: Callable[[str], str]) -> Locator:
    """The source of the sample "A huge table", with the keys, once nothing is drawn any more."""
    page.set_viewport_size({"width": 1440, "height": 900})
    page.emulate_media(reduced_motion="reduce")
    opened(page, f"{serve('app.py')}/{TABLE}")
    done(page)
    source = page.locator(".cs .scroll")
    source.focus()
    return source


def done(page: Page) -> None:
    """Wait until the script has run to its end."""
    page.locator('.stApp[data-test-script-state="notRunning"]').wait_for(timeout=PATIENCE)
    page.get_by_role("tab", name="Health").wait_for(timeout=PATIENCE)


def do(page: Page, words: str) -> None:
    """Take what the palette finds for these words."""
    page.keyboard.press("ControlOrMeta+k")
    page.keyboard.type(words)
    expect(page.get_by_role("option", selected=True)).to_contain_text(words, ignore_case=True)
    page.keyboard.press("Enter")


def selected(source: Locator) -> str:
    """What Shift and an arrow select."""
    source.press("Shift+ArrowDown")
    source.press("Shift+ArrowDown")
    return str(source.evaluate(SELECTED))


def test_a_selection_by_keyboard_begins_at_the_place_gone_to(source: Locator) -> None:
    page = source.page
    do(page, "Retrying")
    page.wait_for_url(lambda url: "at=" in url, timeout=PATIENCE)
    line = source.locator(".ln", has_text="## Retrying")
    expect(line).to_be_in_viewport(timeout=PATIENCE)
    until_on(page, lambda: selected(source).startswith("## Retrying"), otherwise=lambda: selected(source))

    source.press("[")  # which leaves what is selected
    assert selected(source).startswith("## Choosing between neighbours")
    page.keyboard.press("Escape")
    source.press("]")
    assert selected(source).startswith("## Retrying")
    page.keyboard.press("Escape")

    source.press("/")
    page.keyboard.type("Doubling alone")
    page.keyboard.press("Enter")
    page.keyboard.press("Escape")
    expect(source).to_be_focused()
    assert selected(source).startswith("Doubling alone")


def test_a_selection_by_keyboard_begins_where_the_view_was_scrolled_to(source: Locator) -> None:
    for _ in range(5):
        source.press("ArrowDown")
    source.evaluate("s => new Promise(done => s.addEventListener('scrollend', done, { once: true }))")
    assert selected(source).startswith("|")
