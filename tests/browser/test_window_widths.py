"""What has room at each width of a window: nothing that can be used is cut off or covered."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from playwright.sync_api import Browser, Locator, Page, expect
from seen_lines import LINES
from waiting import until_on

PATIENCE = 45_000
SAMPLE = "?document=sample:02-a-huge-table.md&strategy=heading-window"
CUT_OFF = """strip => [...strip.querySelectorAll('dt, .cs-was')]
    .filter(words => words.scrollWidth > words.clientWidth && getComputedStyle(words).display !== 'inline')
    .map(words => words.textContent)"""

pytestmark = pytest.mark.browser


def test_the_filter_stands_beside_the_views_and_the_numbers_are_whole_at_every_width(
    page: Page, serve: Callable[[str], str]
) -> None:
    page.goto(f"{serve('app.py')}/{SAMPLE}")
    page.locator(".cs[data-painted]").wait_for(timeout=PATIENCE)
    views, only = page.locator(".st-key-reading"), page.locator(".st-key-reading-only")
    only.wait_for(timeout=PATIENCE)
    for width in (810, 1000, 1152, 1200, 1280, 1366, 1440):
        page.set_viewport_size({"width": width, "height": 800})
        left, right = views.bounding_box(), only.bounding_box()
        assert left
        assert right
        assert left["x"] + left["width"] <= right["x"], width
        assert abs((left["y"] + left["height"] / 2) - (right["y"] + right["height"] / 2)) <= 2, width
        assert right["width"] >= 120, width
        assert page.locator(".st-key-numbers .cs-strip").evaluate(CUT_OFF) == [], width
    cells = page.locator(".st-key-numbers .cs-strip > div").evaluate_all("all => all.map(each => each.offsetWidth)")
    assert max(cells) < 2.25 * min(cells)  # none is half empty, and one has the share with context in its line


@pytest.mark.parametrize("sample", ["11-a-changelog.md", "02-a-huge-table.md"])
def test_all_thresholds_are_in_view_in_a_window_of_a_laptop(
    page: Page, serve: Callable[[str], str], sample: str
) -> None:
    page.set_viewport_size({"width": 1280, "height": 720})
    page.goto(f"{serve('app.py')}/?document=sample:{sample}&strategy=heading-window")
    for name in ("Minimum minTokens", "Minimum before a subsection", "Maximum maxTokens"):
        expect(page.get_by_role("slider", name=name)).to_be_in_viewport(ratio=1, timeout=PATIENCE)
    maximum = page.get_by_role("spinbutton", name="Maximum, tokens", exact=True)
    maximum.fill("100")
    maximum.press("Enter")
    # What is said of a value that is refused, with the way out, is in view too.
    expect(page.get_by_role("button", name="Lower Minimum to 100 too")).to_be_in_viewport(ratio=1, timeout=PATIENCE)
    expect(maximum).to_be_focused()


@pytest.mark.parametrize(("width", "height"), [(720, 450), (844, 390), (640, 360)])
def test_in_a_low_window_document_and_strategy_are_one_line_at_the_top_and_eight_lines_of_source_below_it(
    browser: Browser, serve: Callable[[str], str], width: int, height: int
) -> None:
    page = browser.new_context(viewport={"width": width, "height": height}, has_touch=True, is_mobile=True).new_page()
    page.goto(f"{serve('app.py')}/{SAMPLE}")
    page.locator(".cs[data-painted]").wait_for(timeout=PATIENCE)
    add = page.locator(".st-key-add button")
    for control in (page.locator(".st-key-document"), add, page.locator(".st-key-strategy")):
        expect(control).to_be_in_viewport(ratio=1)
        place = control.bounding_box()
        assert place
        assert place["y"] >= 38  # below the links to the pages
        assert place["y"] + place["height"] <= 84
    for name in ("Document", "Strategy"):
        expect(page.get_by_role("combobox", name=name, exact=True)).to_be_visible()
    assert page.locator(".cs .scroll").evaluate(LINES) >= 8
    add.click()
    page.get_by_role("textbox", name="Paste").fill("<!-- made by hand -->\n\nIt glows.\n", timeout=PATIENCE)
    hint = page.get_by_text("Press Ctrl+Enter to submit form")
    expect(hint).to_be_attached()
    expect(hint).to_be_hidden()  # over the last line, for who has no such key
    page.get_by_role("button", name="Add text").click()
    # What is said of it lies above the sheet, over no choice.
    said = page.get_by_text("1 document added · showing Pasted: It glows.")
    expect(said).to_be_visible(timeout=PATIENCE)
    until_on(page, lambda: lies_low(said))
    page.context.close()


def test_on_a_standing_phone_what_is_said_of_an_added_document_covers_no_text_and_no_control(
    browser: Browser, serve: Callable[[str], str]
) -> None:
    page = browser.new_context(viewport={"width": 390, "height": 844}, has_touch=True, is_mobile=True).new_page()
    page.goto(f"{serve('app.py')}/{SAMPLE}")
    page.locator(".cs[data-painted]").wait_for(timeout=PATIENCE)
    page.locator(".st-key-add button").click()
    page.get_by_role("textbox", name="Paste").fill("# Kettle\n\nIt glows.\n", timeout=PATIENCE)
    page.get_by_role("button", name="Add text").click()
    said = page.get_by_role("alertdialog").filter(has_text="1 document added · showing Pasted: Kettle")
    expect(said).to_be_visible(timeout=PATIENCE)
    until_on(page, lambda: lies_over_the_name(said))
    close = said.get_by_role("button", name="Close").bounding_box()
    assert close
    assert min(close["width"], close["height"]) >= 24
    page.context.close()


def lies_over_the_name(said: Locator) -> bool:
    """Whether a line is above the links to the pages and left of the first button beside the
    name."""
    button = said.page.locator(".st-key-nav-buttons button").locator("visible=true").first
    line, links, beside = (each.bounding_box() for each in (said, said.page.locator(".st-key-pages"), button))
    if not line or not links or not beside:
        return False
    return line["y"] >= 0 and line["y"] + line["height"] <= links["y"] and line["x"] + line["width"] <= beside["x"]


def lies_low(said: Locator) -> bool:
    """Whether a line is below the choice of a strategy and above the sheet."""
    page = said.page
    line, strategy, sheet = (
        each.bounding_box() for each in (said, page.locator(".st-key-strategy"), page.locator(".st-key-rail"))
    )
    if not line or not strategy or not sheet:
        return False
    return strategy["y"] + strategy["height"] < line["y"] and line["y"] + line["height"] < sheet["y"]


def test_a_mark_is_explained_no_more_once_it_is_gone(page: Page, serve: Callable[[str], str]) -> None:
    page.goto(f"{serve('app.py')}/{SAMPLE}")
    page.locator(".cs[data-painted]").wait_for(timeout=PATIENCE)
    key = page.locator(".marks-key")
    expect(key).to_contain_text("torn: cuts a block in two", timeout=PATIENCE)
    expect(key).to_contain_text("chunk: colours repeat")

    maximum = page.get_by_role("spinbutton", name="Maximum, tokens", exact=True)
    maximum.fill("4000")
    maximum.press("Enter")

    expect(key).not_to_contain_text("torn", timeout=PATIENCE)
