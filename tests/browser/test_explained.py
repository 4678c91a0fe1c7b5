"""What stands on the page says what it is, and leads to what it speaks of: real Chromium."""

from __future__ import annotations

from collections.abc import Callable

from playwright.sync_api import Page, expect

PATIENCE = 45_000
HEADINGS = "?document=sample:01-headings-without-content.md&strategy=heading-window"


def opened(page: Page, address: str) -> Page:
    page.set_viewport_size({"width": 1440, "height": 900})
    page.goto(address)
    page.locator(".cs[data-painted]").wait_for(timeout=PATIENCE)
    page.get_by_role("tab", name="Health").wait_for(timeout=PATIENCE)
    return page


def test_the_words_see_health_open_the_tab_health(page: Page, serve: Callable[[str], str]) -> None:
    opened(page, f"{serve('app.py')}/{HEADINGS}")
    expect(page.locator(".health")).to_be_hidden()
    page.get_by_role("button", name="see Health").click()

    expect(page.locator(".health")).to_be_visible()
    expect(page.get_by_role("tab", name="Health")).to_be_focused()


def test_the_dashes_of_the_baseline_are_explained_under_the_pointer_and_in_the_header(
    page: Page, serve: Callable[[str], str]
) -> None:
    opened(page, f"{serve('app.py')}/{HEADINGS}")
    expect(page.locator(".was-key")).to_have_text("only baseline")
    dash = page.locator(".was").first
    dash.scroll_into_view_if_needed()
    box = dash.bounding_box()
    assert box
    page.mouse.move(box["x"] + 4, box["y"] + 1)
    expect(page.get_by_role("tooltip")).to_have_text("The baseline cuts here; the current settings do not")
    page.mouse.move(box["x"] - 200, box["y"] + 1)
    expect(page.get_by_role("tooltip")).to_be_hidden()
    expect(page.locator("canvas.map")).to_have_attribute(
        "title",
        "Overview of the document: click or drag to jump. "
        "As wide as a chunk has tokens. Dashed: left out. Ticks at the left: the boundaries of the baseline",
    )

    page.goto(f"{serve('app.py')}/{HEADINGS}&was.strategy=none")
    page.locator(".cs[data-painted]").wait_for(timeout=PATIENCE)
    expect(page.locator(".was-key")).to_be_hidden()
